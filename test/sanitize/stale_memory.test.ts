import { afterEach, expect, it, vi } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { INITIAL_PAGES, isolateMemoryPool } from '../../src/core/memory_pool.ts';
import type { SanitizeOpsInput } from '../../src/ops/schema.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';
import { sanitized } from '../fixtures/sanitized.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Pages that jobs of these pictures do not outgrow: what a memory grows by is zeros. */
const PAGES = INITIAL_PAGES + 60;

const outputs: readonly SanitizeOpsInput[] = [
  { output: { format: 'jpeg', quality: 92 }, grayscale: true },
  { output: { format: 'jpeg', quality: 40, maxWidth: 31 }, rotate: 90 },
  { output: { format: 'png' } },
  { output: { format: 'webp', quality: 75 }, crop: { x: 3, y: 1, width: 41, height: 37 } },
];

/** As integers, and as real numbers of both sizes, not near zero. */
const LEFT = 0x41;

/** The output of a job all of whose memories hold this byte, but for the core's own data at their start. */
async function afterOthers(byte: number, file: Uint8Array, ops: SanitizeOpsInput) {
  const first = createCore();
  const start = first.exports.mark() >>> 0;
  first[Symbol.dispose]();
  const taken = vi.spyOn(isolateMemoryPool, 'take').mockImplementation(() => {
    const memory = new WebAssembly.Memory({ initial: PAGES });
    new Uint8Array(memory.buffer, start).fill(byte);
    return memory;
  });
  let beyond = 0;
  vi.spyOn(isolateMemoryPool, 'giveBack').mockImplementation((memory, usedBytes) => {
    // What is not zeroed afterwards must be as it was.
    const at = Math.min(Math.max(usedBytes, start), memory.buffer.byteLength);
    const rest = Buffer.from(memory.buffer, at);
    if (!rest.equals(Buffer.alloc(rest.length, byte))) beyond++;
    memory.grow(0);
  });
  const { bytes } = await sanitized(file.slice(), ops);
  expect(taken).toHaveBeenCalled();
  vi.restoreAllMocks();
  expect(beyond).toBe(0);
  return bytes;
}

it.each(inputFormats)('%s: no output depends on bytes that were left in memory', async (format) => {
  const file = await sampleFile(format, photoPicture(101, 79, 4));
  for (const [index, ops] of outputs.entries()) {
    // Half of them each: all formats together have every output several times.
    if (index % 2 !== inputFormats.indexOf(format) % 2) continue;
    const pixelate = { faces: false, regions: [{ x: 5, y: 7, w: 11, h: 9 }] };
    const [zeros, others] = [
      await afterOthers(0, file, { ...ops, pixelate }),
      await afterOthers(LEFT, file, { ...ops, pixelate }),
    ];
    expect(Buffer.from(others).equals(zeros)).toBe(true);
  }
});
