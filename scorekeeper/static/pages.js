// Copying a link, and putting a file into the form that takes one.
(() => {
  "use strict";
  document.documentElement.classList.add("scripted");
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      const range = document.createRange();
      range.selectNodeContents(button.closest(".link-box").querySelector(".link-text"));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      return;
    }
    button.textContent = button.dataset.copied;
  });
})();
