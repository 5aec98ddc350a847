// The table: a step is sent as soon as it is whole, and the answer takes the place of what was.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  // In milliseconds: how long a tap may be meant for what was there before, and when waiting shows.
  const SETTLING = 300;
  const SLOW = 400;
  // Chips beside which a number is seldom typed.
  const MANY = 5;
  const SHOWN = [200, 403, 409, 412, 422];
  const here = () => document.getElementById("table");
  const said = document.getElementById("said");
  const say = (words) => { said.textContent = words; };
  const tell = (name, detail) =>
    document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
  let byArrow = false;

  // ---------------------------------------------------------------- sending and showing

  const freshKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)),
    (byte) => byte.toString(16).padStart(2, "0")).join("");

  const fields = (form, button) => {
    const data = new FormData(form);
    if (button && button.name) data.append(button.name, button.value);
    if (data.has("key")) data.set("key", freshKey());
    return new URLSearchParams(data);
  };

  const send = (form, button) => {
    const body = fields(form, button);
    if (!tell("table:send", { url: form.action, body, form })) return Promise.resolve();
    if (button) button.classList.add("pressed");
    return ask(form.action, { method: "POST", body });
  };

  const ask = async (url, more = {}) => {
    const table = here();
    if (table.getAttribute("aria-busy")) return;
    table.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => table.classList.add("slow"), SLOW);
    try {
      const answer = await fetch(url, { ...more, headers: { "X-Fragment": "1" } });
      if (!SHOWN.includes(answer.status)) throw new Error(String(answer.status));
      show(await answer.text());
      if (more.method) tell("table:recorded", { status: answer.status, version: version() });
    } catch (error) {
      say(table.dataset.failed);
      table.classList.add("failed");
      tell("table:failed", { url, body: more.body, error });
    } finally {
      clearTimeout(slow);
      table.removeAttribute("aria-busy");
      table.classList.remove("slow");
      table.querySelectorAll(".pressed").forEach((one) => one.classList.remove("pressed"));
    }
  };

  const first = (table) => table.querySelector(".pad form")?.dataset.step;
  const place = (table) => {
    const form = table.querySelector(".pad form");
    return form ? form.dataset.step + Math.round(form.getBoundingClientRect().top) : "";
  };

  const focused = (table) => {
    const one = document.activeElement;
    if (!table.contains(one)) return null;
    const form = one.closest("form");
    return { step: form && form.dataset.step, name: one.name, value: one.value, pad: !!one.closest(".pad") };
  };

  const refocus = (table, before) => {
    const notice = table.querySelector("#notice");
    if (notice) {
      notice.focus({ preventScroll: true });
      notice.scrollIntoView({ block: "nearest" });
    } else if (before) {
      const same = [...table.querySelectorAll("button, input:not([type=hidden])")].find((one) =>
        one.name === before.name && one.value === before.value
        && (one.form && one.form.dataset.step) === before.step);
      const first = before.pad && table.querySelector(".pad .step button, .pad .step input:not([type=hidden])");
      const next = same || first;
      if (next) next.focus({ preventScroll: true });
    }
  };

  const show = (html) => {
    const now = here();
    const next = new DOMParser().parseFromString(html, "text/html").getElementById("table");
    if (!next) { location.reload(); return; }
    const before = focused(now), where = place(now);
    const open = [...now.querySelectorAll(".bar details[open]")].map((one) => one.className);
    const scrolled = first(now) === first(next) ? now.querySelector(".pad")?.scrollTop : 0;
    now.replaceWith(next);
    if (scrolled) next.querySelector(".pad").scrollTop = scrolled;
    open.forEach((name) => { next.querySelector(`.bar details.${name}`).open = true; });
    prepare(next);
    if (place(next) !== where) {
      next.classList.add("settling");
      setTimeout(() => next.classList.remove("settling"), SETTLING);
    }
    refocus(next, before);
    const notice = next.querySelector("#notice h2");
    if (notice) say(notice.textContent);
    else if (next.dataset.said) say(next.dataset.said);
    tell("table:shown", { version: version() });
  };

  const version = () => Number(here().dataset.version);

  // --------------------------------------------------------------------- whole or not

  const value = (input) => (input.value.trim() === "" ? null : Number(input.value));
  const good = (input) => {
    const n = value(input);
    return n !== null && n >= Number(input.dataset.low) && n <= Number(input.dataset.high);
  };
  const done = (input) => good(input) && (Number(input.value) * 10 > Number(input.dataset.high));

  const whole = (form) => [...form.querySelectorAll("[data-group]:not([data-optional])")].every((group) =>
    group.querySelector("input:checked") || [...group.querySelectorAll("[data-high]")].some(done));

  const sendIfWhole = (form) => {
    if (form.matches("[data-auto]") && whole(form)) form.requestSubmit();
  };

  // What is left of a fixed total goes to the side that was left out.
  const complete = (numbers) => {
    const total = Number(numbers.dataset.total);
    if (!numbers.dataset.total) return;
    const sides = [...numbers.querySelectorAll(".group.count, .typed input")];
    const of = (side) => {
      if (side.matches("input")) return side.dataset.filled ? null : value(side);
      const chosen = side.querySelector("input:checked:not([data-filled])");
      return chosen ? Number(chosen.value) : null;
    };
    const empty = sides.filter((side) => of(side) === null);
    sides.forEach((side) => {
      const filled = side.matches("input") ? side.dataset.filled && side : side.querySelector("[data-filled]");
      if (!filled) return;
      delete filled.dataset.filled;
      if (side.matches("input")) filled.value = ""; else filled.checked = false;
    });
    const rest = total - sides.reduce((sum, side) => sum + (of(side) || 0), 0);
    if (empty.length === 1 && rest >= 0) fill(empty[0], rest);
    const wrong = rest < 0 || (empty.length === 0 && rest !== 0);
    numbers.classList.toggle("off", wrong);
  };

  const fill = (side, rest) => {
    const field = side.matches("input") ? side : side.querySelector(`input[value="${rest}"]`);
    if (!field) return;
    if (side.matches("input")) field.value = String(rest); else field.checked = true;
    field.dataset.filled = "1";
  };

  // A suit that has a place is not offered for another.
  const rank = (form) => {
    const groups = [...form.querySelectorAll(".group.rank")];
    const taken = groups.map((group) => (group.querySelector("input:checked") || {}).value);
    groups.forEach((group, at) => group.querySelectorAll("input").forEach((one) => {
      one.disabled = taken.some((value, other) => other !== at && value === one.value);
    }));
  };

  // ------------------------------------------------------------------------ digit pad

  // A box is a group with numbers to be typed; its pad types into the one that is active.
  const boxOf = (one) => one.closest(".numbers, .group");
  const inputs = (box) => [...box.querySelectorAll("[data-high]")];
  const active = (box) => box.querySelector(".active") || inputs(box)[0];
  const activate = (input) => {
    const box = boxOf(input);
    box.classList.add("typing");
    inputs(box).forEach((one) => one.classList.toggle("active", one === input));
  };

  const press = (box, digit) => {
    const input = active(box);
    if (digit === "next") { forward(box, input); return; }
    if (input.dataset.filled) { input.value = ""; delete input.dataset.filled; }
    input.value = digit === "back" ? input.value.slice(0, -1) : input.value + digit;
    activate(input);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    if (digit !== "back" && done(input)) forward(box, input);
  };

  const forward = (box, input) => {
    const all = inputs(box);
    activate(all[all.indexOf(input) + 1] || input);
  };

  const pad = () => {
    const digits = document.createElement("div");
    digits.className = "digits";
    for (const key of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "back", "0", "next"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.digit = key;
      button.textContent = { back: "⌫", next: "→" }[key] || key;
      if (key.length > 1) button.setAttribute("aria-label", here().dataset[key]);
      digits.append(button);
    }
    return digits;
  };

  const prepare = (table) => {
    const coarse = matchMedia("(pointer: coarse)").matches;
    new Set([...table.querySelectorAll(".step [data-high]")].map(boxOf)).forEach((box) => {
      const typed = inputs(box);
      typed[typed.length - 1].closest("label").after(pad());
      if (coarse) typed.forEach((one) => { one.inputMode = "none"; });
      if (box.querySelectorAll(".pick, .tap").length < MANY) activate(typed[0]);
    });
  };

  // --------------------------------------------------------------------------- events

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!here().contains(form) || form.method !== "post") return;
    event.preventDefault();
    send(form, event.submitter);
  });

  document.addEventListener("change", (event) => {
    const input = event.target, form = input.form;
    if (!form || !here().contains(form)) return;
    delete input.dataset.filled;
    const numbers = input.closest(".numbers");
    if (numbers) complete(numbers);
    if (input.closest(".rank")) rank(form);
    const group = input.closest("[data-group]");
    if (group && input.type === "radio") group.querySelectorAll("[data-high]").forEach((one) => { one.value = ""; });
    if (!byArrow) sendIfWhole(form);
  });

  document.addEventListener("input", (event) => {
    const input = event.target;
    if (!input.matches("[data-high]")) return;
    delete input.dataset.filled;
    const numbers = input.closest(".numbers"), group = input.closest("[data-group]");
    if (numbers) complete(numbers);
    else if (group && input.value) {
      group.querySelectorAll("input:checked").forEach((one) => { one.checked = false; });
      if (done(input)) sendIfWhole(input.form);
    }
  });

  document.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-high]")) activate(event.target);
  });
  // What is opened in place is to be seen.
  document.addEventListener("toggle", (event) => {
    const one = event.target;
    if (one.open && one.closest(".pad")) one.scrollIntoView({ block: "nearest" });
  }, true);
  document.addEventListener("keydown", (event) => { byArrow = event.key.startsWith("Arrow"); });
  document.addEventListener("pointerdown", (event) => {
    byArrow = false;
    const pick = event.target.closest(".whole .pick");
    const input = pick && pick.querySelector("input[type=radio]:checked:not([required])");
    if (input) input.dataset.again = "1";
  });

  document.addEventListener("click", (event) => {
    const digit = event.target.closest("[data-digit]");
    if (digit) press(boxOf(digit), digit.dataset.digit);
    const input = event.target.matches("input[data-again]") ? event.target : null;
    if (input) {
      delete input.dataset.again;
      input.checked = false;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
    const link = event.target.closest("a[data-level], a[data-dismiss]");
    if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      ask(link.href);
    }
    document.querySelectorAll(".bar details[open]").forEach((one) => {
      if (!one.contains(event.target)) one.open = false;
    });
  });

  window.table = { send, show, version, load: () => ask(location.href) };
  prepare(here());
})();
