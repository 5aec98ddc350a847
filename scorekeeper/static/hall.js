// The screen of a hall: shows one page after the other, and each change at once. The clock counts
// down between two answers; each answer names the time of the server, so that all screens agree.
"use strict";
(() => {
  const SHOWN = 12_000; // milliseconds of one page
  const EVERY = 500; // milliseconds between two questions
  const OLD = 10_000; // milliseconds without an answer after which the screen says so
  const LAST_MINUTES = 5; // in which the clock is red

  const hall = () => document.getElementById("hall");
  let ahead = 0; // milliseconds by which the server's clock is ahead of this one
  let fastest = Infinity; // the shortest way of an answer, from which `ahead` is
  let etag = "";
  let turned = performance.now();
  let answered = performance.now();

  // Of the answers of a minute the fastest one knows best what time it is.
  const correct = (now, asked) => {
    const way = performance.now() - asked;
    fastest += 5;
    if (isNaN(now) || way > fastest) return;
    fastest = way;
    ahead = now + way / 2 - Date.now();
  };

  const left = () => {
    const { ends, left: kept } = hall().dataset;
    if (ends) return Math.max(0, Math.ceil((Date.parse(ends) - Date.now() - ahead) / 1000));
    return kept === undefined ? null : Number(kept);
  };
  const tick = () => {
    const seconds = left();
    if (seconds !== null) {
      const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      for (const clock of document.querySelectorAll("[data-clock]")) {
        if (clock.textContent !== text) clock.textContent = text;
        clock.classList.toggle("last", seconds <= LAST_MINUTES * 60);
      }
    }
    const away = performance.now() - answered > OLD;
    let line = document.querySelector(".away");
    if (away && !line) {
      line = document.createElement("p");
      line.className = "away";
      line.textContent = hall().dataset.away;
      document.body.append(line);
    } else if (!away) line?.remove();
  };

  const ask = async () => {
    const { here, next } = hall().dataset;
    const turns = performance.now() - turned >= SHOWN;
    const asked = performance.now();
    try {
      const answer = await fetch(turns ? next : here, { cache: "no-cache", signal: AbortSignal.timeout(OLD) });
      if (answer.status === 404) return location.reload(); // the address has ended
      if (answer.ok) {
        answered = performance.now();
        correct(Date.parse(answer.headers.get("X-Now")), asked);
        const tag = answer.headers.get("ETag");
        if (turns) turned = answered;
        if (tag !== etag || turns) show(await answer.text());
        etag = tag;
      }
    } catch { /* away: the clock goes on, and a line says so */ }
    setTimeout(ask, EVERY);
  };
  const show = (text) => {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const next = fresh.getElementById("hall");
    if (!next) return;
    document.title = fresh.title;
    hall().replaceWith(next);
    tick();
  };

  tick();
  setInterval(tick, 100);
  ask();
})();
