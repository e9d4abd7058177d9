import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { scan } from '../../../src/metadata/scan.ts';
import { photoPicture } from '../../fixtures/raster.ts';

/** Mean of T.81 table K.1, which quality 50 takes as it is. */
const MEAN_OF_K1 = 3688 / 64;

const picture = photoPicture(160, 120);
const raw = { width: 160, height: 120, channels: 4 } as const;
const jpeg = async (options: JpegOptions) =>
  new Uint8Array(await sharp(picture.pixels, { raw }).removeAlpha().jpeg(options).toBuffer());

/** Bytes between the end of the (only) scan's header and EOI. */
function scanBytesOf(file: Uint8Array): number {
  const sos = file.findIndex((byte, at) => byte === 0xff && file[at + 1] === 0xda);
  return file.length - 2 - (sos + 2 + ((file[sos + 2]! << 8) | file[sos + 3]!));
}

/** The file with its first DQT changed; `change` gets the segment from its marker on. */
function withTables(file: Uint8Array, change: (segment: Uint8Array) => Uint8Array): Uint8Array {
  const at = file.findIndex((byte, i) => byte === 0xff && file[i + 1] === 0xdb);
  const end = at + 2 + ((file[at + 2]! << 8) | file[at + 3]!);
  return Uint8Array.of(...file.subarray(0, at), ...change(file.slice(at, end)), ...file.subarray(end));
}

describe('how much is in a JPEG', () => {
  it.each([
    [50, MEAN_OF_K1],
    [100, 1],
  ])('the mean step of quality %i', async (quality, meanStep) => {
    const file = await jpeg({ quality });
    expect(scan(file)!.density).toEqual({ scanBytes: scanBytesOf(file), meanStep });
  });

  it('all scans of a progressive file', async () => {
    const [one, many] = [await jpeg({ quality: 80 }), await jpeg({ quality: 80, progressive: true })];
    const [whole, inPasses] = [scan(one)!.density!, scan(many)!.density!];
    expect(inPasses.meanStep).toBe(whole.meanStep);
    expect(inPasses.scanBytes / whole.scanBytes).toBeGreaterThan(0.8);
    expect(inPasses.scanBytes).toBeLessThan(many.length);
  });

  it('tables of 16 bits, and the first of two with one number', async () => {
    const file = await jpeg({ quality: 50 });
    const wide = withTables(file, (segment) => {
      const steps = [...segment.subarray(5, 69)].flatMap((step) => [0, step]);
      return Uint8Array.of(0xff, 0xdb, 0, 131, 0x10, ...steps);
    });
    expect(scan(wide)!.density!.meanStep).toBe(MEAN_OF_K1);
    const twice = withTables(file, (segment) => {
      const other = segment.slice();
      other.fill(1, 5, 69);
      return Uint8Array.of(...segment, ...other);
    });
    expect(scan(twice)!.density!.meanStep).toBe(MEAN_OF_K1);
  });

  it('nothing where the table is missing, cut short or all zero', async () => {
    const file = await jpeg({ quality: 50 });
    expect(scan(withTables(file, () => new Uint8Array(0)))!.density).toBeUndefined();
    const short = (segment: Uint8Array) => Uint8Array.of(0xff, 0xdb, 0, 40, ...segment.subarray(4, 42));
    expect(scan(withTables(file, short))!.density).toBeUndefined();
    expect(scan(withTables(file, (segment) => segment.fill(0, 5)))!.density).toBeUndefined();
  });
});
