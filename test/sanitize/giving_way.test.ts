import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../src/codecs/types.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { NO_MEMORY } from '../../src/memory/memory_cost.ts';
import type { InputFormat } from '../../src/metadata/facts.ts';
import { scan } from '../../src/metadata/scan.ts';
import { detectOpsSchema, type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { detect } from '../../src/sanitize/detect.ts';
import { openImage } from '../../src/sanitize/open_image.ts';
import { announcedTime, COPY_TIME, encodingTime, OPEN_TIME } from '../../src/sanitize/pixel_time.ts';
import { sanitize } from '../../src/sanitize/sanitize.ts';
import { JOB_TIME, type JobTime, jobTime, uninterrupted } from '../../src/scheduling/time_slice.ts';
import { ROW_WORK } from '../../src/scheduling/work.ts';
import { scannerProfile } from '../fixtures/icc_writer.ts';
import { kindRecipes } from '../fixtures/png_samples.ts';
import { headerChunk, joined, PNG_END, PNG_SIGNATURE, pngChunk, writePng } from '../fixtures/png_writer.ts';
import { profileChunk } from '../fixtures/profiled_files.ts';
import { seededRandom } from '../fixtures/random.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';

/** A slice holds eight jobs that have no pixels. */
const SLICE = 8 * JOB_TIME;
const WIDTH = 2000;
const HEIGHT = 1500;
/** What counts of a steady picture's pixels while nobody is beside. */
const STEADY = 1 / 2;
/**
 * Half of the time slices that one read of a picture takes.
 * @param nanoseconds of a pixel, as src/sanitize/pixel_time.ts has them
 */
const turnsPerRead = ({ width, height }: { width: number; height: number }, nanoseconds: number) =>
  (width * height * nanoseconds) / SLICE / 2;

const picture = photoPicture(WIDTH, HEIGHT, 3);
/** For the writers of GIF and TIFF, which are made for small files. */
const small = photoPicture(800, 600, 3);
const detector = {
  cost: () => NO_MEMORY,
  wantedWidth: ({ width }: { width: number }) => width,
  detect: async () => ({ faces: [], belowConfidence: [], passes: 0 }),
};
const noFaces = { faces: false };
/** Nanoseconds that a pixel of a file takes, read and written at its size. */
const timeOf = (file: Uint8Array<ArrayBuffer>, to: OutputFormat): number =>
  encodingTime({ facts: scan(file)!, bytes: file.length }, to, { factor: 1, isConverted: false, kept: 1 });
const region = { x: 10, y: 10, w: 1900, h: 1400 };

/** Sanitizes; `atTurn` runs at each turn of the event loop. @returns the number of turns */
async function turnsOf(
  file: Uint8Array,
  ops: SanitizeOpsInput,
  atTurn: (turn: number) => void = () => {},
  signal?: AbortSignal,
  budget = new MemoryBudget(1 << 30, 1),
  beside: (giveTurn: () => Promise<void>) => unknown = () => {},
): Promise<number> {
  let turns = 0;
  const giveTurn = async () => {
    beside(giveTurn);
    atTurn(++turns);
  };
  beside(giveTurn);
  await sanitize(file, sanitizeOpsSchema.parse(ops), { budget, detector, giveTurn }, signal);
  return turns;
}

describe('a job gives way', () => {
  it.each<[string, InputFormat, SanitizeOpsInput, reads: number]>([
    ['JPEG by its samples', 'jpeg', { pixelate: noFaces }, 1],
    ['JPEG resized', 'jpeg', { pixelate: noFaces, output: { maxWidth: 700 } }, 0.5],
    ['JPEG to PNG', 'jpeg', { pixelate: noFaces, output: { format: 'png' } }, 1],
    [
      'PNG cropped from below',
      'png',
      { pixelate: noFaces, crop: { x: 0, y: 1400, width: 50, height: 50 } },
      1,
    ],
    ['PNG resized much', 'png', { pixelate: noFaces, output: { maxWidth: 16 } }, 1],
    ['PNG with coarse blocks', 'png', { pixelate: { ...noFaces, regions: [region], strength: 12 } }, 1],
    ['GIF', 'gif', { pixelate: noFaces }, 1],
    ['TIFF', 'tiff', { pixelate: noFaces }, 1],
    ['to WebP', 'png', { pixelate: noFaces, output: { format: 'webp', quality: 30 } }, 1],
  ])('%s', async (_name, format, ops, reads) => {
    const drawn = format === 'gif' || format === 'tiff' ? small : picture;
    const file = await sampleFile(format, drawn);
    const time = timeOf(file, ops.output?.format ?? 'jpeg');
    const share = format === 'gif' || format === 'tiff' ? 1 : STEADY;
    // Several, since a small job may end within a slice.
    const calls = 4;
    let turns = 0;
    const giveTurn = async () => void turns++;
    const runtime = { budget: new MemoryBudget(1 << 30, 1), detector, giveTurn };
    for (let call = 0; call < calls; call++) await sanitize(file, sanitizeOpsSchema.parse(ops), runtime);
    expect(turns / calls).toBeGreaterThan(share * reads * turnsPerRead(drawn, time));
  });

  it('as long as it takes, where the decoder shrinks: what a pixel stands for is counted once', async () => {
    const file = await sampleFile('jpeg', picture);
    const ops = sanitizeOpsSchema.parse({ pixelate: noFaces, output: { maxWidth: 100 } });
    let turns = 0;
    const giveTurn = async () => void turns++;
    const runtime = { budget: new MemoryBudget(1 << 30, 1), detector, giveTurn };
    const calls = 4;
    for (let call = 0; call < calls; call++) await sanitize(file, ops, runtime);
    const most = (calls * WIDTH * HEIGHT * timeOf(file, 'jpeg')) / SLICE;
    expect(turns).toBeGreaterThan(0);
    expect(turns).toBeLessThan(most / 2);
  });

  it.each(['png', 'jpeg'] as const)('seldom for a plain %s, often for one full of detail', async (format) => {
    const size = { width: 1000, height: 1000 };
    const random = seededRandom(5);
    const pixels = new Uint8Array(size.width * size.height * 4).fill(255);
    const noise = pixels.map((level, at) => (at % 4 === 3 ? 255 : level - random() * 200));
    const ops = { pixelate: noFaces, output: { format } };
    const [forPlain, forNoise] = [
      await turnsOf(await sampleFile(format, { ...size, pixels }), ops),
      await turnsOf(await sampleFile(format, { ...size, pixels: noise }), ops),
    ];
    expect(forPlain).toBeLessThan(forNoise / 4);
    expect(forNoise).toBeGreaterThan(forPlain + 2);
  });

  it('while a rotated image is read band by band, and while an interlaced one seeks its passes', async () => {
    const rotated = tagJpeg(await sampleFile('jpeg', picture), { orientation: 6 });
    expect(await turnsOf(rotated, { pixelate: noFaces })).toBeGreaterThan(
      turnsPerRead(picture, timeOf(rotated, 'jpeg')),
    );
    const recipe = kindRecipes({ width: 1000, height: 800 }).find(({ interlaced }) => interlaced)!;
    const turns = await turnsOf(writePng(recipe), { pixelate: noFaces });
    expect(turns).toBeGreaterThan(1.3 * turnsPerRead({ width: 1000, height: 800 }, 37));
  });

  it('by rows, where these are all that there is of a picture', async () => {
    const rows = 60_000;
    const tall = { width: 1, height: rows, pixels: new Uint8Array(rows * 4).fill(255) };
    for (const format of ['jpeg', 'png', 'gif'] as const) {
      const covered = { pixelate: { ...noFaces, regions: [{ x: 0, y: 0, w: 1, h: rows }] } };
      const file = await sampleFile(format, tall);
      const turns = await turnsOf(file, covered);
      const share = format === 'gif' ? 1 : STEADY;
      expect(turns).toBeGreaterThan((share * rows * ROW_WORK * timeOf(file, 'jpeg')) / SLICE);
    }
  });

  it('in short slices beside a small call, from its header on: it began with whole ones', async () => {
    // Each of its strips takes just more than a fifth of a slice.
    const file = await sampleFile('webp', photoPicture(1200, 1000, 3));
    const alone = await turnsOf(file, { pixelate: noFaces });
    const beside = await turnsOf(file, { pixelate: noFaces }, () => {}, undefined, undefined, jobTime);
    // All slices but the first are a fifth of a whole one, up to the end of a strip.
    expect(beside).toBeGreaterThan((4 / STEADY) * (alone - 1));
  });

  it('by what its format takes: a small AVIF announced as little as a PNG, and kept whole slices', async () => {
    const announced: number[] = [];
    for (const format of ['png', 'avif'] as const) {
      const file = await sampleFile(format, small);
      announced.push(announcedTime(800 * 600, { facts: scan(file)!, bytes: file.length }));
    }
    expect(announced[1]).toBeGreaterThan(1.5 * announced[0]!);
  });

  it('and tells the budget where it is long: it kept its memory from others for as long', async () => {
    const told: boolean[] = [];
    class Budget extends MemoryBudget {
      override async reserve(...[, , , , , isLong]: Parameters<MemoryBudget['reserve']>): Promise<never> {
        told.push(isLong === true);
        throw new Error('told');
      }
    }
    const budget = new Budget(1 << 30, 1);
    for (const height of [1000, 4_000_000]) {
      // Nothing of it is decoded.
      const parts = [
        PNG_SIGNATURE,
        headerChunk(1, height, 8, 2, 0),
        pngChunk('IDAT', deflateSync(new Uint8Array(4 * height))),
        PNG_END,
      ];
      const file = joined(parts);
      const ops: SanitizeOpsInput = { output: { format: 'png' }, pixelate: noFaces };
      await expect(turnsOf(file, ops, undefined, undefined, budget)).rejects.toThrow(/told/);
      const looking = detect(file, detectOpsSchema.parse({}), { budget, detector });
      await expect(looking).rejects.toThrow(/told/);
    }
    expect(told).toEqual([false, false, true, true]);
  });

  it('before it opens a long file, and before it reads it', async () => {
    const file = await sampleFile('png', small);
    const facts = scan(file)!;
    const times: number[] = [];
    const spend = async (nanoseconds: number) => void times.push(nanoseconds);
    const time: JobTime = { spend, announce() {}, perPixel: () => uninterrupted };
    const long = new Uint8Array(20_000_000);
    long.set(file);
    for (const bytes of [file, long]) {
      using _image = await openImage(bytes, facts, {}, time);
    }
    const [short, copied] = [file, long].map(({ length }) => length * COPY_TIME);
    // What is short is counted once.
    expect(times).toEqual([short, OPEN_TIME, copied, OPEN_TIME + copied!]);
    for (const turns of [1, 2]) {
      let left = turns;
      const leave = async () => {
        if (--left === 0) throw new Error('the client has gone');
      };
      const opened = openImage(file, facts, {}, { ...time, spend: leave });
      await expect(opened).rejects.toThrow('the client has gone');
    }
  });

  it('and ends at its next turn when it is aborted, with all memory released', async () => {
    const client = new AbortController();
    const budget = new MemoryBudget(1 << 30, 1);
    let last = 0;
    const job = turnsOf(
      await sampleFile('png', picture),
      { pixelate: noFaces },
      (turn) => {
        last = turn;
        if (turn === 3) client.abort(new Error('the client has gone'));
      },
      client.signal,
      budget,
    );
    await expect(job).rejects.toThrow('the client has gone');
    expect(last).toBe(3);
    expect(budget.freeBytes).toBe(budget.capacity);
  });

  it('before and after it opens the tables of a profile, which takes longer than a slice', async () => {
    const samples = new Uint8Array(20 * 20 * 3);
    const plain = writePng({ width: 20, height: 20, samples });
    const profiled = writePng({ width: 20, height: 20, samples, early: [profileChunk(scannerProfile())] });
    const ops = { pixelate: noFaces };
    expect(await turnsOf(profiled, ops)).toBeGreaterThanOrEqual((await turnsOf(plain, ops)) + 2);
  });

  it('every few files in a plain loop over small ones, good or refused', async () => {
    const good = await sampleFile('png', photoPicture(20, 20, 4));
    const runtime = { budget: new MemoryBudget(1 << 30, 1), detector };
    for (const file of [good, good.slice(0, 60), new TextEncoder().encode('no image')]) {
      let turns = 0;
      const giveTurn = async () => void turns++;
      const ops = sanitizeOpsSchema.parse({ pixelate: noFaces });
      for (let count = 0; count < 40; count++)
        await sanitize(file, ops, { ...runtime, giveTurn }).catch(() => {});
      expect(turns).toBeGreaterThanOrEqual(5);
    }
  });

  it('and lets the event loop go round where nobody says how', async () => {
    let isOver = false;
    setImmediate(() => {
      isOver = true;
    });
    const runtime = { budget: new MemoryBudget(1 << 30, 1), detector };
    const file = new TextEncoder().encode('no image');
    for (let count = 0; count < 10; count++)
      await sanitize(file, sanitizeOpsSchema.parse({}), runtime).catch(() => {});
    expect(isOver).toBe(true);
  });

  it('so that a small job beside it does not wait for it to end', async () => {
    const order: string[] = [];
    const budget = new MemoryBudget(1 << 30, 4);
    const giveTurn = () => new Promise<void>((done) => setTimeout(done));
    const run = async (name: string, file: Uint8Array) => {
      await sanitize(file, sanitizeOpsSchema.parse({ pixelate: noFaces }), { budget, detector, giveTurn });
      order.push(name);
    };
    const large = await sampleFile('png', picture);
    const small = await sampleFile('png', photoPicture(700, 500, 4));
    await Promise.all([run('large', large), run('small', small)]);
    expect(order).toEqual(['small', 'large']);
  });
});
