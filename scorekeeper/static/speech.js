// The device's own voice, where it is switched on. Only voices that speak without the network.
const speech = (() => {
  const SOON = 1500; // milliseconds in which a browser has listed its voices
  const synth = window.speechSynthesis;
  const { lang, dataset } = document.documentElement;
  const on = synth && dataset.speech === "yes";
  const find = () => {
    const voices = [...synth?.getVoices() ?? []]
      .filter((one) => one.localService && one.lang.slice(0, 2).toLowerCase() === lang);
    return voices.find((one) => one.default) ?? voices[0];
  };

  // What is said before the voices are listed waits for them; what is new interrupts what is old.
  let waits = "";
  const speak = (words) => {
    if (!on || !words) return;
    const voice = find();
    waits = voice ? "" : words;
    if (!voice) return;
    synth.cancel();
    const said = new SpeechSynthesisUtterance(words);
    Object.assign(said, { voice, lang: voice.lang });
    synth.speak(said);
  };
  if (on) {
    find(); // some browsers list their voices only once they are asked
    synth.addEventListener("voiceschanged", () => speak(waits));
    window.addEventListener("pagehide", () => synth.cancel());
  }

  // Beside the switch: whether there is such a voice for the language of the page.
  const missing = document.getElementById("no-voice");
  if (missing) {
    const tell = () => { missing.hidden = Boolean(find()); };
    if (!find()) setTimeout(tell, synth ? SOON : 0);
    synth?.addEventListener("voiceschanged", tell);
  }
  return { speak };
})();
