// Shows /openapi.json with Scalar. Everything comes from this origin: no fonts, no proxy, no agent, no telemetry.

globalThis.Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true,
  metaData: { title: 'API reference · Image sanitizer' },
  generateHeadingSlug: (heading) => heading.slug,
  onLoaded: showCode,
});

// Errors link to /docs#<code>: each code is a heading of the description's text, which is drawn after the page has loaded.
function showCode() {
  const code = location.hash.slice(1);
  if (!/^[a-z]+(_[a-z]+)*$/.test(code)) return;
  const observer = new ResizeObserver(() => document.getElementById(code)?.scrollIntoView());
  observer.observe(document.body);
  // What is above may still grow for a moment; after that the page is the reader's.
  setTimeout(() => observer.disconnect(), 1500);
}
