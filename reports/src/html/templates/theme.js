"use strict";
(() => {
  const theme = document.getElementById("theme");
  const themes = ["system", "light", "dark"];
  let current = 0;
  theme.hidden = false;
  theme.addEventListener("click", () => {
    current = (current + 1) % themes.length;
    document.documentElement.style.colorScheme = current === 0 ? "" : themes[current];
    theme.textContent = `Theme: ${themes[current]}`;
  });
})();
