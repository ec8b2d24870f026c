// Runs before the first paint, so that a remembered theme never flashes. src/lib/prefs.ts owns the key.
try {
  var theme = JSON.parse(localStorage.getItem('turnwatch.prefs') || '{}').theme
  if (theme !== 'light' && theme !== 'dark') theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
} catch {
  document.documentElement.dataset.theme = 'dark'
}
