// Imported first, lets plain Node load what the Worker's bundler loads: a .wasm file as a compiled module, and TypeScript
// that needs more than its types taken away.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith('.wasm')) {
      const path = JSON.stringify(fileURLToPath(url));
      const source = `import { readFileSync } from 'node:fs';
export default new WebAssembly.Module(readFileSync(${path}));`;
      return { format: 'module', shortCircuit: true, source };
    }
    if (url.endsWith('.ts')) {
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'), { mode: 'transform' });
      return { format: 'module', shortCircuit: true, source };
    }
    return nextLoad(url, context);
  },
});
