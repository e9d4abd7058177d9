/**
 * What esbuild is told for the oldest homes that the package and the page work in. Many lack `Symbol.dispose`
 * (Node up to 20.3, Chromium up to 133, Firefox up to 140, Safari): there a symbol of that name is taken, as
 * esbuild does for `using`, and the global `Symbol` is left as it is.
 */
export const olderHomes = {
  target: ['es2022', 'node20', 'chrome111', 'firefox115', 'safari16.4'],
  define: { 'Symbol.dispose': 'DISPOSE' },
  banner: { js: "const DISPOSE = Symbol.dispose ?? Symbol.for('Symbol.dispose');" },
};

/**
 * A built script without the banner where it disposes of nothing: it would only be loaded.
 * @param {string} script
 */
export function withoutIdleBanner(script) {
  const rest = script.slice(olderHomes.banner.js.length);
  return script.startsWith(olderHomes.banner.js) && !rest.includes('DISPOSE') ? rest.trimStart() : script;
}
