// One trick at a time: by its link, the arrow keys, or the numbers. Without it all are listed.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  const printer = document.getElementById("print");
  if (printer) printer.addEventListener("click", () => window.print());

  const opened = () => {
    const aim = location.hash && document.getElementById(location.hash.slice(1));
    const folded = aim && aim.closest("details");
    if (folded) { folded.open = true; aim.scrollIntoView({ block: "center" }); }
  };
  window.addEventListener("hashchange", opened);
  opened();

  const replay = document.getElementById("replay");
  if (!replay) return;
  const tricks = [...replay.querySelectorAll(".one-trick")];
  const links = [...replay.querySelectorAll(".jump a")];
  const all = document.getElementById("all");
  let now = 0;

  const show = (place) => {
    now = Math.max(0, Math.min(place, tricks.length - 1));
    tricks.forEach((trick, n) => trick.classList.toggle("now", n === now));
    const single = replay.classList.contains("one-at-a-time");
    links.forEach((link, n) => {
      if (single && n === now) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    });
  };
  const named = (hash) => tricks.findIndex((trick) => "#" + trick.id === hash);
  const one = (on) => {
    replay.classList.toggle("one-at-a-time", on);
    all.setAttribute("aria-pressed", String(!on));
    show(now);
  };

  replay.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#t']");
    const place = link ? named(link.getAttribute("href")) : -1;
    if (place < 0) return;
    event.preventDefault();
    history.replaceState(null, "", "#" + tricks[place].id);
    one(true);
    show(place);
    if (link.closest(".step")) {
      const again = tricks[place].querySelector(".step a[rel=" + link.rel + "]");
      (again || tricks[place]).focus({ preventScroll: true });
    }
  });
  replay.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || !replay.classList.contains("one-at-a-time")) return;
    event.preventDefault();
    show(now + step);
    tricks[now].focus({ preventScroll: true });
  });
  window.addEventListener("hashchange", () => {
    const place = named(location.hash);
    if (place >= 0) { one(true); show(place); tricks[place].scrollIntoView({ block: "nearest" }); }
  });
  all.addEventListener("click", () => one(!replay.classList.contains("one-at-a-time")));
  one(true);
  const contested = tricks.findIndex((trick) => trick.classList.contains("contested"));
  show(Math.max(0, named(location.hash), location.hash ? 0 : contested));
})();
