// The table: a step is sent as soon as it is whole, and the answer takes the place of what was.
const table = (() => {
  document.documentElement.classList.add("scripted");
  // The phone keeps the level of detail that its address named; one that is tapped later counts.
  const address = new URL(location.href);
  address.searchParams.delete("level");
  if (address.href !== location.href) history.replaceState(history.state, "", address);
  const SLOW = 400; // milliseconds after which waiting shows,
  const LIFTED = 300; //   and in which a lifted thumb becomes a click
  const MANY = 5; // chips beside which a number is seldom typed
  const FEW = 24; // numbers of which each has a key
  // Where there is room beside the pad, the log and the count of a hand stay open.
  const ASIDE = ".bar .log, .counted";
  const UNFOLDED = ".pad details[open]:not([name])";
  const isSent = (one) => one.querySelector("[data-sent]") ?? one.closest("[data-sent]");
  const named = (one) => one.querySelector("summary").textContent.trim();
  const WIDE = matchMedia("(min-width: 62rem)");
  const SHOWN = [200, 403, 409, 412, 422];
  const here = () => document.getElementById("table");
  let byArrow = false;

  // ---------------------------------------------------------------- sending and showing

  const fields = (form, button) => {
    const data = new FormData(form);
    if (button && button.name) data.append(button.name, button.value);
    return new URLSearchParams(data);
  };

  const send = (form, button) => {
    button?.classList.add("pressed");
    // Not every browser focuses what is tapped; the next question is found from there.
    if (!here().contains(document.activeElement)) (button ?? form.querySelector(":checked"))?.focus({ preventScroll: true });
    form.dataset.sent = "1";
    waiting.take({ url: form.action, body: fields(form, button), form });
  };

  const ask = async (url) => {
    const table = here();
    if (table.getAttribute("aria-busy")) return;
    table.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => table.classList.add("slow"), SLOW);
    try {
      const answer = await fetch(url, { headers: { "X-Fragment": "1", "X-Shown": version() } });
      if (!SHOWN.includes(answer.status)) throw new Error(String(answer.status));
      show(await answer.text());
    } catch {
      ear.say(table.dataset.failed);
      table.classList.add("failed");
    } finally {
      clearTimeout(slow);
      table.removeAttribute("aria-busy");
      table.classList.remove("slow");
    }
  };

  // What the pad begins with: a step, and at the start of a hand whose deal it is.
  const first = (table) => {
    const form = table.querySelector(".pad form");
    return form && form.dataset.step + (form.elements.dealer?.value ?? "");
  };

  // Whatever comes or goes above what is about to be tapped, that keeps its place.
  const begins = (table) => table.querySelector(".pad form")?.getBoundingClientRect().top ?? 0;
  const hold = (table, was, room) => {
    const pad = table.querySelector(".pad");
    if (!pad) return;
    // But the question is never hidden behind what stands above the pad.
    const free = Math.max(0, begins(table) - pad.getBoundingClientRect().top);
    pad.scrollTop += Math.min(begins(table) - was, free);
    if (room && begins(table) < was) table.classList.add("roomy");
  };

  const figures = (table) => [...table.querySelectorAll(".totals .figure")];

  const focused = (table) => {
    const one = document.activeElement;
    if (!table.contains(one)) return null;
    return { ...known(one), pad: !!one.closest(".pad"), sent: !!one.closest("[data-sent]") };
  };
  const isThere = (one) => one.type !== "hidden" && !one.disabled && one.checkVisibility();
  // What a control is known by on the next page; a link or a summary by its words.
  const known = (one) => ({
    step: one.closest("form")?.dataset.step, name: one.name, value: one.value,
    words: one.matches("a, summary") ? one.textContent : "",
  });

  const refocus = (table, before) => {
    const notice = table.querySelector("#notice");
    if (notice) {
      notice.focus({ preventScroll: true });
      notice.scrollIntoView({ block: "nearest" });
    } else if (before) {
      const { pad, sent, ...mark } = before;
      const is = (one) => Object.entries(known(one)).every(([name, value]) => value === mark[name]);
      const same = [...table.querySelectorAll("button, input:not([type=hidden]), a, summary")].find(is);
      // After an entry the first question is next, whichever it was that was answered.
      const asked = table.querySelector(".pad form");
      const first = pad && [...table.querySelectorAll(".pad .step :is(button, input, summary)")].find(isThere);
      // After the last entry of a hand, and after it is accepted, what is next is the next hand.
      const shut = table.querySelector(".next-hand:not([open]) > summary");
      const again = sent && pad && same?.closest("form") !== asked ? null : same;
      [pad && shut, again, shut, first].find((one) => one && isThere(one))?.focus({ preventScroll: true });
    }
  };

  // Phones show a press late, and take it off as soon as the thumb is lifted. What sends stays pressed
  // until the page is shown anew.
  const PRESSED = 150; // milliseconds
  const PRESSABLE = "button, .pick, summary, a";
  const release = () => document.querySelectorAll(".pressed").forEach((one) => {
    if (!one.closest("[aria-busy]")) one.classList.remove("pressed");
  });
  document.addEventListener("pointerdown", ({ target }) => {
    const one = target.closest(`#table :is(${PRESSABLE})`);
    if (one && !one.matches(":disabled, :has(:disabled)")) one.classList.add("pressed");
  }, true);
  document.addEventListener("pointerup", () => setTimeout(release, PRESSED), true);
  document.addEventListener("pointercancel", release, true);
  document.addEventListener("table:recorded", release);

  // As long as a thumb is on the glass, nothing takes the place of what it is on.
  let touched = false, later = [], lifting = 0;
  const lift = () => {
    touched = false;
    later.splice(0).forEach(([html, how]) => show(html, how));
  };
  document.addEventListener("pointerdown", () => { clearTimeout(lifting); touched = true; }, true);
  for (const [name, soon] of [["pointerup", LIFTED], ["pointercancel", 0], ["click", 0]]) {
    document.addEventListener(name, () => {
      clearTimeout(lifting);
      lifting = setTimeout(lift, soon);
    }, true);
  }

  // With what was open in it; what was asked for at a version no longer shown is too old.
  const show = (html, how = {}) => {
    if (touched) later.push([html, how]);
    else if ((how.at ?? version()) === version()) strip.settle(() => replace(html));
  };
  const replace = (html) => {
    const now = here();
    const next = new DOMParser().parseFromString(html, "text/html").getElementById("table");
    if (!next) { location.reload(); return; }
    const before = focused(now), scores = figures(now).map((one) => one.textContent);
    const open = [...now.querySelectorAll(".bar details[open]")];
    // A question that was opened beside the first one is closed by its answer, unless that is refused.
    const answered = (one) => one.matches(".nearby") && isSent(one) && !next.querySelector("#notice");
    const kept = [...now.querySelectorAll("[data-keep][open]")]
      .filter((one) => !answered(one)).map((one) => one.dataset.keep);
    const unfolded = new Set([...now.querySelectorAll(UNFOLDED)].filter((one) => !isSent(one)).map(named));
    const stays = first(now) === first(next), was = begins(now);
    const down = [".stage", ...(stays ? [".pad"] : [])]
      .map((name) => [name, now.querySelector(name)?.scrollTop]);
    now.replaceWith(next);
    down.forEach(([name, top]) => { if (top) next.querySelector(name).scrollTop = top; });
    // A notice takes its room above the pad, and gives it back; until it is read nothing is tapped.
    if (stays && !next.querySelector("#notice")) hold(next, was, now.matches(".roomy, :has(.to-do)"));
    open.forEach((one) => {
      const again = next.querySelector(`.bar details.${one.className}`);
      if (one.dataset.from) again.lastElementChild.replaceWith(one.lastElementChild); // until it comes
      again.open = true;
    });
    next.querySelectorAll("[data-keep]").forEach((one) => { one.open ||= kept.includes(one.dataset.keep); });
    next.querySelectorAll(".pad details:not([name])").forEach((one) => { one.open ||= unfolded.has(named(one)); });
    figures(next).forEach((one, place) => {
      one.classList.toggle("changed", place in scores && one.textContent !== scores[place]);
    });
    prepare(next);
    refocus(next, before);
    hear(now, next);
    announce("table:shown");
  };

  // What was recorded, and what is now called to the whole table. A notice is an alert, and read as such.
  const called = (table) => [...table.querySelectorAll(".loud")].map((one) => one.textContent);
  const hear = (now, next) => {
    const before = called(now);
    const loud = called(next).filter((one) => !before.includes(one));
    ear.say([next.dataset.said, ...loud].filter(Boolean).join(" "));
    delete next.dataset.said; // the page is stored, and shown again
    const notice = next.querySelector("#notice");
    if (notice) speech.speak(notice.textContent);
  };

  const version = () => Number(here().dataset.version);

  // The log is fetched when it is opened; without a network what stands there stays.
  const tell = async (log) => {
    const answer = await fetch(log.dataset.from, { headers: { "X-Fragment": "1" } }).catch(() => null);
    if (!answer?.ok || !log.isConnected) return;
    const { body } = new DOMParser().parseFromString(await answer.text(), "text/html");
    log.lastElementChild.replaceChildren(...body.childNodes);
    announce("log:shown");
  };

  // --------------------------------------------------------------------- whole or not

  // A field that counts parts of a point takes 40.5, 40,5, 40½ and 40 1/2.
  const GLYPHS = { "½": " 1/2", "⅓": " 1/3", "⅔": " 2/3", "¼": " 1/4", "¾": " 3/4" };
  const points = (text) => {
    const typed = text.replace(/[½⅓⅔¼¾]/, (sign) => GLYPHS[sign]).replace(",", ".").trim();
    const [, sign, whole, above, below] = typed.match(/^([-+]?)(\d{0,16}(?:\.\d{0,16})?)(?: ?\b(\d{1,4})\/(\d{1,2}))?$/) ?? [, "", NaN];
    return (sign === "-" ? -1 : 1) * (Number(whole) + (below ? above / below : 0));
  };
  const value = ({ value: typed, dataset }) => {
    const text = typed.trim().replace("−", "-");
    if (text === "") return null;
    return dataset.parts ? points(text) : Number(text);
  };
  const inParts = (n, parts) => Math.abs(n * parts - Math.round(n * parts)) < 1e-6;
  // Halves are written like those that were typed: ½ as on our keys, unless somebody typed decimals.
  const shown = (n, parts, decimal) => {
    const rest = Math.round((n % 1) * parts);
    if (!parts || !rest) return String(Math.round(n));
    if (parts === "2" && !decimal) return `${Math.trunc(n) || ""}½`;
    return 1000 % parts ? `${Math.trunc(n)} ${rest}/${parts}`
      : n.toLocaleString(document.documentElement.lang, { useGrouping: false });
  };
  const good = (input) => {
    const n = value(input), { low, high, parts } = input.dataset;
    return n !== null && n >= Number(low) && n <= Number(high) && (!parts || inParts(n, parts));
  };
  // The browser reports a number out of range, and at the first field a form left empty.
  const validate = (form) => {
    const all = [...form.querySelectorAll(".pick input, [data-high]")];
    const typed = (one) => one.matches("[data-high]") && value(one) !== null;
    all.forEach((one) => one.setCustomValidity(typed(one) && !good(one) ? one.placeholder : ""));
    const empty = form.dataset.must && !all.some((one) => one.checked || typed(one));
    if (empty) all[0]?.setCustomValidity(form.dataset.must);
  };
  const done = (input) => good(input)
    && (input.dataset.whole === "1" || (input.dataset.parts ? /[^-0-9]/.test(input.value)
      : Math.abs(value(input)) * 10 > Number(input.dataset.high)));

  const whole = (form) => [...form.querySelectorAll("[data-group]:not([data-optional])")].every((group) =>
    group.querySelector("input:checked") || [...group.querySelectorAll("[data-high]")].some(done))
    && [...form.querySelectorAll(".numbers [data-high]")].every((one) => one.dataset.filled || done(one));

  const sendIfWhole = (form) => {
    if (form.matches("[data-auto]") && whole(form)) form.requestSubmit();
  };

  // What is left of a fixed total goes to the side that was left out.
  const complete = (numbers) => {
    const total = Number(numbers.dataset.total);
    if (!numbers.dataset.total) return;
    const sides = [...numbers.querySelectorAll(".typed input")];
    sides.filter((side) => side.dataset.filled).forEach((side) => {
      delete side.dataset.filled;
      side.value = "";
    });
    const empty = sides.filter((side) => value(side) === null);
    const parts = sides[0].dataset.parts ?? 1;
    const left = Math.round((total - sides.reduce((sum, side) => sum + (value(side) || 0), 0)) * parts) / parts;
    if (empty.length === 1 && left >= 0 && left <= Number(empty[0].dataset.high)) {
      empty[0].value = shown(left, sides[0].dataset.parts, sides.some((side) => /[.,]/.test(side.value)));
      empty[0].dataset.filled = "1";
    }
    numbers.classList.toggle("off", left < 0 || (empty.length === 0 && left !== 0));
  };

  // What is said once, as a suit that is called or has a place, is not offered for another.
  const apart = (form) => {
    const groups = [...form.querySelectorAll("[data-once]")];
    const taken = groups.map((group) => (group.querySelector("input:checked") || {}).value);
    groups.forEach((group, at) => group.querySelectorAll("input").forEach((one) => {
      one.disabled = taken.some((value, other) => other !== at && value === one.value);
    }));
  };

  // Once a part of a form is answered, the part after it is to be seen.
  const showNext = (part) => {
    if (!part.querySelector(".group:not(:has(:checked))")) part.nextElementSibling?.scrollIntoView({ block: "nearest" });
  };

  // --------------------------------------------------------------------------- keypad

  // A form has one keypad. It types into the number that is active: a small number by one key.
  const inputs = (form) => [...form.querySelectorAll("[data-high]")];
  const active = (form) => form.querySelector("input.active");
  const few = ({ dataset }) => !dataset.parts && dataset.high - dataset.low < FEW;
  const kind = ({ dataset }) => `${dataset.low} ${dataset.high} ${dataset.parts ?? ""}`;
  const activate = (input) => {
    const { form } = input;
    inputs(form).forEach((one) => one.classList.toggle("active", one === input));
    form.querySelectorAll(".keys").forEach((keys) => {
      keys.classList.toggle("off", !keys.dataset.kinds.split(",").includes(kind(input)));
    });
    form.querySelector(".keypad")?.setAttribute("aria-label", input.labels[0].textContent.trim());
    form.classList.add("typing");
    input.dataset.fresh = "1"; // the next digit begins a new number
  };
  const rest = (form) => {
    active(form)?.classList.remove("active");
    form.classList.remove("typing");
  };

  const press = (form, key) => {
    const input = active(form), { dataset } = input, fresh = dataset.fresh || dataset.filled;
    if (key === "next") { forward(input); return; }
    if (key === "back" && !input.value && beside(input)) { rest(form); return; }
    if (dataset.filled) { input.value = ""; delete dataset.filled; }
    if (few(input)) input.value = input.value === key ? "" : key;
    else if (key === "back") input.value = input.value.slice(0, -1);
    else if (key === "minus") input.value = input.value.startsWith("-") ? input.value.slice(1) : `-${input.value}`;
    else input.value = fresh && !input.value.endsWith("-") ? key : input.value + key;
    delete dataset.fresh;
    dataset.whole = few(input) ? "1" : "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    if (!form.dataset.sent) sayNumber(input); // what is recorded is said
    if (key.length < 3 && done(input)) forward(input);
  };
  // The focus stays on the key, so the number that it typed is said.
  const sayNumber = ({ value, labels }) => {
    const words = value.replace("-", `${here().dataset.minus} `);
    if (value) ear.say(`${labels[0].textContent.trim()} ${words}`);
  };
  // Whether chips are tapped instead of this number.
  const beside = (input) => input.closest(".group:has(.pick, .tap)") && !input.closest(".whole");

  // To the next number that is not yet there.
  const forward = (input) => {
    const after = inputs(input.form).slice(inputs(input.form).indexOf(input) + 1)
      .find((one) => one.checkVisibility() && (one.value === "" || one.dataset.filled));
    if (after) activate(after);
  };

  // Keys for each range of numbers in the form; all take the same room, so that nothing moves.
  const addKeypad = (form, own) => {
    const keypad = document.createElement("div");
    keypad.className = "keypad";
    keypad.setAttribute("role", "group"); // named by the number that it types into
    const layouts = new Map();
    for (const input of own) {
      const { low, high, parts } = input.dataset;
      const keys = few(input) ? Array.from({ length: high - low + 1 }, (_, n) => String(Number(low) + n))
        : [..."1234567890", ...(low < 0 ? ["minus"] : []), ...(parts ? [parts === "2" ? "½" : "."] : []), "back", ...(own.length > 1 ? ["next"] : [])];
      const name = keys.join(" ");
      layouts.set(name, [...(layouts.get(name) ?? []), kind(input)]);
    }
    for (const [name, kinds] of layouts) {
      const keys = document.createElement("div");
      keys.className = /minus|½|\./.test(name) ? "keys off signed" : "keys off";
      keys.dataset.kinds = kinds.join(",");
      keys.append(...name.split(" ").map((key) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.digit = key;
        button.textContent = { back: "⌫", next: "→", minus: "−" }[key] || key;
        if (key.length > 2) button.setAttribute("aria-label", here().dataset[key]);
        return button;
      }));
      keypad.append(keys);
    }
    const dock = form.querySelector(".dock");
    const last = own.findLast((one) => !form.contains(one.closest("details"))) ?? own.at(-1); // in sight
    if (dock) dock.prepend(keypad); else (last.closest(".numbers, .group, .text") ?? last.closest(".cells")).after(keypad);
  };

  // What was refused is there to be corrected, and nothing of it is sent before somebody says so:
  // the last number of a fixed total goes on to follow the others.
  const reopen = (table) => {
    const type = table.querySelector("#notice [name=type]")?.value;
    if (!type) return;
    table.querySelectorAll(`[data-step="${type}"]:not([data-row])`).forEach((form) => form.removeAttribute("data-auto"));
    table.querySelectorAll(`.pad [data-step="${type}"] .numbers[data-total]`).forEach((numbers) => {
      const sides = [...numbers.querySelectorAll(".typed input")];
      const sum = sides.reduce((all, one) => all + value(one), 0);
      if (sum && Math.abs(sum - Number(numbers.dataset.total)) < 1e-6) sides.at(-1).dataset.filled = "1";
    });
  };

  const spread = () => {
    if (here().dataset.view !== "entry") return;
    here().querySelectorAll(ASIDE).forEach((one) => { one.open = WIDE.matches; });
  };
  WIDE.addEventListener("change", spread);

  const prepare = (table) => {
    reopen(table);
    table.querySelectorAll("form:has([data-once])").forEach(apart);
    const coarse = matchMedia("(pointer: coarse)").matches;
    table.querySelectorAll(".step:has([data-high])").forEach((form) => {
      const own = inputs(form);
      addKeypad(form, own);
      if (coarse) own.forEach((one) => { one.inputMode = "none"; });
      const begin = own.find((one) => (one.closest(".group")?.querySelectorAll(".pick, .tap").length ?? 0) < MANY);
      if (begin) activate(begin);
    });
    if (WIDE.matches) spread();
  };

  // --------------------------------------------------------------------------- events

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!here().contains(form) || form.method !== "post" || form.matches("[data-plain]")) return;
    event.preventDefault();
    send(form, event.submitter);
  });

  document.addEventListener("change", (event) => {
    const input = event.target, form = input.form;
    if (!form || !here().contains(form)) return;
    delete input.dataset.filled;
    const numbers = input.closest(".numbers");
    if (numbers) complete(numbers);
    if (input.closest("[data-once]")) apart(form);
    if (input.closest(".asked") && !byArrow) showNext(input.closest(".asked"));
    const group = input.closest("[data-group]");
    if (group && input.type === "radio") group.querySelectorAll("[data-high]").forEach((one) => { one.value = ""; });
    validate(form);
    if (!byArrow) sendIfWhole(form);
  });

  document.addEventListener("input", (event) => {
    const input = event.target;
    if (!input.matches("[data-high]")) return;
    delete input.dataset.filled;
    const numbers = input.closest(".numbers"), group = input.closest("[data-group]");
    if (numbers) complete(numbers);
    if (!numbers && group && input.value) group.querySelectorAll("input:checked").forEach((one) => { one.checked = false; });
    validate(input.form);
    if (done(input)) sendIfWhole(input.form);
  });

  document.addEventListener("reset", (event) => {
    inputs(event.target).slice(0, 1).forEach(activate);
    setTimeout(validate, 0, event.target);
    setTimeout(apart, 0, event.target);
    if (event.target.matches(".whole")) event.target.closest(".pad").scrollTop = 0;
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("#table [data-high]")) activate(event.target);
    if (event.target.matches("[data-filled]")) event.target.select?.();
  });
  // What is opened in place is to be seen.
  document.addEventListener("toggle", (event) => {
    const one = event.target;
    if (one.open && one.closest(".pad") && !one.matches(".seldom, .nearby")) one.scrollIntoView({ block: "nearest" });
    if (one.open && one.dataset.from) tell(one);
  }, true);
  document.addEventListener("keydown", (event) => { byArrow = event.key.startsWith("Arrow"); });
  document.addEventListener("pointerdown", (event) => {
    byArrow = false;
    const pick = event.target.closest(":is(.whole, .rank) .pick");
    const input = pick && pick.querySelector("input[type=radio]:checked:not([required])");
    if (input) input.dataset.again = "1";
  });

  document.addEventListener("click", (event) => {
    for (const one of event.target.closest(".tap")?.closest("[data-group]")?.querySelectorAll("[data-high]") ?? []) {
      one.value = ""; // what is tapped goes before what was begun to be typed
      validate(one.form);
    }
    const saves = event.target.closest("form[data-must] button");
    if (saves) validate(saves.form); // the browser may have restored what was entered
    const digit = event.target.closest("[data-digit]");
    if (digit) press(digit.form, digit.dataset.digit);
    const input = event.target.matches("input[data-again]") ? event.target : null;
    if (input) {
      delete input.dataset.again;
      input.checked = false;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
    const correct = event.target.closest("a[data-correct]");
    if (correct) {
      event.preventDefault();
      strip.settle(() => correct.closest("#notice").remove());
      here().querySelector(".pad form .go, .pad form button")?.focus({ preventScroll: true });
    }
    const link = event.target.closest("a[data-level], a[data-dismiss]");
    if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      link.dataset.sent = "1"; // what it stands in is closed, as by an entry
      ask(link.href);
    }
    document.querySelectorAll(".bar > details[open], .counted[open], .seldom[open], .nearby[open]").forEach((one) => {
      if (!one.contains(event.target) && !(WIDE.matches && one.matches(ASIDE))) one.open = false;
    });
  });

  prepare(here());
  return { show, version };
})();

export { live, outbox };
