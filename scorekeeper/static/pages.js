// Copying a link, and putting a file into the form that takes one.
(() => {
  "use strict";
  document.documentElement.classList.add("scripted");
  // Over plain http there is no clipboard for pages: the link is marked, and copied as by hand.
  const copy = (button) => navigator.clipboard.writeText(button.dataset.copy);
  const mark = (button) => {
    getSelection().selectAllChildren(button.closest(".link-box").querySelector(".link-text"));
    return document.execCommand("copy");
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    try { await copy(button); } catch { if (!mark(button)) return; }
    button.textContent = button.dataset.copied;
  });
})();
