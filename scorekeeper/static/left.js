// Where a key opens nothing any more: whether entries still wait on this phone.
(() => {
  "use strict";
  const told = document.getElementById("left");
  try {
    told.hidden = !localStorage.getItem(`outbox:${told.dataset.session}`);
  } catch { /* nothing is kept here */ }
})();
