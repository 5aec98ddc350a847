// Follows a club: when one of its evenings goes on, or something is recorded in it, the table is
// drawn anew. A stream tells; where there is none, a small question now and then does.
"use strict";
(() => {
  const ASK = 10_000; // milliseconds between two questions where there is no stream
  const here = () => document.getElementById("followed");
  const { at, stream, table } = here().dataset;
  let source = null;
  let timer = 0;

  const show = async () => {
    try {
      const answer = await fetch(at, { cache: "no-store" });
      if (!answer.ok) return;
      const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("followed");
      if (!next) return;
      const focused = here().contains(document.activeElement) && document.activeElement.getAttribute("href");
      here().replaceWith(next);
      if (focused) next.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    } catch { /* away: the next word of the stream asks again */ }
  };
  const heard = (tag) => {
    if (tag && tag !== here().dataset.tag && !document.hidden) show();
  };
  const ask = async () => {
    clearTimeout(timer);
    if (document.hidden || source) return;
    try {
      const known = `"${here().dataset.tag}"`;
      const answer = await fetch(table, { method: "HEAD", headers: { "If-None-Match": known }, cache: "no-store" });
      if (answer.ok) heard(answer.headers.get("ETag")?.replace("W/", "").replaceAll(`"`, ""));
    } catch { /* away */ }
    timer = setTimeout(ask, ASK);
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const open = () => {
    close();
    if (document.hidden) return;
    source = new EventSource(stream);
    source.onmessage = ({ data }) => heard(JSON.parse(data).tag);
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      ask();
    };
  };
  document.addEventListener("visibilitychange", open);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) open(); });
  open();
})();
