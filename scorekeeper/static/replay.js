// Opens what a link points to; goes from trick to trick by the arrow keys, and prints.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  const printer = document.getElementById("print");
  if (printer) printer.addEventListener("click", () => window.print());

  const aim = () => location.hash && document.getElementById(location.hash.slice(1));
  const replay = document.getElementById("replay");
  const mark = () => {
    const now = aim() && aim().closest(".one-trick") || replay?.querySelector(".one-trick.now");
    replay?.querySelectorAll(".play th a").forEach((link) => {
      if (now && link.hash === "#" + now.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    return now;
  };
  const opened = () => {
    mark();
    const folded = aim() && aim().closest("details");
    if (folded) { folded.open = true; aim().scrollIntoView({ block: "center" }); }
  };
  window.addEventListener("hashchange", opened);
  opened();

  // To look through the tricks leaves no steps behind to go back over.
  replay?.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#t']");
    if (!link) return;
    event.preventDefault();
    const way = link.closest(".step") && link.rel;
    location.replace(link.hash);
    mark();
    if (way) (aim().querySelector(`.step a[rel=${way}]`) || aim()).focus({ preventScroll: true });
  });
  replay?.addEventListener("keydown", (event) => {
    const way = { ArrowRight: "next", ArrowLeft: "prev" }[event.key];
    const link = way && mark()?.querySelector(`.step a[rel=${way}]`);
    if (!link) return;
    event.preventDefault();
    location.replace(link.hash);
    mark();
    aim().focus({ preventScroll: true });
  });
})();
