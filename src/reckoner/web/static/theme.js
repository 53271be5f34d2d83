// Light or dark: as the system has it, until the person chooses; the choice is remembered where that is possible.

const KEY = "reckoner-theme";

export function listenToTheme(button) {
  apply(remembered());
  button.addEventListener("click", () => {
    const isDark = getComputedStyle(document.documentElement).colorScheme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    apply(isDark ? "light" : "dark");
    try {
      localStorage.setItem(KEY, isDark ? "light" : "dark");
    } catch {
      // a file on disk or a frame may have no storage; then the choice lasts as long as the page
    }
  });
}

function apply(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

function remembered() {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === "light" || theme === "dark" ? theme : null;
  } catch {
    return null;
  }
}
