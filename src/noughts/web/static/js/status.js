// What the server is doing, said honestly and only while somebody looks.

import { api, pause, whenAwaiting } from "./api.js";

const [IDLE, AT_WORK] = [1500, 500]; // ms between two looks

/**
 * Show what is being prepared, and tell it to whoever waits for it: soon when somebody begins to wait.
 * @param {HTMLElement} line
 */
export async function watchStatus(line) {
  for (;;) {
    const status = document.hidden ? null : await api.status().catch(() => undefined);
    if (status !== null) {
      line.hidden = Boolean(status) && status.ready && status.preparing.length === 0;
      line.textContent = status ? status.message : "The server does not answer.";
      document.dispatchEvent(new CustomEvent("preparing", { detail: status?.preparing ?? [] }));
    }
    await Promise.race([pause(line.hidden ? IDLE : AT_WORK), whenAwaiting()]);
  }
}
