// A second touch at the same place that meets another control than the first one did: the page has
// moved or changed in between, or is another page, and nobody meant that control. Of the same one
// both touches count, and the key that its form carries lets the same be done once. At the table a
// second touch on what sends a form is ignored: it would be another entry, as a bid of the next
// player, or take back another one. Only tricks and cards are tapped so fast. After typing, or after
// the browser refused the form, a touch is the first one again.
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
  const FAST = "[data-step=trick_taken], [data-step=card_played]";
  const sends = (target) => {
    const touched = target.closest("button, label, input");
    const form = (touched?.control ?? touched)?.form;
    if (!form?.closest("#table") || form.matches(FAST)) return false;
    return touched.matches("button") ? touched.type === "submit"
      : form.matches("[data-auto]") && !target.closest("[data-high]");
  };
  const control = (target) => {
    const touched = target.closest?.("button, summary, a, label, input");
    const found = touched?.control ?? touched; // a label and its input are one control
    if (!found) return null;
    const step = found.form?.dataset.step ?? "";
    return [step, found.name, found.value, found.textContent.trim()].join("\n");
  };

  let handedOn = null; // the field to which a label hands on the touch that it got
  document.addEventListener("click", (event) => {
    if (event.target === handedOn) {
      handedOn = null;
      return;
    }
    const { clientX: x, clientY: y } = event;
    const at = performance.timeOrigin + event.timeStamp;
    const name = event.detail ? control(event.target) : null; // a key has no place
    const meant = !last || name === null || (name === last.name && !sends(event.target))
      || at - last.at > SOON || Math.hypot(x - last.x, y - last.y) > NEAR;
    if (meant) {
      last = keep(name === null ? null : { name, at, x, y });
      const field = event.target.closest?.("label")?.control;
      handedOn = field === event.target ? null : field;
    } else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
  const forget = () => { last = keep(null); };
  document.addEventListener("input", ({ inputType }) => { if (inputType) forget(); }, true);
  document.addEventListener("invalid", forget, true);
})();
