// Opens the table that was seen last, without a network too. Kept are the page of that one table
// and the files that it is drawn with; never a link with a key, an answer of the API, or anything
// that was posted.
"use strict";
const PAGES = "pages";
const FILES = "files";
const PATIENCE = 800; // milliseconds until a page that is kept goes before one that is late

// Of demos nothing is kept.
const isTable = (url) => /^\/t\/(?!demo)[^/]+$/.test(url.pathname);
const isFile = (url) => url.pathname.startsWith("/static/") && url.searchParams.has("v");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate" && isTable(url)) event.respondWith(page(event, url));
  else if (isFile(url)) event.respondWith(file(event, url));
});

self.addEventListener("message", (event) => {
  const { page: path, files } = event.data;
  event.waitUntil(keepAll(new URL(path, self.location), files.map((one) => new URL(one))));
});

async function keepAll(url, others) {
  const pages = await caches.open(PAGES);
  if (isTable(url)) await keepPage(pages, url, await fetch(url));
  const files = await caches.open(FILES);
  for (const one of others.filter(isFile)) {
    if (!await files.match(one)) await keepFile(files, one, await fetch(one));
  }
}

// The page as it is now; the one that is kept where that is late or does not come.
async function page(event, url) {
  const pages = await caches.open(PAGES);
  const kept = await pages.match(url.pathname);
  const fresh = fetch(event.request).then((answer) => {
    event.waitUntil(keepPage(pages, url, answer.clone()));
    return answer;
  });
  event.waitUntil(fresh.catch(() => {}));
  if (!kept) return fresh;
  const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE, kept); });
  return Promise.race([fresh.catch(() => kept), late]);
}

async function keepPage(pages, url, answer) {
  if ([401, 403, 404, 410].includes(answer.status)) await pages.delete(url.pathname);
  if (answer.status !== 200 || answer.redirected) return;
  for (const other of await pages.keys()) {
    if (new URL(other.url).pathname !== url.pathname) await pages.delete(other);
  }
  await pages.put(url.pathname, answer);
}

// A file under an address that names its contents: what is kept never changes.
async function file(event, url) {
  const files = await caches.open(FILES);
  const kept = await files.match(url);
  if (kept) return kept;
  const answer = await fetch(event.request);
  event.waitUntil(keepFile(files, url, answer.clone()));
  return answer;
}

async function keepFile(files, url, answer) {
  if (answer.status !== 200) return;
  for (const other of await files.keys()) {
    if (new URL(other.url).pathname === url.pathname) await files.delete(other);
  }
  await files.put(url, answer);
}
