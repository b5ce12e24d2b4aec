// Sets the color scheme before the first paint. The content security policy forbids inline scripts.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage is blocked: the system's scheme decides.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.mantineColorScheme =
    chosen === 'light' || chosen === 'dark' ? chosen : system;
})();
