// A second touch at the same place that meets another button than the first one did: the page has
// moved or changed in between, or is another page, and nobody meant that button. Of the same button
// both touches count; the key that its form carries sees to it that the same is done once.
(() => {
  const SOON = 350; // milliseconds from the first touch
  const NEAR = 24; // pixels from it

  // The page that comes after a touch has to know of it.
  const KEPT = "touched";
  const keep = (touch) => {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(touch));
    } catch {
      // a phone that keeps nothing has no page before this one
    }
    return touch;
  };
  const kept = () => {
    try {
      return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    } catch {
      return null;
    }
  };

  let last = kept();
  const button = (target) => {
    const found = target.closest?.("button, summary, a");
    if (!found) return null;
    const takesBack = found.form?.querySelector("[name=back]")?.value ?? "";
    return [found.name, found.value, found.textContent.trim(), takesBack].join("\n");
  };

  document.addEventListener("click", (event) => {
    const { clientX: x, clientY: y } = event;
    const at = performance.timeOrigin + event.timeStamp;
    const name = event.detail ? button(event.target) : null; // a key has no place
    const meant = !last || name === null || name === last.name
      || at - last.at > SOON || Math.hypot(x - last.x, y - last.y) > NEAR;
    if (meant) {
      last = keep(name === null ? null : { name, at, x, y });
    } else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
})();
