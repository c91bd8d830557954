"""`python -m noughts`: the command line."""

import sys

from noughts.cli import main

sys.exit(main())
