import { expect, it } from 'vitest';
import type { Raster } from '../../../src/codecs/types.ts';
import { Fault } from '../../../src/faults.ts';
import { firstDifference, readWhole } from '../../cases/decoder_cases.ts';
import { TRAPPED } from '../../cases/decoder_fuzz.ts';
import { randomJpeg, samplingOf } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { mutate } from '../../fixtures/mutations.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';
import { seededBelow } from '../../fixtures/random.ts';

const [WIDTH, HEIGHT] = [37, 29];
/** Of a mutant that declares more, nothing is read. */
const MOST_PIXELS = 1 << 16;

const samplings = ['11', '22 11 11', '41 21 11', '22 11 11 22'].map(samplingOf);

const seeds = samplings.flatMap((sampling) =>
  (['baseline', 'lone scans', 'progressive'] as const).flatMap((mode) =>
    [0, 1, 3].map((restart) =>
      writeJpeg({
        ...randomJpeg({ width: WIDTH, height: HEIGHT, sampling, mode, restart, seed: 3 }),
        ...(restart === 3 && { dnl: true }),
      }),
    ),
  ),
);

/** The pixels of all of it, or nothing where the file is refused. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault) || TRAPPED.test(error.message)) throw error;
    return undefined;
  }
}

/** Put together from bands of columns, each read from the top. */
function readByColumns(raster: Raster, band: number): Uint8Array {
  const pixels = new Uint8Array(raster.width * raster.height * 4);
  for (let x = 0; x < raster.width; x += band) {
    const width = Math.min(band, raster.width - x);
    const part = readWhole(raster.columns!(x, width));
    for (let y = 0; y < raster.height; y++) {
      pixels.set(part.subarray(y * width * 4, (y + 1) * width * 4), (y * raster.width + x) * 4);
    }
  }
  return pixels;
}

/** Mutated JPEG files, each read as a whole and in parts. */
export function fuzzJpegParts(count: number): void {
  it(`reads of ${count} mutated JPEG files the same by columns, by rows and as a whole, at any scale, or refuses all of it`, () => {
    const random = seededBelow(77);
    let compared = 0;
    for (let turn = 0; turn < count; turn++) {
      const bytes = mutate(seeds[turn % seeds.length]!, random);
      const minWidth = Math.ceil(WIDTH / [1, 1, 2, 4, 8][random(5)]!);
      const band = 1 + random(20);
      const whole = attempt(() => {
        using raster = openJpeg(bytes, { minWidth });
        return raster.width * raster.height > MOST_PIXELS ? 'too large' : readWhole(raster);
      });
      if (whole === 'too large') continue;
      const parts = attempt(() => {
        using raster = openJpeg(bytes, { minWidth, checkpoints: true });
        const byColumns = readByColumns(raster, band);
        const y = random(raster.height);
        const count = 1 + random(Math.min(10, raster.height - y));
        const rows = readWhole(raster.rows!(y, count));
        if (raster.cmyk) readWhole(raster.cmyk);
        return { byColumns, rows, from: y * raster.width * 4 };
      });
      if (!whole || !parts) {
        expect({ turn, whole: whole !== undefined, parts: parts !== undefined }).toEqual({
          turn,
          whole: false,
          parts: false,
        });
        continue;
      }
      expect(firstDifference(parts.byColumns, whole), `columns of mutant ${turn}`).toBe('none');
      const expected = whole.subarray(parts.from, parts.from + parts.rows.length);
      expect(firstDifference(parts.rows, expected), `rows of mutant ${turn}`).toBe('none');
      compared++;
    }
    expect(compared).toBeGreaterThan(count / 100);
  });
}
