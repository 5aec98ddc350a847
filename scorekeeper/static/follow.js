// Follows a session on a page that is read: what another phone records is shown here, too. Nothing
// moves while something is half entered: then a line says that there is news.
const AGAIN = 500; // milliseconds until what did not come is fetched again
const SETTLING = 300; // milliseconds in which a tap may be meant for what was there before
const here = () => document.getElementById("followed");
const { at, stream, events } = here().dataset;
const shown = () => Number(here().dataset.version);
let known = shown();
let fetching = false;

const entering = () => [...here().querySelectorAll("input, select")].some((one) => {
  if (one.type === "hidden") return false;
  if (one.type === "radio") return one.checked !== one.defaultChecked;
  return one.options ? one.selectedIndex > 0 : one.value !== one.defaultValue;
});
const said = () => here().querySelector("[data-says]").textContent.trim();

// A hand that was corrected has other tricks, whose script begins with the page.
const swap = (page) => {
  const next = page.getElementById("followed");
  if (!next) return location.assign(at);
  const [old, anew] = [here(), next].map((one) => one.querySelector("#replay"));
  if (anew?.textContent !== old?.textContent) return location.assign(at);
  anew?.replaceWith(old);
  const open = [...here().querySelectorAll("details")].filter((one) => one.open).map((one) => one.className);
  for (const one of next.querySelectorAll("details")) one.open ||= open.includes(one.className);
  const before = said();
  next.classList.add("settling");
  setTimeout(() => next.classList.remove("settling"), SETTLING);
  here().replaceWith(next);
  document.dispatchEvent(new Event("table:shown"));
  if (said() !== before) document.getElementById("said").textContent = said();
  return heed();
};
const show = async () => {
  if (fetching) return;
  fetching = true;
  try {
    const answer = await fetch(at, { cache: "no-store" });
    if (!answer.ok) return location.assign(at);
    swap(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch { /* away: the next word of the stream asks again */ } finally { fetching = false; }
  if (known > shown()) setTimeout(heard, AGAIN, { version: known });
  return undefined;
};
const heard = ({ version }) => {
  known = Math.max(known, version);
  if (known <= shown() || document.hidden) return;
  const news = document.getElementById("news");
  news.hidden = !entering();
  if (news.hidden) show();
};
const heed = () => document.querySelector("#news button").addEventListener("click", show);

heed();
listen({
  stream, every: 3000,
  where: () => [`${events}?after=${known}`, known],
  of: (tag) => ({ version: Number(/\d+/.exec(tag)?.[0] ?? 0) }),
  heard,
});
