// Follows a club: when one of its evenings goes on, or something is recorded in it, the table is
// drawn anew.
const here = () => document.getElementById("followed");
const { at, stream, table } = here().dataset;

const show = async () => {
  try {
    const answer = await fetch(at, { cache: "no-store" });
    if (!answer.ok) return;
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("followed");
    if (!next) return;
    const focused = here().contains(document.activeElement) && document.activeElement.getAttribute("href");
    here().replaceWith(next);
    if (focused) next.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  } catch { /* away: the next word of the stream asks again */ }
};

listen({
  stream, every: 10_000,
  where: () => [table, here().dataset.tag],
  of: (tag) => ({ tag }),
  heard: ({ tag }) => { if (tag && tag !== here().dataset.tag && !document.hidden) show(); },
});
