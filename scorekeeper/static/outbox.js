// What is recorded goes through here: sent at once, or kept on this phone while the network is
// away, and then sent in its order. An entry leaves the phone's memory only when the server has
// answered it, or when somebody throws it away; its key lets the server take it once.
//
//   post(url, fields, said, form)  an entry; its answer {status, html, version}, or null while it
//                                  waits
//   undo()                         take back the last one, if it was never sent
//   drop(key), go(key, facts)      what becomes of the first one, where somebody has to decide
//
// It tells of outbox:changed; of an entry that is outbox:kept, outbox:dropped or outbox:stopped;
// and outbox:sent when the record has more than the page shows.
const outbox = (() => {
  const { say, words } = strip;
  const STORE = `outbox:${words.session}`;
  const PATIENCE = 6000; // milliseconds for an answer,
  const FREE = 2500; //   and until the pad goes on without it
  const SLOWEST = 10000; // milliseconds between two attempts
  const AWAY = [0, 500, 502, 504]; // as good as no answer
  const STALE = 412;
  const OFTEN = 429;
  const BUSY = [409, OFTEN, 503]; // answered later
  const answers = new Map(); // by key: who waits at the pad for the answer to an entry

  // Without the table in its answer, it is the key that is refused.
  // A round that was closed: the pad is gone, so what was entered is kept for the director.
  const isLate = ({ html }) => html.includes(" data-late>");
  const isClosed = ({ status, html }) => [401, 403, 404, 410].includes(status) && !/id="?table"?/.test(html);

  // ---------------------------------------------------------------------------------- store
  let kept = true;
  let queue = [];
  const read = () => {
    if (kept) try { queue = JSON.parse(localStorage.getItem(STORE)) ?? []; } catch { kept = false; }
    return queue;
  };
  const change = (how) => {
    queue = how(read());
    try {
      if (queue.length) localStorage.setItem(STORE, JSON.stringify(queue));
      else localStorage.removeItem(STORE);
      kept = true;
    } catch { kept = false; }
    announce("outbox:changed");
  };
  const alter = (key, facts) =>
    change((all) => all.map((one) => (one.key === key ? { ...one, ...facts } : one)));
  // Out with an entry; the next one stands on the version that this one made, or would have.
  // Behind an entry that was thrown away, or that went after what others recorded, each one says
  // itself which hand it is for: what others recorded may have ended that hand.
  const remove = (key, version = null) => change((all) => {
    const place = all.findIndex((one) => one.key === key);
    if (place < 0) return all; // another window of this phone was quicker
    const gone = all[place], next = all[place + 1];
    if (gone.whole && version) ended = { shown: table.version(), hands: handsEnded() + 1 };
    if (next) next.version ??= version ?? gone.version;
    if (next && (!version || gone.after)) Object.assign(next, { fields: forItsHand(next), after: true });
    return all.filter((one) => one.key !== key);
  });
  const forItsHand = ({ fields, hand }) =>
    (hand && !fields.some(([name]) => name === "hand") ? [...fields, ["hand", hand]] : fields);
  // Those for whose answer nobody waits at the pad.
  const alone = () => queue.filter((one) => !answers.has(one.key));
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // -------------------------------------------------------------------------------- sending
  let stopped = null; // the answer that the first entry got, where somebody has to decide
  let under = false;
  let ahead = null; // the version that this phone has made while the pad still shows another
  let pause = 0;
  let timer = 0;

  const ask = async ({ url, fields, version, key }) => {
    const body = new URLSearchParams(fields);
    body.set("version", version ?? table.version());
    body.set("key", key);
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), PATIENCE);
    try {
      const headers = { "X-Fragment": "1", "X-Shown": table.version() };
      if (!answers.has(key)) headers.Prefer = "return=minimal"; // nobody waits for a new fragment
      const answer = await fetch(url, { method: "POST", body, headers, signal: stop.signal });
      const html = await answer.text();
      const made = Number(/\d+/.exec(answer.headers.get("ETag") ?? "")?.[0]) || null;
      const wait = Number(answer.headers.get("Retry-After")) || 1;
      return { status: answer.status, html, version: made, wait };
    } catch {
      return { status: 0, html: "", version: null, wait: 1 };
    } finally {
      clearTimeout(late);
    }
  };

  const flush = async () => {
    clearTimeout(timer);
    if (under || stopped || !read().length) return;
    under = true;
    let unseen = 0;
    while (queue.length && !stopped) {
      const became = await send(queue[0]);
      if (!became) break;
      if (became === "kept") unseen += 1;
    }
    under = false;
    announce("outbox:changed");
    if (unseen) announce("outbox:sent");
    if (queue.length && !stopped) timer = setTimeout(flush, pause);
  };

  // Nothing while the entry waits; "told" or "kept" once it is done with, and the next may go:
  // the pad has its answer, or nobody does.
  const send = async (item) => {
    item.version ??= table.version();
    alter(item.key, { version: item.version, tried: true });
    const answer = await ask(item);
    const away = AWAY.includes(answer.status);
    if (away || BUSY.includes(answer.status)) {
      pause = away ? Math.min(SLOWEST, 2 * pause || 1000) : 1000 * answer.wait;
      const busy = answer.status === OFTEN ? words.often : words.busy;
      say("away", answer.status ? busy : words.away);
      tell(item.key, null);
      return "";
    }
    pause = 0;
    say("away");
    const lonely = answers.has(item.key) && queue.length === 1;
    if (answer.status < 400 || (lonely && !isClosed(answer) && !isLate(answer))) {
      remove(item.key, answer.version);
      if (answer.version) ahead = { shown: table.version(), version: answer.version };
      return tell(item.key, answer) ? "told" : "kept";
    }
    tell(item.key, null);
    stopped = { ...answer, key: item.key, closed: isClosed(answer) };
    announce("outbox:stopped", item);
    return "";
  };

  const tell = (key, answer) => {
    const waiting = answers.get(key);
    answers.delete(key);
    waiting?.(answer);
    return Boolean(waiting);
  };

  // What was entered on a pad that an entry before it has already moved on: whether a hand begins
  // with it, and who deals then, the server knows when it comes; and of a card, unless somebody
  // was chosen, who plays it.
  const TURN = "[data-group=player] input";
  // Which hand an entry is for, as far as this phone can know: what waits before it may have ended
  // the one that the pad shows.
  let ended = { shown: 0, hands: 0 }; // the whole hands that were sent from this pad
  const handsEnded = () => (ended.shown === table.version() ? ended.hands : 0);
  const TRICKS = "#table .tricks li";
  const says = ({ fields }, type) => fields.some(([, value]) => value === type);
  const handOf = (told) => {
    const [match, hand] = (told.find(([name]) => name === "hand")?.[1] ?? "").split("-");
    if (!hand) return null;
    const before = read().filter((one) => one.shown === table.version());
    const tricks = document.querySelectorAll(TRICKS).length;
    const free = document.querySelectorAll(`${TRICKS}:not(.won)`).length;
    const seats = document.querySelectorAll(`#table .card_played ${TURN}`).length;
    const lying = document.querySelectorAll("#table .card_played .lying:not(.won) .card").length;
    const cards = lying + before.filter((one) => says(one, "card_played")).length;
    const played = before.filter((one) => says(one, "trick_taken")).length
      + (seats ? Math.floor(cards / seats) : 0);
    const plays = ["trick_taken", "card_played"].some((type) => says({ fields: told }, type));
    const more = plays && tricks && played >= free ? 1 + Math.floor((played - free) / tricks) : 0;
    const whole = before.filter((one) => one.whole).length;
    return `${match}-${Number(hand) + handsEnded() + whole + more}`;
  };
  const behind = (told, form) => {
    const fields = form?.matches(".card_played") && !form.querySelector(`${TURN}:checked:not([checked])`)
      ? [...told.filter(([name]) => name !== "with:player"), ["with:player", '{"player":"*"}']] : told;
    const rest = fields.filter(([name]) => name !== "dealer" && name !== "hand");
    const begins = fields.some(([name]) => name === "dealer") || form?.dataset.step === "totals"
      || rest.some(([name, value]) => name === "type" && /^(card_played|trick_taken)$/.test(value));
    return begins ? [...rest, ["dealer", "*"]] : rest;
  };
  const post = (url, told, said, form) => {
    const first = !read().length && !stopped;
    const old = ahead?.shown === table.version();
    const fields = (first && !old ? told : behind(told, form))
      .filter(([name]) => name !== "version" && name !== "key");
    const item = {
      key: newKey(), url, fields, said, version: null, tried: false, at: Date.now(),
      hand: handOf(told), whole: form?.dataset.step === "totals", shown: table.version(),
    };
    if (first && old) item.version = ahead.version;
    else if (first) item.version = Number(told.find(([name]) => name === "version")?.[1]) || null;
    // Whoever waits at the pad is known before the entry is, or it would be shown as waiting alone.
    const answered = first ? new Promise((resolve) => {
      const late = setTimeout(() => { tell(item.key, null); announce("outbox:changed"); }, FREE);
      answers.set(item.key, (answer) => {
        clearTimeout(late);
        if (!answer) announce("outbox:kept", { item, form });
        resolve(answer);
      });
    }) : Promise.resolve(null);
    change((all) => [...all, item]);
    if (!first) announce("outbox:kept", { item, form });
    flush();
    return answered;
  };

  // Take back the last entry that waits and was never sent; whether there was one.
  const undo = () => {
    const last = read().at(-1);
    if (!last || last.tried) return false;
    remove(last.key);
    announce("outbox:dropped", last);
    return true;
  };

  const drop = (key) => {
    const item = queue.find((one) => one.key === key);
    remove(key);
    if (item) announce("outbox:dropped", item);
    // Those behind it stood on it: somebody looks at each, or the server, which knows what came since.
    const ask = queue.length && stopped && (stopped.closed || stopped.status !== STALE);
    stopped = ask ? { ...stopped, key: queue[0].key, same: false, over: false, tooLate: false } : null;
    announce("outbox:changed");
    flush();
  };
  const go = (key, facts) => {
    alter(key, facts);
    stopped = null;
    announce("outbox:changed");
    flush();
  };

  // ---------------------------------------------------------------------------------- begin
  const soon = () => { pause = 0; flush(); };
  window.addEventListener("online", soon);
  window.addEventListener("pageshow", soon);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) soon(); });
  // Another window of this phone has changed what waits.
  window.addEventListener("storage", (event) => {
    if (event.key !== STORE) return;
    if (stopped && read()[0]?.key !== stopped.key) stopped = null;
    read();
    announce("outbox:changed");
  });
  window.addEventListener("beforeunload", (event) => { if (!kept && queue.length) event.preventDefault(); });
  document.addEventListener("DOMContentLoaded", () => { read(); announce("outbox:changed"); soon(); });
  return {
    post, undo, drop, go, flush: soon, alone, all: () => queue, stopped: () => stopped, kept: () => kept,
    forItsHand, waiting: () => read().length, sending: () => under && !stopped,
  };
})();
