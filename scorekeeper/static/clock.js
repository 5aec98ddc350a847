// Times, and the day of an evening, are shown as this phone's clock had them.
"use strict";
(() => {
  const { lang } = document.documentElement;
  const spoken = navigator.languages.find((one) => one.startsWith(lang)) || lang;
  const tell = () => {
    for (const time of document.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      if (isNaN(at)) continue;
      const told = (how) => new Intl.DateTimeFormat(spoken, how).format(at);
      time.textContent = told("day" in time.dataset ? { dateStyle: "long" } : { timeStyle: "short" });
      time.title = told({ dateStyle: "full", timeStyle: "long" });
    }
  };
  document.addEventListener("table:shown", tell);
  document.addEventListener("log:shown", tell);
  tell();
})();
