"""What a worker and its server say to each other, besides work and answers.

server   7 values {…}    work number 7        7 stop      nobody wants number 7 any more
worker   206 {…}         a part of the answer, better ones follow
         102 1, 102 0    machine code begins, or ends, to be compiled or loaded
         499 {}          it has stopped; any other status is the answer
"""

PREPARING, PARTIAL, STOPPED = 102, 206, 499
STOP = b"stop"
STOPPED_ANSWER = (STOPPED, b"{}")
LISTENING = ("move", "values", "analysis")  # work that hears it; nothing is lost by ending it
