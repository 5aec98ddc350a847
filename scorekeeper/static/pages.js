// Copying a link; sending text and picture by the phone, which are there before the tap.
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
  const share = document.getElementById("share");
  if (!share || !navigator.share) return;
  const { text, picture } = share.dataset;
  let what = { text };
  share.hidden = false;
  share.addEventListener("click", () => navigator.share(what).catch(() => {}));
  fetch(picture).then(async (got) => {
    const files = [new File([await got.blob()], "picture.png", { type: "image/png" })];
    if (got.ok && navigator.canShare?.({ files })) what = { text, files };
  }).catch(() => {});
})();
