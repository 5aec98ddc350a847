// All that is said stands in one polite region, and is spoken where that is switched on.
const ear = (() => {
  const region = document.getElementById("said");
  const AGAIN = "\u00a0"; // makes the same words new
  const say = (words) => {
    if (!words) return;
    region.textContent = region.textContent === words ? words + AGAIN : words;
    speech.speak(words);
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-say-score]")) say(document.getElementById("table").dataset.score);
  });
  return { say };
})();
