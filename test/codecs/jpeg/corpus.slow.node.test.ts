import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/faults.ts';
import { readWhole } from '../../cases/decoder_cases.ts';
import { corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';

/**
 * Files whose entropy-coded data are corrupt: other decoders show noise and warn. Here corrupt data are
 * refused, though the corpus would have them read.
 */
const corrupt = new Set([
  'jpeg-encoding/wuffs__182.0-original.jpg',
  'jpeg-encoding/wuffs__182.2-byte-change.jpg',
  'jpeg-meta/Pillow__hopper_bad_exif.jpg',
]);

/**
 * Progressive files that stop before all bits were sent: libjpeg guesses the missing ones (block smoothing),
 * we do not.
 */
const smoothed = /peacock\.progressive\.scan00[01458]/;

const files = corpusFiles('jpeg');

describe.skipIf(files.length === 0)('JPEG decoder on real files', () => {
  const misjudged: string[] = [];
  const different: string[] = [];
  let compared = 0;

  // Every file is decoded once, for all tests here.
  beforeAll(async () => {
    for (const file of files) {
      const bytes = corpusBytes(file);
      const outcome = read(bytes);
      if (outcome instanceof Error && !(outcome instanceof Fault))
        misjudged.push(`${file.file}: ${outcome.stack}`);
      const { status, strict } = file.expect;
      if (strict && !corrupt.has(file.file) && status.includes(200) === outcome instanceof Error)
        misjudged.push(`${file.file}: ${outcome}, not ${status}`);
      if (outcome instanceof Error || smoothed.test(file.file)) continue;
      const same = await isReadAlike(bytes, outcome);
      if (same === undefined) continue;
      compared++;
      if (!same) different.push(file.file);
    }
    console.log(`${files.length} real JPEG files, ${compared} compared`);
  }, 120_000);

  it('reads what must be read and refuses what must be refused', () => {
    expect(misjudged).toEqual([]);
  });

  it('gives the pixels that libjpeg-turbo gives, where that reads without a warning', () => {
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(100);
  });
});

/** Whether libjpeg-turbo gives these pixels; undefined where it reads with a warning, or inks. */
async function isReadAlike(bytes: Uint8Array, pixels: Uint8Array): Promise<boolean | undefined> {
  const theirs = await sharp(bytes, { ignoreIcc: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  const { space } = await sharp(bytes)
    .metadata()
    .catch(() => ({ space: 'unreadable' }));
  if (theirs === null || space === 'cmyk') return undefined;
  return samePixels(pixels, theirs.data, theirs.info.channels);
}

function read(bytes: Uint8Array): Uint8Array | Error {
  try {
    using raster = openJpeg(bytes);
    if (raster.width * raster.height > 50_000_000) return new Fault('limit', 'more than 50 megapixels');
    return readWhole(raster);
  } catch (error) {
    return error as Error;
  }
}

function samePixels(pixels: Uint8Array, others: Uint8Array, channels: number): boolean {
  if (pixels.length / 4 !== others.length / channels) return false;
  for (let from = 0, to = 0; to < pixels.length; from += channels, to += 4) {
    if (pixels[to] !== others[from]) return false;
    if (channels >= 3 && (pixels[to + 1] !== others[from + 1] || pixels[to + 2] !== others[from + 2]))
      return false;
  }
  return true;
}
