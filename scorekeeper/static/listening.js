// What a page is told while it is looked at: by a stream; where none begins or holds, by the answer
// to a small question every now and then.
//
// Where there is no stream it asks `where()`, an address and the tag of what is known, and `every`
// says after how many milliseconds again. `heard` gets what was told, or what a new tag is `of`.
const listen = ({ stream, every, where, of, heard }) => {
  const QUIET = 5000; // milliseconds in which a stream has to begin
  let source = null;
  let timer = 0;

  const ask = async () => {
    clearTimeout(timer);
    if (document.hidden || source) return;
    try {
      const [at, known] = where();
      const answer = await fetch(at, { method: "HEAD", headers: { "If-None-Match": `"${known}", "${known}-masked"` }, cache: "no-store" });
      const tag = answer.headers.get("ETag")?.replace("W/", "").replaceAll(`"`, "");
      if (answer.ok && tag) heard(of(tag));
    } catch { /* away */ }
    timer = setTimeout(ask, every);
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const without = () => {
    close();
    ask();
  };
  const open = () => {
    close();
    if (document.hidden) return;
    source = new EventSource(stream);
    timer = setTimeout(without, QUIET);
    source.onmessage = ({ data }) => {
      clearTimeout(timer);
      heard(JSON.parse(data));
    };
    source.onerror = () => { if (source?.readyState === EventSource.CLOSED) without(); };
  };
  document.addEventListener("visibilitychange", open);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) open(); });
  window.addEventListener("online", open);
  open();
};
