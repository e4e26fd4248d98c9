// Light or dark: as the system says, until the reader chooses.
"use strict";

(() => {
  const KEPT = "referee-theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  // A page from the disk may not be allowed to keep anything.
  function kept() {
    try {
      return localStorage.getItem(KEPT);
    } catch {
      return null;
    }
  }

  function keep(theme) {
    try {
      localStorage.setItem(KEPT, theme);
    } catch {
      // the choice lasts for this page
    }
  }

  const isDark = () => root.dataset.theme === "dark" || (!root.dataset.theme && system.matches);

  if (kept()) root.dataset.theme = kept();

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const say = () => {
      button.textContent = isDark() ? "Light" : "Dark";
    };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      keep(root.dataset.theme);
      say();
    });
    system.addEventListener("change", say);
    say();
  });
})();
