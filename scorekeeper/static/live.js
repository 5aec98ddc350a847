// Follows a session: what another phone records appears here. A stream tells the version and the
// head; where there is none, a small question every now and then does. Nothing is asked while the
// page is hidden. What this phone saw last is remembered, and the log has to hold it for ever.
const live = (() => {
  const root = () => document.getElementById("table");
  const { say, words } = strip;
  const WITNESS = `witness:${words.session}`;
  const LAST = "last-table";
  const QUICK = 2000; // milliseconds between two questions while the table is busy,
  const SLOW = 10000; //   and once nothing has changed
  const BUSY = 120000; //   for so long
  const QUIET = 5000; // milliseconds in which a stream has to begin
  const BREATH = 200; // milliseconds between two fragments, when much is recorded at once
  const SOON = 700; // milliseconds until the page shows what it has, whether or not anybody answers
  const ROOM = 30000; // milliseconds until a stream is tried again that never began
  const shown = () => Number(root().dataset.version);

  // ------------------------------------------------------------------------------- fragment
  let known = shown();
  let changed = Date.now();
  let fetching = null;
  let looked = 0;
  let stale = false; // this phone has recorded what it does not show
  let timer = 0;

  // Whether something is half entered, which a new fragment would take away.
  const entering = () => {
    if (root().querySelector("#notice form")) return true; // a question stands
    return [...root().querySelectorAll("form input, form textarea, form select")].some(touched);
  };
  const touched = (one) => {
    if (one.type === "hidden") return false;
    if (one.options) return one.selectedIndex > 0 && !one.selectedOptions[0].defaultSelected;
    if ("defaultChecked" in one && /radio|checkbox/.test(one.type)) return one.checked !== one.defaultChecked;
    return one.value !== one.defaultValue || (one === document.activeElement && one.value !== "");
  };

  // The key opens nothing any more: the page shows nothing any more, nor keeps it.
  const leave = () => {
    if (root().childElementCount) {
      root().replaceChildren();
      root().dataset.version = 0;
      document.title = "Scorekeeper";
      keyGone.forget(words.session);
    }
    say("news");
    say("closed", words.closed);
  };

  const fetchIt = async () => {
    const at = shown();
    const answer = await fetch(location.pathname + location.search, {
      headers: { "X-Fragment": "1", "X-Shown": at }, cache: "no-store",
    });
    if (keyGone.is(answer.status)) leave();
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    const html = await answer.text();
    if (outbox.sending()) return true;
    stale = false;
    table.show(html, { at });
    return true;
  };
  // Whether it came.
  const look = () => {
    fetching ??= fetchIt().catch(() => false).finally(() => { fetching = null; });
    return fetching;
  };
  const wanted = () => (stale || known > shown()) && !document.hidden;
  const follow = async () => {
    clearTimeout(timer);
    if (fetching) await fetching;
    if (!wanted()) return say("news");
    const since = Date.now() - looked;
    if (outbox.sending() || since < BREATH) timer = setTimeout(follow, Math.max(50, BREATH - since));
    else if (entering()) {
      say("news", words.news, words.show, look);
      timer = setTimeout(follow, 500);
    } else {
      say("news");
      looked = Date.now();
      const came = await look();
      if (came || root().childElementCount) timer = setTimeout(follow, came ? BREATH : SLOW);
    }
    return undefined;
  };
  const heard = ({ version }) => {
    if (version < known) witness();
    if (version > known) changed = Date.now();
    known = version;
    follow();
  };

  // --------------------------------------------------------------------------------- stream
  let source = null;
  let asking = 0;
  let retry = 0;
  let silence = 0;
  // Where it is refused the page asks, and leaves it at that until somebody comes back to it: to
  // try now and then would be to fail now and then. A server that was away may have room again.
  let full = false;
  let away = false;

  const ask = async () => {
    clearTimeout(asking);
    if (document.hidden || source) return;
    const at = known;
    try {
      const answer = await fetch(`${words.events}?after=${at}`, {
        method: "HEAD", headers: { "If-None-Match": `"${at}", "${at}-masked"` }, cache: "no-store",
      });
      if (answer.status === 404 || keyGone.is(answer.status)) {
        clearTimeout(retry);
        return answer.status === 404 ? say("closed", words.closed) : leave();
      }
      say("closed");
      if (away) {
        away = full = false;
        return open();
      }
      const version = Number(/\d+/.exec(answer.headers.get("ETag") ?? "")?.[0]);
      if (answer.ok && version) heard({ version });
    } catch { away = true; }
    asking = setTimeout(ask, Date.now() - changed < BUSY ? QUICK : SLOW);
    return undefined;
  };
  const open = () => {
    clearTimeout(retry);
    if (source || document.hidden || full) return;
    clearTimeout(asking);
    source = new EventSource(words.stream);
    // It begins with where the session stands; a proxy may keep even that to itself.
    silence = setTimeout(without, QUIET);
    source.onmessage = (event) => {
      clearTimeout(silence);
      heard(JSON.parse(event.data));
    };
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) refused(); // else it comes back by itself
    };
  };
  const without = () => {
    close();
    ask();
    retry = setTimeout(open, ROOM);
  };
  const refused = () => {
    full = true;
    close();
    ask();
  };
  const close = () => {
    source?.close();
    source = null;
    for (const one of [asking, retry, silence]) clearTimeout(one);
  };

  // -------------------------------------------------------------------------------- witness
  const recall = (name) => {
    try { return JSON.parse(localStorage.getItem(name)); } catch { return null; }
  };
  const remember = (name, value) => {
    try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* nothing can be kept */ }
  };
  let broken = false;
  // Whether the server answered.
  const witness = async () => {
    const seen = recall(WITNESS);
    if (!seen?.head) return true;
    try {
      const answer = await fetch(`${words.witness}?version=${seen.version}&head=${seen.head}`);
      broken = answer.ok && !(await answer.json()).holds;
      say("broken", broken ? words.broken.replace("{n}", seen.version) : "");
      return true;
    } catch { return false; }
  };
  const note = () => {
    const { version, head } = root().dataset;
    known = Math.max(known, shown());
    const seen = recall(WITNESS);
    if (head && !broken && !(seen?.version > Number(version))) {
      remember(WITNESS, { version: Number(version), head });
    }
    if (window.isSecureContext && !words.session.startsWith("demo")) {
      remember(LAST, { session: words.session, version: Number(version), html: root().outerHTML });
    }
    follow();
  };

  // ---------------------------------------------------------------------------------- begin
  const show = () => (document.hidden ? close() : open());
  const back = () => {
    full = false;
    show();
  };
  const catchUp = () => {
    stale = true;
    follow();
  };
  document.addEventListener("table:shown", note);
  document.addEventListener("visibilitychange", back);
  document.addEventListener("outbox:stopped", () => {
    if (keyGone.is(outbox.stopped().status) && outbox.stopped().closed) leave();
  });
  document.addEventListener("outbox:sent", catchUp);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) back(); });
  window.addEventListener("online", () => { say("away"); close(); back(); });
  window.addEventListener("offline", () => { say("away", words.away); close(); });
  document.addEventListener("DOMContentLoaded", async () => {
    const late = new Promise((resolve) => { setTimeout(resolve, SOON, false); });
    const last = recall(LAST);
    const there = await Promise.race([witness(), late]);
    const newer = last?.session === words.session && last.version > shown();
    if (!there && newer) table.show(last.html);
    note();
    show();
    if (!navigator.onLine) say("away", words.away);
  });
  return { close, catchUp };
})();
