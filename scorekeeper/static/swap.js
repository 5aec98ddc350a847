// Two tapped names of a draw are swapped at once.
"use strict";
(() => {
  const form = document.getElementById("swap");
  form?.addEventListener("change", () => {
    if (form.querySelectorAll(":checked").length === 2) form.requestSubmit();
  });
})();
