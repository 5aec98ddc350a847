// Where the record has moved on, or refuses what waits: what is on record now, what waits, and
// what becomes of it, for somebody to decide.
(() => {
  const sheet = document.getElementById("conflict");
  const { fill, words } = strip;
  const STALE = 412;

  // ------------------------------------------------------------------------- what was meant
  const merged = (into, part) => {
    for (const [name, value] of Object.entries(part)) {
      const old = into[name];
      if (Array.isArray(value)) into[name] = [...(old ?? []), ...value];
      else if (value && typeof value === "object") into[name] = merged(old ?? {}, value);
      else into[name] = value;
    }
    return into;
  };
  const facts = (item) => {
    const data = {};
    for (const [name, value] of item.fields) {
      const [, kind, path] = /^(n|t):(.+)/.exec(name) ?? [];
      if (/^(fixed|with)/.test(name) && value) merged(data, JSON.parse(value));
      else if (path && value) {
        const typed = kind === "n" ? Number(value) : value;
        merged(data, path.split(".").reduceRight((inner, part) => ({ [part]: inner }), typed));
      }
    }
    return { type: item.fields.find(([name]) => name === "type")?.[1], data };
  };
  const sorted = (value) => (value && typeof value === "object" && !Array.isArray(value)
    ? Object.keys(value).sort().map((name) => [name, sorted(value[name])]) : value);
  const equal = (one, other) => one.type === other.type
    && JSON.stringify(sorted(one.data)) === JSON.stringify(sorted(other.data));

  // ------------------------------------------------------------------------ what is shown
  const why = ({ status, html, closed }) => {
    if (closed) return words.closed;
    const answer = document.createElement("template");
    answer.innerHTML = html;
    const said = [...answer.content.querySelectorAll("#notice li")].map((one) => one.textContent)
      .join(" · ");
    if (status === STALE && said) return fill(words.since, { said });
    return said || words.refused;
  };
  const explain = async (item, stopped) => {
    stopped.why = why(stopped);
    draw();
    if (!stopped.closed) {
      try {
        const answer = await fetch(`${words.events}?after=${item.version}`, { cache: "no-store" });
        const since = await answer.json();
        const mine = facts(item);
        stopped.now = since.version;
        stopped.same = since.events.some((one) => equal(one, mine));
      } catch { /* the choice is the same without */ }
      live.catchUp();
    }
    draw();
    if (!document.activeElement.matches("#table input:not([type=radio])")) sheet.focus();
  };

  const decide = (item, what) => {
    const stopped = outbox.stopped();
    // What was wrong with one says nothing of those behind it.
    if (stopped && !stopped.closed && stopped.status !== STALE) stopped.why = words.refused;
    if (what === "drop" || !stopped) outbox.drop(item.key);
    else if (what === "after") outbox.go(item.key, { version: stopped.now ?? table.version() });
    else if (what === "played") outbox.go(item.key, { fields: [...item.fields, ["as_played", "1"]] });
    else outbox.go(item.key, {});
  };
  const offered = ({ status, html }) => {
    if (status === STALE) return ["after", "drop"];
    return [/name="?as_played/.test(html) ? "played" : "again", "drop"];
  };

  const draw = () => {
    const stopped = outbox.stopped();
    const all = outbox.all();
    sheet.hidden = !stopped?.why || !all.length;
    if (sheet.hidden) return;
    sheet.querySelector("[data-part=why]").textContent = stopped.why;
    sheet.querySelector("[data-part=same]").hidden = !stopped.same;
    sheet.querySelector("ol").replaceChildren(...all.map((item, place) => row(item, place, stopped)));
  };
  const row = (item, place, stopped) => {
    const line = sheet.querySelector("template").content.cloneNode(true).firstElementChild;
    line.querySelector("bdi").textContent = item.said;
    for (const press of line.querySelectorAll("button")) {
      const what = press.dataset.do;
      press.hidden = !offered(stopped).includes(what) || (place > 0 && what !== "drop");
      press.addEventListener("click", () => decide(item, what));
    }
    return line;
  };

  document.addEventListener("outbox:changed", draw);
  document.addEventListener("outbox:stopped", ({ detail }) => explain(detail, outbox.stopped()));
})();
