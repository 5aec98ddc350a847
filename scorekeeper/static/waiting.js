// The pad while entries wait: it goes on, as far as this phone can know how.
const waiting = (() => {
  const { say, fill, words } = strip;
  const SLOW = 400; // milliseconds after which waiting is shown,
  const LONG = 1000; //   and after which it is told
  const PLAYS = "[data-step=trick_taken], [data-step=card_played]";
  // Taps of which the next need not wait for the answer to the one before.
  const QUICK = `.undo, ${PLAYS}`;

  const isPart = (name) => /^(\d+\.)?(fixed|with)/.test(name);
  const inputs = () => [...document.querySelectorAll("#table input, #table button[value]")];
  const cardsOf = (item) => item.fields
    .filter(([name, value]) => isPart(name) && /"cards?":/.test(value)).map(([, value]) => value);
  const show = (item, seen) => inputs().filter((one) => cardsOf(item).includes(one.value))
    .forEach((one) => { one.disabled = seen; });
  const unput = (item) => { show(item, false); turn(); recount(); };
  // The pad as it is without an answer: what was chosen is let go, a card that was played fades,
  // and the seat moves on.
  const put = (item, form) => {
    const focused = form?.contains(document.activeElement);
    if (form?.isConnected) {
      form.reset();
      form.querySelectorAll("[data-filled]").forEach((one) => delete one.dataset.filled);
    }
    show(item, true);
    turn();
    if (focused && document.activeElement.disabled !== false) {
      form.querySelector("button:enabled")?.focus({ preventScroll: true });
    }
  };

  // Tricks that were sent are ticked off before they are on record; of the last trick of a hand no
  // tap makes two.
  let sent = []; // who took each
  const isTrick = ({ fields }) => fields.some(([, value]) => value === "trick_taken");
  const winner = ({ fields }) =>
    fields.map(([, value]) => /^\{"player":"(.+)"\}$/.exec(value)?.[1]).find(Boolean);
  const tick = () => {
    const strip = document.querySelector("#table .tricks");
    const free = [...strip?.querySelectorAll("li:not(.won)") ?? []];
    const marks = JSON.parse(strip?.dataset.marks ?? "{}");
    free.forEach((one, place) => {
      one.classList.toggle("sent", place < sent.length);
      one.querySelector("b").textContent = marks[sent[place]] ?? "";
    });
    const full = sent.length > 0 && sent.length >= free.length && outbox.sending();
    document.getElementById("table").classList.toggle("full", full);
  };
  const recount = () => {
    sent = outbox.all().filter(isTrick).map(winner);
    tick();
  };

  // Whose card is next, after those that were sent. Who leads to the next trick, this phone cannot
  // know: the server does, by then.
  const turn = () => {
    const form = document.querySelector("#table form.card_played");
    const seats = [...form?.querySelectorAll("[data-group=player] input[type=radio]") ?? []];
    if (!seats.length) return;
    form.dataset.turn ??= seats.findIndex((one) => one.defaultChecked);
    let next = Number(form.dataset.turn);
    let lying = form.querySelector(".lying.won") ? 0 : form.querySelectorAll(".lying .card").length;
    for (const { fields } of outbox.all()) {
      if (!fields.some(([, value]) => value === "card_played")) continue;
      const said = seats.findIndex((one) => fields.some(([, value]) => value === one.value));
      const by = said < 0 ? next : said;
      lying += 1;
      next = by < 0 || lying % seats.length === 0 ? -1 : (by + 1) % seats.length;
    }
    seats.forEach((one, place) => {
      one.checked = one.defaultChecked = place === next; // chosen by nobody
    });
  };

  // In words: the title of the form, and what was chosen in it; a card says enough.
  const wording = (form, told) => {
    const text = (one) => {
      const named = one.cloneNode(true);
      // The card that a player played before, and a name that is drawn in parts.
      for (const drawn of named.querySelectorAll(".lying, .apart > [aria-hidden]")) drawn.remove();
      return named.getAttribute("aria-label")
        ?? named.querySelector("[aria-label]")?.getAttribute("aria-label") ?? named.textContent;
    };
    const chosen = told.filter(([name, value]) => value && /^(\d+\.)?(with|n|t)/.test(name))
      .map(([name, value]) => {
        const all = [...form.elements].filter((one) => one.name === name);
        const one = all.find((other) => other.value === value);
        if (!one) return value;
        const label = one.labels?.[0] ?? one;
        return /text|number/.test(one.type) ? `${text(label)} ${value}` : text(label);
      });
    const title = form.querySelector("h2, h3, button span, button bdi, button")?.textContent ?? "";
    const tidy = (one) => one.trim().replace(/[ \n]+/g, " "); // a French space before a question mark stays
    const words = chosen.map(tidy).filter(Boolean).join(", ");
    return [form.matches(".card_played") ? "" : tidy(title), words].filter(Boolean).join(" · ");
  };

  // What an Undo takes back: the last entry that waits, or the one that the page names.
  const undoing = (form) => {
    const last = outbox.all().at(-1)?.said ?? form.querySelector("small:not(.waits)")?.textContent.trim();
    return [form.querySelector("button span").textContent, last].filter(Boolean).join(" · ");
  };

  // A form of the table: undone here where it was never sent, else sent, or kept.
  const take = async ({ url, body, form }) => {
    const here = document.getElementById("table");
    if (here.getAttribute("aria-busy")) return;
    // An Undo that waits takes back one entry; a second tap would mean one that the page never named.
    if (form.matches(".undo") && (outbox.all().at(-1)?.url === form.action || outbox.undo())) return;
    // Behind an entry that is under way Undo takes back that one, which the page cannot name yet.
    const told = [...body].filter(([name]) => name !== "back" || !outbox.waiting());
    if (!form.matches(QUICK)) here.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => here.classList.add("slow"), SLOW);
    if (isTrick({ fields: told })) sent.push(winner({ fields: told }));
    const words = form.matches(".undo") ? undoing(form) : wording(form, told);
    const answered = outbox.post(url, told, words, form);
    if (form.matches(QUICK)) put({ fields: told }, form);
    let answer = null;
    try {
      answer = await answered;
    } finally {
      clearTimeout(slow);
      here.classList.remove("slow");
      // Once answered, a form stays spent until the new page is shown: while a second touch is on
      // the glass, the old page stays, and the touch would send the form again under a new key.
      const spent = answer && !form.matches(PLAYS);
      if (spent) here.setAttribute("aria-busy", "true");
      else here.removeAttribute("aria-busy");
    }
    if (answer) table.show(answer.html);
    announce("table:recorded");
  };

  // Undo names the entry that it would take back: the last that waits, once it is told as waiting.
  const nameUndo = (words) => {
    const button = document.querySelector("#table .undo button");
    if (!button) return;
    const waits = outbox.waiting() > 0;
    button.disabled = !waits && !button.form.elements.back;
    button.classList.toggle("unsure-of", waits);
    button.querySelector(".waits")?.remove();
    if (!words) return;
    const named = document.createElement("small");
    named.className = "waits";
    named.textContent = words;
    button.append(named);
  };

  // What is answered in a moment is not told as waiting.
  let timer = 0;
  const draw = () => {
    const all = outbox.alone();
    clearTimeout(timer);
    const long = !navigator.onLine || all.some((one) => Date.now() - (one.at ?? 0) >= LONG);
    const told = all.length && long ? fill(words.waiting, { n: all.length, said: all.at(-1).said }) : "";
    if (all.length && !long) timer = setTimeout(draw, LONG);
    else say("waiting", told);
    nameUndo(told);
    say("unkept", outbox.kept() || !all.length ? "" : words.unkept);
    document.querySelector("#table .up-next")?.classList.toggle("unsure", all.length > 0);
    tick();
  };
  const again = () => {
    outbox.all().forEach((item) => show(item, true));
    if (outbox.all().length) turn();
    recount();
    draw();
  };

  document.addEventListener("outbox:changed", draw);
  document.addEventListener("outbox:kept", ({ detail }) => {
    if (!detail.form?.matches(QUICK)) put(detail.item, detail.form);
  });
  document.addEventListener("outbox:dropped", ({ detail }) => unput(detail));
  document.addEventListener("table:shown", again);
  document.addEventListener("DOMContentLoaded", again);
  return { take };
})();
