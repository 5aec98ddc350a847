// Files are made with the times of this phone: the service has to know its zone.
"use strict";
(() => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (timeZone) {
    document.cookie = `zone=${timeZone}; path=/; max-age=31536000; samesite=lax${secure}`;
  }
})();
