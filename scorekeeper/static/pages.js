// Copying a link or a text; sending text and picture by the phone. What is not on the page yet is
// fetched when a finger or the focus comes near, so that it is there when the tap is over.
(() => {
  "use strict";
  document.documentElement.classList.add("scripted");
  const got = async (from) => {
    const answer = await fetch(from);
    if (!answer.ok) throw new Error(from);
    return answer;
  };
  const textOf = async (box) => {
    const text = box.querySelector(".link-text");
    if (!text.textContent) text.textContent = (await (await got(box.dataset.text)).text()).trimEnd();
    return text.textContent;
  };
  // Over plain http there is no clipboard for pages: the text is marked, and copied as by hand.
  const mark = (box) => {
    getSelection().selectAllChildren(box.querySelector(".link-text"));
    return document.execCommand("copy");
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copied]");
    if (!button) return;
    const box = button.closest(".link-box");
    try {
      const text = button.dataset.copy ?? await textOf(box);
      try { await navigator.clipboard.writeText(text); } catch { if (!mark(box)) return; }
      button.textContent = button.dataset.copied;
    } catch { button.textContent = button.dataset.failed; }
  });
  const share = document.getElementById("share");
  if (!share) return;
  const box = share.closest(".link-box");
  const { picture, failed } = share.dataset;
  let ready;
  const prepare = () => ready ??= (async () => {
    const text = await textOf(box);
    try {
      const files = [new File([await (await got(picture)).blob()], "picture.png", { type: "image/png" })];
      if (navigator.canShare?.({ files })) return { text, files };
    } catch { /* then the text alone */ }
    return { text };
  })().catch((error) => { ready = undefined; throw error; });
  if (!navigator.share) return;
  share.hidden = false;
  const near = () => prepare().catch(() => {});
  if (box.querySelector(".link-text").textContent) near();
  for (const coming of ["pointerenter", "focusin"]) box.addEventListener(coming, near, { once: true });
  share.addEventListener("click", async () => {
    try { await navigator.share(await prepare()); } catch { if (!ready) share.textContent = failed; }
  });
})();
