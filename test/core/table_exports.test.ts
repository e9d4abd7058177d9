import { expect, it } from 'vitest';
import compiled from '../../dist/core.wasm';
import { createCore } from '../../src/core/instance.ts';

it('a core makes a function of its own when it is asked for, and once', () => {
  using core = createCore();
  using other = createCore();
  const { alloc } = core.exports;
  expect(core.exports.alloc).toBe(alloc);
  expect(other.exports.alloc).not.toBe(alloc);
  const at = alloc(16);
  expect(core.exports.mark()).toBe(at + 16);
  expect(other.exports.mark()).toBe(at);
});

it('has a function for each name', () => {
  using core = createCore();
  const [section] = WebAssembly.Module.customSections(compiled, 'functions');
  const names = new TextDecoder().decode(section).split('\n');
  expect(names).toContain('jpegDecodeRow');
  for (const name of names) expect(core.exports).toHaveProperty(name, expect.any(Function));
});

// Regression: the runtime made a function for each of 183 exports whenever a core was made.
it('exports no function by name', () => {
  expect(WebAssembly.Module.exports(compiled).map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'memory memory',
    'table functions',
  ]);
});
