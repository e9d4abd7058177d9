import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/faults.ts';
import { firstDifference, readWhole } from '../../cases/decoder_cases.ts';
import { type RandomJpeg, randomJpeg, samplingOf } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';

/** What libjpeg-turbo reads through libvips, whatever it warns of. */
async function lenientOracle(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await sharp(bytes, { failOn: 'none' }).ensureAlpha().raw().toBuffer());
}

function pixels(bytes: Uint8Array): Uint8Array {
  using raster = openJpeg(bytes);
  return readWhole(raster);
}

const MODES = ['baseline', 'lone scans', 'progressive'] as const;
const colour = (mode: RandomJpeg['mode'], restart = 0) =>
  randomJpeg({ width: 70, height: 45, sampling: samplingOf('21 11 11'), mode, restart, seed: 11 });

describe('a JPEG with quantisers of 0', () => {
  const places = [1, 2, 7, 8, 9, 20, 35, 54, 62, 63];

  it.each(MODES)('is shown as libjpeg shows it, but where the mean is lost: %s', async (mode) => {
    const recipe = colour(mode);
    for (const zero of [...places.map((place) => [place]), places]) {
      for (const wide of [false, true]) {
        const quantTables = recipe.quantTables.map((table) =>
          table.map((value, place) => (zero.includes(place) ? 0 : wide && place === 61 ? 256 : value)),
        );
        const bytes = writeJpeg({ ...recipe, quantTables });
        expect(firstDifference(pixels(bytes), await lenientOracle(bytes)), `${zero}`).toBe('none');
      }
    }
  });

  it('is refused without the mean of its blocks', () => {
    const recipe = colour('baseline');
    for (const number of [0, 1]) {
      const quantTables = recipe.quantTables.map((table, at) =>
        at === number ? [0, ...table.slice(1)] : table,
      );
      expect(() => pixels(writeJpeg({ ...recipe, quantTables }))).toThrow(Fault);
    }
  });
});

describe('a JPEG with bytes before its restart markers', () => {
  /** Offsets of the restart markers. */
  const restarts = (bytes: Uint8Array) =>
    [...bytes.keys()].filter((at) => bytes[at] === 0xff && bytes[at + 1]! >= 0xd0 && bytes[at + 1]! <= 0xd7);
  const inserted = (bytes: Uint8Array, at: readonly number[], more: readonly number[]) =>
    Uint8Array.from(
      [0, ...at].flatMap((start, index) => [
        ...(index > 0 ? more : []),
        ...bytes.subarray(start, at[index] ?? bytes.length),
      ]),
    );

  it.each(MODES)('is shown as libjpeg shows it: %s', async (mode) => {
    const bytes = writeJpeg(colour(mode, 4));
    const whole = pixels(bytes);
    const markers = restarts(bytes);
    expect(markers.length).toBeGreaterThan(5);
    for (const more of [[0], [0x55], [1, 2, 3], [0xff, 0], [0xff, 0, 0xff], Array(16).fill(7)]) {
      for (const at of [[markers[0]!], [markers[3]!], [markers.at(-1)!], markers]) {
        const longer = inserted(bytes, at, more);
        const name = `${more} before ${at.length} from ${at[0]}`;
        expect(firstDifference(pixels(longer), whole), name).toBe('none');
        // libvips gives up after a number of warnings
        if (at.length === 1) expect(firstDifference(await lenientOracle(longer), whole), name).toBe('none');
      }
    }
  });

  it('is refused where so many are left over that an interval must have broken off', () => {
    const bytes = writeJpeg(colour('baseline', 4));
    const longer = inserted(bytes, restarts(bytes).slice(0, 1), Array(18).fill(7));
    expect(() => pixels(longer)).toThrow(/image data is left over/);
  });
});
