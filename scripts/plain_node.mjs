import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ensureCore } from './core/ensure.mjs';

/**
 * Lets plain Node import what the Worker imports: TypeScript, .wasm as a compiled module, .onnx as bytes.
 * Import this first, and the sources afterwards with `await import()`; they get a core that is up to date.
 */
registerHooks({
  load(url, context, nextLoad) {
    const source = sourceFor(url);
    return source === undefined ? nextLoad(url, context) : { format: 'module', shortCircuit: true, source };
  },
});
await ensureCore();

function sourceFor(url) {
  if (!url.startsWith('file:')) return undefined;
  const path = fileURLToPath(url);
  if (path.endsWith('.ts')) return stripTypeScriptTypes(readFileSync(path, 'utf8'), { mode: 'transform' });
  const read = `import { readFileSync } from 'node:fs'; const bytes = readFileSync(${JSON.stringify(path)});`;
  if (path.endsWith('.wasm')) return `${read} export default new WebAssembly.Module(bytes);`;
  if (path.endsWith('.onnx')) {
    return `${read} export default bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);`;
  }
  return undefined;
}
