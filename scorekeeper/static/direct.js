// The director's page: the clock runs, and minutes and order are those of the server once a minute.
let shown = null;
let until = 0;
setInterval(() => {
  const clock = document.querySelector("[data-seconds]");
  if (!clock) return;
  if (clock !== shown) {
    shown = clock;
    until = performance.now() + clock.dataset.seconds * 1000;
  }
  const left = Math.max(0, Math.round((until - performance.now()) / 1000));
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}, 500);
setInterval(() => { if (!document.hidden) show(); }, 60_000);
