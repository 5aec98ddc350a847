// The strip above the table: what waits, and what this phone does not know.
//
//   strip.say(name, said, button, act)  a line; without words it goes away
//   strip.fill(said, facts)             a text with its facts in it
//   strip.words                         all texts of the scripts, as the page has them
const strip = (() => {
  const lines = document.getElementById("strip");
  const SETTLING = 300; // milliseconds in which a tap may be meant for what was there before

  const say = (name, said = "", button = "", act = null) => {
    let line = lines.querySelector(`[data-line="${name}"]`);
    if ((line?.dataset.said ?? "") === said) return; // to ask how high it is would take long
    const high = lines.offsetHeight;
    line?.remove();
    if (said) {
      line = document.createElement("p");
      Object.assign(line.dataset, { line: name, said });
      line.append(said);
      if (button) {
        const press = document.createElement("button");
        press.type = "button";
        press.className = "button quiet";
        press.textContent = button;
        press.addEventListener("click", act);
        line.append(press);
      }
      lines.append(line);
    }
    lines.hidden = !lines.childElementCount;
    if (lines.offsetHeight !== high) settle();
  };
  // What a thumb was about to tap has moved.
  const settle = () => {
    const table = document.getElementById("table");
    table.classList.add("settling");
    setTimeout(() => table.classList.remove("settling"), SETTLING);
  };
  const fill = (said, facts) => said.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

  return { say, fill, words: lines.dataset };
})();
