// Renders /openapi.json with Scalar. Everything is loaded from this origin: no fonts, proxy, agent or
// telemetry.

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
  onLoaded: scrollToErrorCode,
});

// Errors link to /docs#<code>. Each code is a heading, which Scalar renders after the page has loaded.
function scrollToErrorCode() {
  const code = location.hash.slice(1);
  if (!/^[a-z]+(_[a-z]+)*$/.test(code)) return;
  const observer = new ResizeObserver(() => document.getElementById(code)?.scrollIntoView());
  observer.observe(document.body);
  // The content above the heading may still grow for a moment. After that, scrolling is left to the reader.
  setTimeout(() => observer.disconnect(), 1500);
}
