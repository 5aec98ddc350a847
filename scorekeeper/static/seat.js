// A phone in a hall: follows its tournament, counts the clock down, and shows a band five minutes
// before the end of a round. When the round changes, it leads to the new seat.
"use strict";
const BAND_SECONDS = 300;
const FELT = [200, 100, 200]; // milliseconds of the vibration
const HEARD = 0.4; // seconds of the tone
const PITCH = 880; // hertz
const VOLUME = 0.2;
const here = () => document.getElementById("in-hall");

// The page says what time the server had when it was sent; a page that a worker kept does not.
const sent = performance.getEntriesByType("navigation")[0];
let knows = Boolean(sent) && !sent.workerStart;
let ahead = 0; // milliseconds by which the server's clock is ahead of this one
if (knows) ahead = Date.parse(here().dataset.now) - performance.timeOrigin - sent.responseStart;
let warned = "";

const left = () => {
  const { ends, left: kept } = here().dataset;
  if (ends) return Math.max(0, Math.ceil((Date.parse(ends) - Date.now() - ahead) / 1000));
  return kept === undefined ? null : Number(kept);
};
// Before the first touch a browser allows neither to vibrate nor to sound.
const mayDisturb = () =>
  document.documentElement.dataset.vibrate !== "no" && navigator.userActivation?.hasBeenActive;
const feel = () => {
  if (mayDisturb()) navigator.vibrate?.(FELT);
};
// Where its player sits now, or what they wait for.
const seat = () => here().querySelector(".seat-words, .moved-on:not([data-unsent])")?.textContent.trim() ?? "";
const sound = () => {
  const audio = window.AudioContext && new AudioContext();
  if (!audio) return;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = PITCH;
  volume.gain.value = VOLUME;
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => audio.close();
  tone.start();
  tone.stop(audio.currentTime + HEARD);
};
const tick = () => {
  const seconds = left();
  const band = here().querySelector(".last-minutes");
  const clock = here().querySelector("[data-clock]");
  const text = seconds === null ? "" : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (clock && text && clock.textContent !== text) clock.textContent = text;
  if (!band) return;
  const due = seconds !== null && seconds <= BAND_SECONDS;
  const said = !due ? "" : seconds ? band.dataset.soon.replace("{time}", text) : band.dataset.over;
  band.hidden = !due;
  const shown = band.querySelector("span");
  if (shown.textContent !== said) shown.textContent = said;
  // Said once for the last minutes and once for the end, not at each second.
  const now = due ? `${here().dataset.round} ${seconds ? "soon" : "over"}` : "";
  if (now && now !== warned) {
    band.querySelector("[role=status]").textContent = said;
    feel();
    if (mayDisturb()) sound();
  }
  warned = now;
};

// Entries that wait on this phone for other tables of its player.
const remind = () => {
  for (const line of here().querySelectorAll("[data-unsent]")) {
    let waits = null;
    try { waits = localStorage.getItem(`outbox:${line.dataset.unsent}`); } catch { /* nothing is kept */ }
    line.hidden = !waits;
  }
};

const show = async () => {
  const asked = Date.now();
  try {
    const answer = await fetch(here().dataset.at, { cache: "no-store" });
    if (!answer.ok) return;
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("in-hall");
    if (!next) return;
    ahead = Date.parse(next.dataset.now) - (asked + Date.now()) / 2;
    knows = true;
    const typed = here().querySelector("[name=about]")?.value;
    const before = seat();
    here().replaceWith(next);
    const field = typed && next.querySelector("[name=about]");
    if (field) field.value = typed;
    tick();
    remind();
    if (seat() && seat() !== before) {
      document.getElementById("said").textContent = seat();
      feel();
    }
  } catch { /* away: the next word of the stream asks again */ }
};

tick();
remind();
window.addEventListener("storage", remind);
setInterval(tick, 200);
listen({
  stream: here().dataset.stream, every: 10_000,
  where: () => [here().dataset.state, here().dataset.version],
  of: (tag) => ({ version: parseInt(tag) }),
  heard: ({ version }) => {
    if (document.hidden) return;
    if (!knows || (version && version !== Number(here().dataset.version))) show();
  },
});
