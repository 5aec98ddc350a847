// Opens a hand that a link points to, all hands at once, and prints.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  const hands = () => document.querySelectorAll(".why > td > details");

  const openTarget = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const hand = target && target.querySelector(".why details");
    if (hand) hand.open = true;
  };
  window.addEventListener("hashchange", openTarget);
  openTarget();

  const all = document.getElementById("open-all");
  all.addEventListener("click", () => {
    const open = [...hands()].some((hand) => !hand.open);
    hands().forEach((hand) => { hand.open = open; });
    all.textContent = open ? all.dataset.close : all.dataset.open;
  });
  document.getElementById("print").addEventListener("click", () => window.print());
})();
