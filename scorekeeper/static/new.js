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

  const { lang } = document.documentElement;
  const usual = form.querySelector("#usual");
  if (!usual) return;
  const title = form.querySelector("#title");
  const today = new Intl.DateTimeFormat(lang, { dateStyle: "long" }).format(new Date());
  usual.value = usual.dataset.words.replace("{day}", today);
  title.placeholder = usual.value;
  if (!title.value) form.querySelector("#called").textContent = usual.value;
})();
