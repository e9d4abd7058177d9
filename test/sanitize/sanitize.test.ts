import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { scan } from '../../src/metadata/scan.ts';
import { type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { planSanitize } from '../../src/sanitize/plan.ts';
import { sanitize } from '../../src/sanitize/sanitize.ts';
import { noisePicture, photoPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { sanitizedPicture } from '../fixtures/sanitized.ts';
import { scripted } from '../fixtures/scripted_detector.ts';

const MEGABYTE = 1024 * 1024;
const noFaces = { faces: false };

const run = (bytes: Uint8Array, ops: SanitizeOpsInput, capacity: number) =>
  sanitizedPicture(bytes, ops, {
    budget: new MemoryBudget(capacity, 4),
    detector: scripted().detector,
  });

describe('refusals', () => {
  it('come before decoding: a crop outside, too little memory', async () => {
    const file = await sampleFile('webp', photoPicture(64, 64));
    await expect(
      run(file, { pixelate: noFaces, crop: { x: 64, y: 0, width: 1, height: 1 } }, 200 * MEGABYTE),
    ).rejects.toMatchObject({
      kind: 'parameter',
      path: 'crop',
    });
    await expect(run(file, { pixelate: noFaces }, MEGABYTE)).rejects.toThrow(
      /a \d+ × \d+ WEBP \(0\.0 megapixels\) to PNG would take \d+ MB of memory, .* allows 1 MB/,
    );
  });

  it('come before decoding where the file tells how long its PNG will be, not from a mere guess', async () => {
    const file = await sampleFile('jpeg', noisePicture(1500, 1000, 8));
    const ops = { pixelate: noFaces, output: { format: 'png' as const } };
    const plan = planSanitize(scan(file)!, sanitizeOpsSchema.parse(ops), file.length, {
      first: [],
      around: [],
      again: [],
    });
    expect(plan.leastBytes).toBeLessThan(plan.predictedBytes);
    const flat = { width: 1500, height: 1000, pixels: new Uint8Array(1500 * 1000 * 4).fill(255) };
    const { report } = await run(await sampleFile('jpeg', flat), ops, plan.leastBytes + 100_000);
    expect(report.width).toBe(1500);
    // A file that tells how long its PNG will be is refused before anything is decoded.
    await expect(run(file, ops, plan.leastBytes + 100_000)).rejects.toThrow(
      /1500 × 1000 JPEG \(1\.5 megapixels\) to PNG would take \d+ MB/,
    );
    // One that tells nothing, since it is resized, is tried.
    const resized = { ...ops, output: { ...ops.output, maxWidth: 1400 } };
    const tried = run(await sampleFile('jpeg', flat), resized, plan.leastBytes + 100_000);
    expect((await tried).report.width).toBe(1400);
  });

  it('come from a longer output than was predicted only where others hold the rest, and then ask to come back', async () => {
    const file = await sampleFile('jpeg', noisePicture(2500, 1600, 8));
    // Resized, it is taken for a photograph of which nothing else is known.
    const output = { format: 'png', maxWidth: 2400 } as const;
    const ops = sanitizeOpsSchema.parse({ pixelate: noFaces, output });
    const plan = planSanitize(scan(file)!, ops, file.length, { first: [], around: [], again: [] });
    const budget = new MemoryBudget(plan.predictedBytes + 8 * MEGABYTE, 4);
    const again = () => sanitize(file.slice(), ops, { budget, detector: scripted().detector });
    const { bytes } = await again();
    expect(bytes.length).toBeGreaterThan(plan.maxOutputBytes);
    const other = await budget.reserve(8 * MEGABYTE - 1000, 'another job');
    await expect(again()).rejects.toMatchObject({ kind: 'overloaded' });
    other[Symbol.dispose]();
    expect(budget.freeBytes).toBe(budget.capacity);
    await again();
  });

  it('leave what was reserved for the file to its holder, and success takes it over', async () => {
    const file = await sampleFile('png', photoPicture(30, 30));
    const budget = new MemoryBudget(64 * MEGABYTE, 4);
    const ops = sanitizeOpsSchema.parse({ pixelate: noFaces });
    const runtime = { budget, detector: scripted().detector };
    using memory = await budget.receive({ bytes: file.length, outsideCores: 0, most: file.length });
    await expect(sanitize(file.subarray(0, 40), ops, runtime, undefined, memory)).rejects.toThrow();
    expect(memory.bytes).toBe(file.length);
    await sanitize(file, ops, runtime, undefined, memory);
    expect(memory.bytes).toBe(0);
    expect(budget.freeBytes).toBe(budget.capacity);
  });

  it('free what the job had reserved, and the next job runs', async () => {
    const file = await sampleFile('png', photoPicture(30, 30));
    const budget = new MemoryBudget(64 * MEGABYTE, 4);
    const broken = { ...scripted().detector, detect: async () => Promise.reject(new Error('no model')) };
    const ops = sanitizeOpsSchema.parse({});
    await expect(sanitize(file, ops, { budget, detector: broken })).rejects.toThrow('no model');
    expect(budget.freeBytes).toBe(64 * MEGABYTE);
    await sanitize(file, ops, { budget, detector: scripted().detector });
  });

  it('stop a job whose client has gone', async () => {
    const file = await sampleFile('png', photoPicture(30, 30));
    const budget = new MemoryBudget(64 * MEGABYTE, 4);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(
      sanitize(file, sanitizeOpsSchema.parse({}), { budget, detector: scripted().detector }, signal),
    ).rejects.toThrow('gone');
    expect(budget.freeBytes).toBe(64 * MEGABYTE);
  });
});
