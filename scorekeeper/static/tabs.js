// The tab of the present page comes into view, and so does a focused one, which a browser leaves
// where it is if a part of it is seen.
"use strict";
(() => {
  const bar = document.querySelector(".session-nav");
  const reveal = (tab) => {
    if (tab) bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - 40;
  };
  reveal(bar?.querySelector("[aria-current]"));
  bar?.addEventListener("focusin", (event) => reveal(event.target));
})();
