// The strip above the table: what waits, and what this phone does not know.
//
//   strip.say(name, said, button, act)  a line; without words it goes away
//   strip.fill(said, facts)             a text with its facts in it
//   strip.settle(moves)                 do what may move the pad under a thumb
//   strip.words                         all texts of the scripts, as the page has them
const strip = (() => {
  const lines = document.getElementById("strip");
  const SETTLING = 300; // milliseconds in which a tap may be meant for what was there before

  // Where the pad begins, and with what.
  const place = () => {
    const first = document.querySelector("#table .pad form");
    return first && first.dataset.step + Math.round(first.getBoundingClientRect().top);
  };
  // Whatever moves what a thumb was about to tap: the pad takes no tap for a moment, and shows it.
  let timer = 0;
  const settle = (moves) => {
    const before = place();
    moves();
    if (place() === before) return;
    const table = document.getElementById("table");
    table.classList.add("settling");
    clearTimeout(timer);
    timer = setTimeout(() => table.classList.remove("settling"), SETTLING);
  };

  const say = (name, said = "", button = "", act = null) => {
    const line = lines.querySelector(`[data-line="${name}"]`);
    if ((line?.dataset.said ?? "") === said) return; // to ask where the pad is would take long
    settle(() => draw(line, name, said, button, act));
  };
  const draw = (old, name, said, button, act) => {
    let line = null;
    if (said) {
      ear.say(said);
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
      if (!old) lines.append(line);
    }
    if (old && line) old.replaceWith(line); else old?.remove();
    lines.hidden = !lines.childElementCount;
  };
  const fill = (said, facts) => said.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

  return { say, fill, settle, words: lines.dataset };
})();
