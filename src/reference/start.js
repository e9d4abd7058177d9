// Renders /openapi.json with Scalar, in place of the overview that the page comes with. Everything is loaded
// from this origin: no fonts, proxy, agent or telemetry.

const overview = document.getElementById('overview');
const reference = document.getElementById('reference');

// Scalar's script is large. The overview is painted first.
if (PerformanceObserver.supportedEntryTypes.includes('paint')) {
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    loadScalar();
  });
  observer.observe({ type: 'paint', buffered: true });
} else loadScalar();

function loadScalar() {
  const script = document.createElement('script');
  script.src = reference.dataset.script;
  script.addEventListener('load', render);
  document.head.append(script);
}

async function render() {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) return;
  globalThis.Scalar.createApiReference(reference, {
    content: forCallers(await answer.json()),
    theme: 'none',
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    hideDarkModeToggle: true,
    // Each operation has samples of its own, with this service's client.
    hiddenClients: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    defaultOpenAllTags: true,
    metaData: { title: 'API reference · Image sanitizer' },
    generateHeadingSlug: (heading) => heading.slug,
    onLoaded: showReference,
  });
}

/** The description without what only browsers and crawlers ask for: pages, their files, this description. */
function forCallers(description) {
  const isPlumbing = (operation) =>
    operation.tags?.includes('Pages') || ['getOpenApi', 'getMetrics'].includes(operation.operationId);
  const paths = Object.entries(description.paths).filter(
    ([, item]) => !Object.values(item).some((member) => isPlumbing(member)),
  );
  return {
    ...description,
    paths: Object.fromEntries(paths),
    tags: description.tags.filter(({ name }) => name !== 'Pages'),
  };
}

function showReference() {
  if (reference.hidden === false) return;
  overview.remove();
  reference.hidden = false;
  scrollToErrorCode();
}

// Errors link to /docs#<code>. Each code is a heading, which Scalar renders after the page has loaded.
function scrollToErrorCode() {
  const code = location.hash.slice(1);
  if (!/^[a-z]+(_[a-z]+)*$/.test(code)) return;
  const observer = new ResizeObserver(() => document.getElementById(code)?.scrollIntoView());
  observer.observe(document.body);
  // The content above the heading may still grow for a moment. After that, scrolling is left to the reader.
  setTimeout(() => observer.disconnect(), 1500);
}
