/**
 * Options of esbuild for the oldest runtimes supported by the package and the page. Many lack
 * `Symbol.dispose` (Node up to 20.3, Chromium up to 133, Firefox up to 140, Safari): there a symbol of that
 * name is used, as esbuild does for `using`, and the global `Symbol` is not changed.
 */
export const olderHomes = {
  target: ['es2022', 'node20', 'chrome111', 'firefox115', 'safari16.4'],
  define: { 'Symbol.dispose': 'DISPOSE' },
  banner: { js: "const DISPOSE = Symbol.dispose ?? Symbol.for('Symbol.dispose');" },
};

/**
 * Removes the banner from a built script that disposes of nothing and so does not need it.
 * @param {string} script
 */
export function withoutIdleBanner(script) {
  const rest = script.slice(olderHomes.banner.js.length);
  return script.startsWith(olderHomes.banner.js) && !rest.includes('DISPOSE') ? rest.trimStart() : script;
}
