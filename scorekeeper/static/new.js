// Names go to the seats at a tap, and the picture of the table shows who sits where. The day is
// the one that this phone has.
(() => {
  "use strict";
  const form = document.getElementById("new");
  if (!form) return;
  const seats = [...form.querySelectorAll(".names input:not([type=radio]), .names select")];
  const named = (seat) => (seat.selectedOptions && seat.value ? seat.selectedOptions[0].text : seat.value).trim();

  const draw = () => {
    const names = seats.map(named);
    names.forEach((name, place) => {
      const seat = form.querySelector(`[data-seat="${place + 1}"]`);
      seat.classList.toggle("taken", Boolean(name));
      seat.querySelector("text").textContent = name ? [...name][0].toUpperCase() : String(place + 1);
    });
    form.querySelectorAll(".person:not(.same)").forEach((one) => {
      one.hidden = names.includes(one.value);
    });
    const there = names.filter(Boolean);
    form.querySelectorAll(".partners").forEach((one) => {
      const all = there.length === Number(one.dataset.players);
      one.querySelectorAll("[data-place]").forEach((who) => {
        who.textContent = all ? there[who.dataset.place - 1] : who.dataset.place;
      });
    });
  };

  form.addEventListener("click", (event) => {
    const person = event.target.closest(".person:not(.same)");
    if (!person) return;
    event.preventDefault();
    const free = seats.find((input) => !input.value.trim());
    if (free) free.value = person.value;
    draw();
  });
  form.addEventListener("input", draw);
  draw();

  // House rules that are kept on this phone, by game and name: each a button, which draws the form
  // with them as a link does.
  const kept = form.querySelector("#kept");
  const HOUSES = "houses";
  const houses = () => {
    try {
      const found = JSON.parse(localStorage.getItem(HOUSES) || "[]");
      return Array.isArray(found) ? found.filter((one) => one && typeof one.rules === "string") : [];
    } catch {
      return [];
    }
  };
  const keep = (all) => {
    try {
      localStorage.setItem(HOUSES, JSON.stringify(all.slice(-30)));
    } catch {
      // a phone that keeps nothing keeps no house rules either
    }
    show();
  };
  const button = (text, more) => Object.assign(document.createElement("button"), { textContent: text, ...more });
  const same = (one, other) => one.game === other.game && one.name === other.name;
  const show = () => {
    const mine = houses().filter((one) => one.game === kept.dataset.game);
    kept.querySelector("#kept-here").replaceChildren(...mine.flatMap((one) => {
      const take = button(one.name, { className: "button quiet house-kept", name: "rules", value: one.rules, formNoValidate: true });
      take.setAttribute("aria-pressed", String(one.rules === kept.dataset.rules));
      const away = button("×", { type: "button", className: "button quiet" });
      away.setAttribute("aria-label", `${kept.dataset.forget} ${one.name}`);
      away.addEventListener("click", () => keep(houses().filter((other) => !same(one, other))));
      return [take, away];
    }));
  };
  if (kept) {
    show();
    form.querySelector("#keep").hidden = false;
    const called = form.querySelector("#house-name");
    form.querySelector("#keep-them").addEventListener("click", async () => {
      const name = called.value.trim();
      if (!name) {
        called.focus();
        return;
      }
      // The server says what is chosen by now, spelled out.
      const said = new URLSearchParams(new FormData(form));
      said.delete("rules");
      const answer = await fetch(`${location.pathname}?${said}`).catch(() => null);
      if (!answer || !answer.ok) return;
      const drawn = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#kept");
      const house = { game: kept.dataset.game, name, rules: drawn.dataset.rules };
      keep([...houses().filter((one) => !same(one, house)), house]);
    });
  }

  const { lang } = document.documentElement;
  const spoken = navigator.languages.find((one) => one.startsWith(lang)) || lang;
  const usual = form.querySelector("#usual");
  if (!usual) return;
  const title = form.querySelector("#title");
  const today = new Intl.DateTimeFormat(spoken, { dateStyle: "long" }).format(new Date());
  usual.value = usual.dataset.words.replace("{day}", today);
  title.placeholder = usual.value;
  if (!title.value) form.querySelector("#called").textContent = usual.value;
})();
