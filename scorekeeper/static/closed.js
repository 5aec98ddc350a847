// What becomes of a table on this phone once its key opens nothing any more: no page of it is kept.
// What the log was at its end is, as two figures: whoever takes keys back could else rewrite it
// unseen. What waits here was never on record: it is shown, and goes out by a new key or is thrown
// away.
const keyGone = (() => {
  const LAST = "last-table";
  const PAGES = "pages";
  const CLOSED = [401, 403];

  const forget = async (session) => {
    try {
      if (localStorage.getItem(LAST)?.includes(session)) localStorage.removeItem(LAST);
    } catch { /* nothing is kept here */ }
    try { await (await caches.open(PAGES)).delete(`/t/${session}`); } catch { /* nor here */ }
  };

  // A page that the browser took out of its memory, as by a step back, is asked for again.
  const again = async ({ persisted }) => {
    const [visit] = performance.getEntriesByType("navigation");
    if (!persisted && visit?.type !== "back_forward") return;
    try {
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
      if (CLOSED.includes(answer.status)) location.reload();
    } catch { /* away: nobody can tell */ }
  };
  if (!document.querySelector("#table, #left")) window.addEventListener("pageshow", again);

  // The page that says that the key opens nothing.
  const left = document.getElementById("left");
  const waiting = (store) => {
    try { return JSON.parse(localStorage.getItem(store)) ?? []; } catch { return []; }
  };
  const draw = (store) => {
    const all = waiting(store);
    left.hidden = !all.length;
    left.querySelector("ol").replaceChildren(...all.map(({ said }) => {
      const line = document.createElement("li");
      line.append(document.createElement("bdi"));
      line.firstChild.textContent = said;
      return line;
    }));
  };
  if (left) {
    const { session } = left.dataset;
    const store = `outbox:${session}`;
    forget(session);
    draw(store);
    left.querySelector("button").addEventListener("click", () => {
      localStorage.removeItem(store);
      draw(store);
    });
  }
  return { forget, is: (status) => CLOSED.includes(status) };
})();
