// Choosing or dropping a file sends the form at once, unless more is being filled in beside it.
// Without this script its button does.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  const form = document.getElementById("ask");
  const file = document.getElementById("log");
  const busy = document.getElementById("busy");

  const send = () => {
    if (file.files.length && !form.querySelector("details[open]")) form.requestSubmit();
  };
  file.addEventListener("change", send);
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
    send();
  });
})();
