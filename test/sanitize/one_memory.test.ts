import { describe, expect, it } from 'vitest';
import type { FaceDetector } from '../../src/faces/detector.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { NO_MEMORY } from '../../src/memory/memory_cost.ts';
import { UploadBuffer } from '../../src/memory/upload_buffer.ts';
import { scan } from '../../src/metadata/scan.ts';
import { type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { NOTHING_HIDDEN } from '../../src/pixels/hide.ts';
import { uprightSize } from '../../src/pixels/orient.ts';
import { openImage } from '../../src/sanitize/open_image.ts';
import { sanitizeInPlace } from '../../src/sanitize/sanitize.ts';
import { applySteps, beforeHiding, fromHiding, jobSizes } from '../../src/sanitize/steps.ts';
import { jobTime, nextTurn } from '../../src/scheduling/time_slice.ts';
import { copiedBytes } from '../fixtures/copied_bytes.ts';
import { randomJpeg } from '../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../fixtures/jpeg_writer/writer.ts';
import { kindRecipes } from '../fixtures/png_samples.ts';
import { writePng } from '../fixtures/png_writer.ts';
import { photoPicture, stripsOf } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';

const PICTURE = photoPicture(1200, 900, 7);
/** All pixels once. */
const PIXEL_BYTES = 1200 * 900 * 4;

const SAMPLING = [[2, 2] as const, [1, 1] as const, [1, 1] as const];

const detector: FaceDetector = {
  cost: () => NO_MEMORY,
  wantedWidth: ({ width }) => width,
  detect: async () => ({ faces: [], belowConfidence: [], passes: 1 }),
};

/** Of one job: bytes copied from one memory to another, and bytes that came in and went out. */
async function countJob(file: Uint8Array, ops: SanitizeOpsInput) {
  using arriving = new UploadBuffer();
  arriving.expect(file.length);
  arriving.write(file);
  const runtime = { budget: new MemoryBudget(2 ** 30, 1), detector };
  let output = 0;
  const copied = await copiedBytes(async () => {
    using sanitized = await sanitizeInPlace(arriving.file, sanitizeOpsSchema.parse(ops), runtime);
    output = sanitized.bytes.length;
  });
  return { copied, passed: file.length + output };
}

const STEPS: Readonly<Record<string, SanitizeOpsInput>> = {
  nothing: { pixelate: { faces: false } },
  crop: { crop: { x: 101, y: 51, width: 900, height: 700 }, pixelate: { faces: false } },
  grayscale: { grayscale: true, pixelate: { faces: false } },
  resize: { output: { maxWidth: 800 }, pixelate: { faces: false } },
  pixelate: { pixelate: { faces: false, regions: [{ x: 50, y: 60, w: 700, h: 600 }] } },
  all: {
    crop: { x: 10, y: 20, width: 1100, height: 850 },
    grayscale: true,
    output: { maxWidth: 900 },
    pixelate: { faces: false, regions: [{ x: 50, y: 60, w: 700, h: 600 }] },
  },
};

describe('rows of a job', () => {
  for (const format of ['jpeg', 'png'] as const) {
    for (const to of ['jpeg', 'png'] as const) {
      for (const [name, ops] of Object.entries(STEPS)) {
        it(`are copied to no other memory: ${format} to ${to}, ${name}`, async () => {
          const file = await sampleFile(format, PICTURE);
          const job = { ...ops, output: { ...ops.output, format: to } };
          const { copied, passed } = await countJob(file, job);
          // The file's bytes and the output's are, and tables.
          expect(copied).toBeLessThan(passed + PIXEL_BYTES / 20);
        });
      }
    }
  }

  for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
    it(`are copied to no other memory when rotated: orientation ${orientation}`, async () => {
      const file = tagJpeg(await sampleFile('jpeg', PICTURE), { orientation });
      const { copied, passed } = await countJob(file, STEPS.all!);
      expect(copied).toBeLessThan(passed + PIXEL_BYTES / 20);
    });
  }
});

/** Growing a memory detaches the views of its rows: so nothing is reserved after the first row. */
describe('memory that is reserved while rows are read', () => {
  const kinds: Readonly<Record<string, () => Promise<Uint8Array>>> = {
    baseline: () => sampleFile('jpeg', PICTURE),
    // Tables defined again and again, scans of one component and of all.
    progressive: async () =>
      writeJpeg(randomJpeg({ width: 300, height: 200, sampling: SAMPLING, mode: 'progressive' })),
    rotated: async () => tagJpeg(await sampleFile('jpeg', PICTURE), { orientation: 6 }),
    flipped: async () => tagJpeg(await sampleFile('jpeg', PICTURE), { orientation: 3 }),
    png: () => sampleFile('png', PICTURE),
    interlaced: async () =>
      writePng(
        kindRecipes({ width: 300, height: 200 }).find((kind) => kind.interlaced && kind.colourType === 2)!,
      ),
    webp: () => sampleFile('webp', PICTURE),
  };
  for (const [kind, file] of Object.entries(kinds)) {
    it(`is none: ${kind}`, async () => {
      const bytes = await file();
      const facts = scan(bytes)!;
      const size = uprightSize(facts.width, facts.height, facts.orientation);
      const ops = sanitizeOpsSchema.parse({
        crop: { x: 3, y: 2, width: size.width - 5, height: size.height - 7 },
        grayscale: true,
        output: { maxWidth: (size.width - 5) >> 1 },
      });
      using image = await openImage(bytes, facts, {}, jobTime(nextTurn));
      const { crop, output } = jobSizes({ facts, ops });
      const mosaics = [{ block: 9, areas: [{ x: 5, y: 5, width: 100, height: 60 }] }];
      const { factor } = image;
      const input = { facts, ops, crop, output, factor, hidden: { ...NOTHING_HIDDEN, mosaics } };
      const prepared = await applySteps(image.raster, input, beforeHiding);
      const { raster } = await applySteps(prepared.raster, input, fromHiding);
      const { core } = raster;
      const idle = core.exports.mark();
      let least = Number.POSITIVE_INFINITY;
      const views = new Set<ArrayBufferLike>();
      for (const strip of stripsOf(raster)) {
        const reserved = core.exports.mark();
        expect(reserved).toBeGreaterThan(idle);
        // A step that has given its last row may free its memory.
        expect(reserved).toBeLessThanOrEqual(least);
        least = reserved;
        views.add(strip.pixels.buffer);
        expect(strip.pixels.length).toBe(strip.rows * output.width * 4);
      }
      expect(views.size).toBe(1);
      expect(core.exports.mark()).toBe(idle);
    });
  }
});
