// What is amiss in the layout of a page: beyond the window, cut off, out of its control, over
// something else. What scrolls in a box of its own, and names that end in an ellipsis, are not.
() => {
  const found = new Set();
  const root = document.documentElement;
  const styles = new Map();
  const style = (one) => styles.get(one) || styles.set(one, getComputedStyle(one)).get(one);
  const path = (one) => {
    const names = [];
    for (let at = one; at && at !== document.body && names.length < 3; at = at.parentElement)
      names.unshift([at.localName, ...at.classList].join("."));
    return names.join(" > ");
  };
  const say = (what, one, ...more) => found.add([what, path(one), ...more].join(": "));
  const scrolls = (value) => value === "auto" || value === "scroll";

  // The part of the window in which an element can be seen, and the box that it scrolls in.
  const windows = new Map();
  const seenIn = (one) => {
    if (!one || one === document.body || one === root)
      return { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
    if (windows.has(one)) return windows.get(one);
    let around = one.parentElement;
    if (style(one).position === "absolute")
      while (around && around !== root && style(around).position === "static"
        && style(around).transform === "none") around = around.parentElement;
    const at = { ...seenIn(around) };
    const box = one.getBoundingClientRect(), mine = style(one);
    if (!["contents", "inline"].includes(mine.display)) {
      if (mine.overflowX !== "visible") {
        Object.assign(at, { left: Math.max(at.left, box.left), right: Math.min(at.right, box.right) });
        if (scrolls(mine.overflowX)) at.scroller = one;
        else if (mine.textOverflow === "ellipsis" || mine.webkitLineClamp !== "none") at.ends = one;
      }
      if (mine.overflowY !== "visible")
        Object.assign(at, { top: Math.max(at.top, box.top), bottom: Math.min(at.bottom, box.bottom) });
    }
    at.hidden = at.hidden || mine.clipPath !== "none";
    at.layer = ["sticky", "fixed"].includes(mine.position) || one.matches(".sheet-up") ? one : at.layer;
    windows.set(one, at);
    return at;
  };

  const wide = root.scrollWidth - root.clientWidth;
  if (wide > 0) say("the page is too wide", document.body, wide);
  const high = root.scrollHeight - root.clientHeight;
  if (document.querySelector(".table-page") && high > 0) say("the table scrolls", document.body, high);

  // Boxes that scroll sideways can be reached by keys, and say what they are.
  for (const one of document.querySelectorAll("body *")) {
    if (!scrolls(style(one).overflowX) || one.scrollWidth <= one.clientWidth + 1) continue;
    if (one.matches("textarea, input, .session-nav") || !one.checkVisibility()) continue;
    if (one.tabIndex !== 0 || !(one.matches("pre") || one.ariaLabel))
      say("scrolls sideways", one, one.scrollWidth - one.clientWidth);
  }

  const texts = [];
  const letters = ["--sans", "--serif", "--mono"]
    .map((name) => style(root).getPropertyValue(name).trim());
  const controls = "button, .button, .tap, .pick > span, .segment label, .card, .mark, .chip, .zone,"
    + " .levels a, .session-nav a, .jump a, .bar a, summary, td, th";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || one.closest("script, title, desc, option, textarea, noscript, .skip"))
      continue;
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const within = seenIn(one);
    if (within.hidden) continue;
    if (!letters.includes(style(one).fontFamily)) say("other letters", one);
    const range = document.createRange();
    range.selectNodeContents(node);
    const says = node.data.trim().slice(0, 24);
    for (const box of range.getClientRects()) {
      const left = Math.max(box.left, within.left), right = Math.min(box.right, within.right);
      const top = Math.max(box.top, within.top), bottom = Math.min(box.bottom, within.bottom);
      if (box.width < 1) continue;
      if (!within.scroller || !within.scroller.matches(".box, pre, textarea, .session-nav")) {
        const name = one.closest("bdi, small, .who") && (within.ends || one.closest(".totals"));
        if (!name && (box.right > within.right + 1.5 || box.left < within.left - 1.5))
          say("cut off", one, says);
        else if (right > left && (right > root.clientWidth + 1 || left < -1))
          say("beyond the window", one, says);
      }
      if (right - left <= 2 || bottom - top <= 2) continue;
      const control = one.closest(controls);
      if (control && style(control).display !== "inline") {
        const edge = control.getBoundingClientRect();
        // Letters are less high than their line, whichever way that runs.
        const [aside, over] = style(one).writingMode === "horizontal-tb" ? [1.5, 5] : [5, 1.5];
        if (right > edge.right + aside || left < edge.left - aside || bottom > edge.bottom + over
          || top < edge.top - over) say("out of its control", one, says);
      }
      texts.push({ node, one, says, layer: within.layer, left, right, top, bottom });
    }
  }

  // Texts that lie over one another, by more than the air around their letters.
  texts.sort((a, b) => a.top - b.top);
  texts.forEach((a, place) => {
    for (let n = place + 1; n < texts.length && texts[n].top < a.bottom; n++) {
      const b = texts[n];
      if (a.node === b.node || a.layer !== b.layer) continue;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - b.top;
      const least = Math.min(a.bottom - a.top, b.bottom - b.top);
      if (width > 6 && height > 0.35 * least && height > 6) say("one over another", a.one, a.says, b.says);
    }
  });
  return [...found];
}
