// The name that is chosen in a list, in full below it where the list is too narrow for it. Who is
// read to hears all of it anyway.
"use strict";
(() => {
  const ARROW = 32; // pixels
  const pen = document.createElement("canvas").getContext("2d");
  const lists = [...document.querySelectorAll("select")].map((list) => {
    const whole = document.createElement("p");
    whole.className = "soft chosen";
    whole.dir = "auto";
    whole.ariaHidden = "true";
    list.after(whole);
    return { list, whole };
  });
  const show = () => {
    for (const { list, whole } of lists) {
      const { font, paddingLeft } = getComputedStyle(list);
      pen.font = font;
      const name = list.selectedOptions[0]?.textContent ?? "";
      const room = list.clientWidth - parseFloat(paddingLeft) - ARROW;
      whole.hidden = pen.measureText(name).width <= room;
      whole.textContent = whole.hidden ? "" : name;
    }
  };
  document.addEventListener("change", show);
  window.addEventListener("resize", show);
  window.addEventListener("pageshow", show);
  show();
})();
