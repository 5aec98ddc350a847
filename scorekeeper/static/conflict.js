// Where the record has moved on, or refuses what waits: what is on record now, what waits, and
// what becomes of it, for somebody to decide.
(() => {
  const sheet = document.getElementById("conflict");
  const { fill, words } = strip;
  const STALE = 412;

  // ------------------------------------------------------------------------ what is shown
  // What the server says of the entry, and of what came before it.
  const answerOf = ({ status, html, closed }) => {
    if (closed) return { why: words.closed };
    const { body } = new DOMParser().parseFromString(html, "text/html");
    const notice = body.querySelector("#notice");
    const said = [...notice?.querySelectorAll("li") ?? []].map((one) => one.textContent).join(" · ");
    const { same, over, tooLate, late } = notice?.dataset ?? {};
    return {
      why: (status === STALE && said && fill(words.since, { said })) || said || words.refused,
      now: Number(body.querySelector("#table")?.dataset.version) || null,
      same: same !== undefined,
      over: over !== undefined,
      tooLate: tooLate !== undefined,
      late: late !== undefined,
    };
  };
  const explain = (stopped) => {
    Object.assign(stopped, answerOf(stopped));
    if (!stopped.closed) live.catchUp();
    draw();
    if (!document.activeElement.matches("#table input:not([type=radio])")) sheet.focus();
  };

  const decide = (item, what) => {
    const stopped = outbox.stopped();
    // What was wrong with one says nothing of those behind it.
    if (stopped && !stopped.closed && stopped.status !== STALE) stopped.why = words.refused;
    if (what === "drop" || !stopped) outbox.drop(item.key);
    else if (what === "after") outbox.go(item.key, { version: stopped.now ?? table.version(), fields: outbox.forItsHand(item), after: true });
    else if (what === "played") outbox.go(item.key, { fields: [...item.fields, ["as_played", "1"]] });
    else outbox.go(item.key, {});
  };
  // What can be done with an entry, the safe way first.
  const offered = ({ status, html, same, over, tooLate, late }) => {
    if (over || tooLate || late) return ["drop"];
    if (status === STALE) return same ? ["drop", "after"] : ["after", "drop"];
    return [/name="?as_played/.test(html) ? "played" : "again", "drop"];
  };

  const draw = () => {
    const stopped = outbox.stopped();
    const all = outbox.all();
    sheet.hidden = !stopped?.why || !all.length;
    if (sheet.hidden) return;
    sheet.querySelector("[data-part=why]").textContent = stopped.why;
    sheet.querySelector("[data-part=same]").hidden = !stopped.same;
    sheet.querySelector("[data-part=over]").hidden = !stopped.over;
    if (toDirector) toDirector.hidden = !stopped.late;
    sheet.querySelector("ol").replaceChildren(...all.map((item, place) => row(item, place, stopped)));
  };
  const row = (item, place, stopped) => {
    const line = sheet.querySelector("template").content.cloneNode(true).firstElementChild;
    line.querySelector("bdi").textContent = item.said;
    const ways = place > 0 ? ["drop"] : offered(stopped);
    const presses = Object.fromEntries(
      [...line.querySelectorAll("button")].map((press) => [press.dataset.do, press]),
    );
    line.querySelector(".tools").replaceChildren(...ways.map((what, rank) => {
      presses[what].classList.toggle("quiet", rank > 0 || place > 0 || stopped.late);
      presses[what].addEventListener("click", () => decide(item, what));
      return presses[what];
    }));
    return line;
  };

  // In a tournament: what came after the end of a round goes to the director as calls, each of as
  // many entries as it can hold. An entry is let go when its call is on record.
  const toDirector = sheet.querySelector("[data-part=late]");
  const LONGEST = 400; // characters of a call
  const callDirector = async ({ currentTarget: press }) => {
    const { call, place, there } = toDirector.dataset;
    press.disabled = true;
    try {
      while (outbox.waiting()) {
        const sent = [];
        let about = "";
        for (const item of outbox.all()) {
          const more = fill(place, { said: [...sent, item].map(({ said }) => said).join(" · ") });
          if (sent.length && more.length > LONGEST) break;
          sent.push(item);
          about = more.slice(0, LONGEST);
        }
        const body = new URLSearchParams({ about, key: sent[0].key });
        const answer = await fetch(call, { method: "POST", body });
        if (!answer.ok) {
          const page = new DOMParser().parseFromString(await answer.text(), "text/html");
          outbox.stopped().why = page.querySelector("[role=alert]")?.textContent || words.refused;
          return draw();
        }
        for (const { key } of sent) outbox.drop(key);
      }
      return location.assign(there);
    } catch { return undefined; /* away: the entries stay, and so does the button */ } finally {
      press.disabled = false;
    }
  };
  toDirector?.querySelector("button").addEventListener("click", callDirector);

  document.addEventListener("outbox:changed", draw);
  document.addEventListener("outbox:stopped", () => explain(outbox.stopped()));
})();
