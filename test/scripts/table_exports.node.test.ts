import { expect, it } from 'vitest';
import { tableExports } from '../../scripts/core/table_exports.mjs';

/**
 * In WAT: (module (memory (export "memory") 1) (func (export "one") (result i32) (i32.const 1))
 *   (func (export "two") (result i32) (i32.const 2))) */
const MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 0, 1, 0x7f],
  ...[3, 3, 2, 0, 0],
  ...[5, 3, 1, 0, 1],
  ...[7, 22, 3, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 3, 0x74, 0x77, 0x6f, 0, 1, 3, 0x6f, 0x6e, 0x65],
  ...[0, 0],
  ...[10, 11, 2, 4, 0, 0x41, 1, 0x0b, 4, 0, 0x41, 2, 0x0b],
]);

it('a module exports one table of its functions, with their names beside it', async () => {
  const made: unknown = await WebAssembly.instantiate(new Uint8Array(tableExports(MODULE)));
  const { module, instance } = made as { module: WebAssembly.Module; instance: WebAssembly.Instance };
  expect(WebAssembly.Module.exports(module)).toEqual([
    { name: 'memory', kind: 'memory' },
    { name: 'functions', kind: 'table' },
  ]);
  const [names] = WebAssembly.Module.customSections(module, 'functions');
  expect(new TextDecoder().decode(names)).toBe('two\none');
  const { functions } = instance.exports as { functions: WebAssembly.Table };
  expect([functions.get(0)(), functions.get(1)(), functions.length]).toEqual([2, 1, 2]);
});

it('refuses what has a table, or exports nothing', () => {
  expect(() => tableExports(tableExports(MODULE))).toThrow('without a table');
  expect(() => tableExports(MODULE.subarray(0, 8))).toThrow('exports');
});
