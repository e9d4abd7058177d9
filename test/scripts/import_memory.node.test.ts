import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { importMemory } from '../../scripts/core/import_memory.mjs';

/**
 * A module with a memory of one page, which stores 42 at the address that imported `at` gives, in WAT:
 * (module (import "env" "at" (func (result i32))) (memory (export "memory") 1)
 *   (func (export "run") (i32.store8 (call 0) (i32.const 42)))) */
const MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 8, 2, 0x60, 0, 1, 0x7f, 0x60, 0, 0],
  ...[2, 10, 1, 3, 0x65, 0x6e, 0x76, 2, 0x61, 0x74, 0, 0],
  ...[3, 2, 1, 1],
  ...[5, 3, 1, 0, 1],
  ...[7, 16, 2, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 3, 0x72, 0x75, 0x6e, 0, 1],
  ...[10, 11, 1, 9, 0, 0x10, 0, 0x41, 42, 0x3a, 0, 0, 0x0b],
]);

async function instantiate(bytes: Uint8Array, namespace: string, offered: WebAssembly.ModuleImports) {
  const made: unknown = await WebAssembly.instantiate(new Uint8Array(bytes), { [namespace]: offered });
  return (made as { readonly instance: WebAssembly.Instance }).instance.exports;
}

it('a module runs in a memory that is given to it', async () => {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const exports = await instantiate(importMemory(MODULE, 'env'), 'env', { at: () => 70_000, memory });
  (exports.run as () => void)();
  expect(new Uint8Array(memory.buffer)[70_000]).toBe(42);
  expect(exports.memory).toBe(memory);
});

it('asks for as much as the module had, without a limit', async () => {
  const module = importMemory(
    readFileSync(resolve('node_modules/@jsquash/avif/codec/dec/avif_dec.wasm')),
    'a',
  );
  const functions = Object.fromEntries(
    Array.from('abcdefghijklmnopqrstuvwxyzABCDE', (name) => [name, () => 0]),
  );
  const run = (pages: number) => {
    const memory = new WebAssembly.Memory({ initial: pages });
    return instantiate(module, 'a', { ...functions, memory });
  };
  await expect(run(255)).rejects.toThrow('memory');
  await expect(run(256)).resolves.toBeDefined();
});

it('refuses what has no memory', () => {
  expect(() => importMemory(MODULE.subarray(0, 8), 'env')).toThrow('memory');
});
