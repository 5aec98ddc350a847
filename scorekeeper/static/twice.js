// A second touch at the same place that meets another button than the first one did: the page has
// moved or changed in between, and nobody meant that button. Of the same button both touches count;
// the key that its form carries sees to it that the same is done once.
(() => {
  const SOON = 350; // milliseconds from the first touch
  const NEAR = 24; // pixels from it

  let last = null;
  const button = (target) => {
    const found = target.closest?.("button, summary, a");
    if (!found) return null;
    const takesBack = found.form?.querySelector("[name=back]")?.value ?? "";
    return [found.name, found.value, found.textContent.trim(), takesBack].join("\n");
  };

  document.addEventListener("click", (event) => {
    const { timeStamp: at, clientX: x, clientY: y } = event;
    const name = event.detail ? button(event.target) : null; // a key has no place
    const meant = !last || name === null || name === last.name
      || at - last.at > SOON || Math.hypot(x - last.x, y - last.y) > NEAR;
    if (meant) {
      last = name === null ? null : { name, at, x, y };
    } else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
})();
