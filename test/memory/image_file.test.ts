import { expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { bytesOf, bytesOutsideCores } from '../../src/memory/image_file.ts';
import { CoreBytes, HeapBytes } from '../../src/memory/owned_bytes.ts';

it('gives the bytes of every form of a file, and how many lie outside of cores', () => {
  const plain = new Uint8Array([1, 2, 3]);
  expect([bytesOf(plain), bytesOutsideCores(plain)]).toEqual([plain, 3]);
  using heap = new HeapBytes(plain);
  expect([bytesOf(heap), bytesOutsideCores(heap)]).toEqual([plain, 3]);
  using inCore = CoreBytes.allocate(createCore(), 3);
  inCore.bytes.set(plain);
  expect([bytesOf(inCore), bytesOutsideCores(inCore)]).toEqual([plain, 0]);
});
