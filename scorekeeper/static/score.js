// Choosing or dropping a file sends the form at once. Without this script its button does.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  const form = document.getElementById("ask");
  const file = document.getElementById("log");
  const busy = document.getElementById("busy");

  file.addEventListener("change", () => { if (file.files.length) form.requestSubmit(); });
  form.addEventListener("submit", () => { busy.textContent = busy.dataset.words; });
  // Back from the sheet, the page may be the one that was left.
  window.addEventListener("pageshow", () => { busy.textContent = ""; });

  const carriesFiles = (event) => event.dataTransfer && event.dataTransfer.types.includes("Files");
  const over = (on) => document.documentElement.classList.toggle("over", on);
  document.addEventListener("dragover", (event) => {
    if (carriesFiles(event)) { event.preventDefault(); over(true); }
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
  document.addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    over(false);
    file.files = event.dataTransfer.files;
    if (file.files.length) form.requestSubmit();
  });
})();
