// What a phone at a card table needs: a screen that stays on while a hand is open, a tap that is
// felt, a lock against a pocket, and the worker that opens the last table without a network.
(() => {
  const root = () => document.getElementById("table");
  const { words } = strip;
  const chosen = document.documentElement.dataset;
  const FELT = 12; // milliseconds
  const LONG = 600; // milliseconds of a press that is meant

  // ----------------------------------------------------------------------------- wake lock
  let lock = null;
  let tapped = false;
  const playing = () => root().dataset.state === "open";
  const light = async () => {
    const wanted = tapped && !document.hidden && playing() && chosen.awake !== "no";
    if (!wanted) {
      lock?.release();
      lock = null;
    } else if ((!lock || lock.released) && navigator.wakeLock) {
      try { lock = await navigator.wakeLock.request("screen"); } catch { lock = null; }
    }
  };
  document.addEventListener("click", () => { tapped = true; light(); });
  document.addEventListener("visibilitychange", light);
  document.addEventListener("table:shown", light);
  window.addEventListener("pagehide", () => { lock?.release(); lock = null; });

  document.addEventListener("table:recorded", () => {
    if (chosen.vibrate !== "no" && tapped) navigator.vibrate?.(FELT);
  });

  // -------------------------------------------------------------------------------- pocket
  // A long press on the bar at the top; a long press anywhere, or a key, ends it.
  const cover = document.createElement("button");
  cover.type = "button";
  cover.id = "pocket";
  cover.textContent = words.pocket;
  let held = 0;
  const hold = (act) => () => {
    clearTimeout(held);
    held = setTimeout(act, LONG);
  };
  const unlock = () => cover.remove();
  const pocket = () => {
    document.body.append(cover);
    cover.focus();
  };
  const bar = document.querySelector("header.top");
  bar?.addEventListener("pointerdown", hold(pocket));
  bar?.addEventListener("contextmenu", (event) => event.preventDefault());
  bar?.addEventListener("click", (event) => { if (cover.isConnected) event.preventDefault(); });
  cover.addEventListener("pointerdown", hold(unlock));
  cover.addEventListener("contextmenu", (event) => event.preventDefault());
  cover.addEventListener("keydown", (event) => {
    event.preventDefault();
    if (event.key !== "Tab") unlock();
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    document.addEventListener(end, () => clearTimeout(held));
  }

  // -------------------------------------------------------------------------------- worker
  // At the first visit the page and its files came before the worker, which is told of them.
  const work = async () => {
    const first = !navigator.serviceWorker.controller;
    await navigator.serviceWorker.register(words.worker);
    if (!first) return;
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map((one) => one.name);
    active.postMessage({ page: location.pathname, files });
  };
  if (window.isSecureContext && navigator.serviceWorker) {
    window.addEventListener("load", () => work().catch(() => {}));
  }
})();
