import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../src/metadata/facts.ts';
import { affordableBands } from '../../src/sanitize/cost_limit.ts';
import { stillFacts } from '../cases/decoder_cases.ts';

type Format = 'png' | 'tiff' | 'jpeg' | 'webp' | 'gif' | 'avif';
const EDGE = 7071;
const large = (format: Format, more: Partial<FileFacts> = {}) => ({
  ...stillFacts(format, EDGE, EDGE),
  ...more,
});
/** The longest file that is taken. */
const LONGEST = 25e6;
const MEGABYTE = 1024 * 1024;
const turned = { orientation: 6 } as const;
/** Bytes of a band where there are so many. */
const inBands = (count: number) => Math.ceil(EDGE / count) * EDGE * 4;

describe('the cost of a job', () => {
  it('is affordable for 50 megapixels of every format when upright, whatever the ops', () => {
    for (const format of ['png', 'tiff', 'jpeg', 'webp', 'gif', 'avif'] as const) {
      const bands = affordableBands(large(format), LONGEST, { detection: 2, result: 4 });
      expect(bands).toMatchObject({ detection: 0, result: 0 });
    }
  });

  it('is affordable in usual bands for a turned PNG of 50 megapixels by default, and for any turned JPEG', () => {
    const reads = { detection: 2, result: 2 };
    const png = affordableBands(large('png', turned), LONGEST, reads);
    expect(png).toMatchObject({ detection: inBands(12), result: inBands(12) });
    const jpeg = affordableBands(large('jpeg', turned), LONGEST, { ...reads, result: 4 });
    expect(jpeg).toMatchObject({ detection: inBands(16), result: inBands(16) });
    expect(inBands(12)).toBeLessThanOrEqual(16 * MEGABYTE);
    expect(inBands(16)).toBeLessThanOrEqual(12 * MEGABYTE);
  });

  it('of a turned picture that is smaller than a band is one band', () => {
    const small = stillFacts('avif', 300, 200, turned);
    expect(affordableBands(small, 1e4, { detection: 2, result: 2 }).result).toBe(300 * 200 * 4);
  });

  it('takes no larger bands than make its reads few enough', () => {
    // 56 readings of a PNG are allowed: twice 5 bands, and 4 times 11.
    const reads = { detection: 2, result: 4 };
    const png = affordableBands(large('png', turned), LONGEST, reads);
    expect(png).toMatchObject({ detection: inBands(5), result: inBands(11) });
    // An AVIF of 50 megapixels, by default.
    for (const length of [1e6, 3.5e6, 5e6, 7e6]) {
      const { detection, result } = affordableBands(large('avif', turned), length, {
        detection: 2,
        result: 2,
      });
      const bands = Math.ceil((EDGE * EDGE * 4) / result);
      const work = (count: number) => 2 * (5 + count) * (EDGE * EDGE * 1.1 + length * 8);
      expect([detection, result]).toEqual([inBands(5), inBands(bands)]);
      expect(work(bands)).toBeLessThanOrEqual(2.8e9);
      // Usual bands are the smallest.
      if (bands < 12) expect(work(bands + 1)).toBeGreaterThan(2.8e9);
    }
    expect(inBands(5)).toBeLessThanOrEqual(40 * MEGABYTE);
    expect(inBands(4)).toBeGreaterThan(40 * MEGABYTE);
  });

  it('is refused with its figures where bands and coarse blocks multiply', () => {
    const reads = { detection: 2, result: 4 };
    expect(() => affordableBands(large('tiff', turned), LONGEST, reads)).toThrow(
      'A turned TIFF of 50.0 megapixels would have to be read 30 times for these ops, at most 28 are allowed',
    );
    for (const format of ['webp', 'avif'] as const) {
      expect(() => affordableBands(large(format, turned), LONGEST, reads)).toThrow('as JPEG');
    }
  });

  it('of an AVIF or WebP grows with the length of its file', () => {
    const bandsOf = (format: Format, bytes: number) =>
      affordableBands(large(format, turned), bytes, { detection: 2, result: 2 });
    expect(bandsOf('webp', 9e6).detection).toBe(inBands(12));
    expect(bandsOf('webp', 12e6).detection).toBe(inBands(5));
    expect(bandsOf('avif', 7e6).result).toBeGreaterThan(bandsOf('avif', 4e6).result);
    expect(() => bandsOf('avif', 20e6)).toThrow('as JPEG');
  });

  it('of an AVIF is more where chroma has all rows, and where there is alpha', () => {
    const layout = { ...{ columns: 1, rows: 1, width: 7071, height: 7071, depth: 8 }, decoderBytes: 0 };
    const colour = { ...layout, monochrome: false, subX: 1, subY: 1, copiedBytes: 0 };
    const bytes = (avif: NonNullable<FileFacts['avif']>) =>
      affordableBands(large('avif', { ...turned, avif }), 2e6, { detection: 0, result: 3 }).result;
    expect(bytes({ colour })).toBe(inBands(12));
    expect(bytes({ colour, alpha: { ...colour, monochrome: true } })).toBeGreaterThan(inBands(12));
    expect(bytes({ colour: { ...colour, subX: 0, subY: 0 } })).toBeGreaterThan(inBands(12));
  });

  it('of an AVIF whose columns are read by themselves is affordable in small bands, however long its file', () => {
    const layout = { ...{ columns: 1, rows: 1, width: 7071, height: 7071, depth: 8 }, decoderBytes: 0 };
    const tiles = [0, 28, 56, 84, 111];
    const bands = { width: 7071, codedWidth: 7071, superblock: 64, tiles, bytes: 0 };
    const colour = { ...layout, monochrome: false, subX: 1, subY: 1, copiedBytes: 0, bands };
    const bandsOf = (orientation: 6 | 8, length: number, result: number) =>
      affordableBands(large('avif', { orientation, avif: { colour } }), length, { detection: 2, result });
    const usual = { detection: inBands(24), result: inBands(24) };
    expect(inBands(24)).toBeLessThanOrEqual(8 * MEGABYTE);
    // From the left to JPEG and to WebP, and from the right.
    expect(bandsOf(6, LONGEST, 2)).toMatchObject(usual);
    expect(bandsOf(6, LONGEST * 0.8, 3)).toMatchObject(usual);
    expect(bandsOf(8, LONGEST / 2, 2)).toMatchObject(usual);
    // Then detection takes larger ones, and the result follows.
    const { detection, result } = bandsOf(8, LONGEST * 0.7, 2);
    expect(detection).toBeGreaterThan(result);
    expect(detection).toBeLessThanOrEqual(result + 8 * MEGABYTE);
    expect(result).toBeLessThanOrEqual(12 * MEGABYTE);
    // Where alpha's can't be, each band is a reading.
    const { bands: _, ...alpha } = colour;
    const whole = affordableBands(large('avif', { ...turned, avif: { colour, alpha } }), 1e6, {
      detection: 0,
      result: 1,
    });
    expect(whole.result).toBe(inBands(12));
  });

  it('counts rows that a picture upside down is not read to, where they are read in their order', () => {
    const bytes = (orientation: 3 | 6) =>
      affordableBands(large('avif', { orientation }), 2e6, { detection: 2, result: 2 }).detection;
    expect(bytes(3)).toBe(inBands(12));
    expect(bytes(6)).toBeGreaterThan(inBands(12));
  });

  it('counts rows, so that a picture of one pixel a row is no cheap one, and names them', () => {
    const tall = (height: number) =>
      affordableBands(stillFacts('png', 1, height), 1e5, { detection: 0, result: 3 });
    expect(tall(12_000_000)).toMatchObject({ detection: 0, result: 0 });
    expect(() => tall(40_000_000)).toThrow(
      '40000000 rows of a 1 × 40000000 PNG (40.0 megapixels), read 3 times for these ops, are 1.4 times the work',
    );
  });

  it('counts runs of blocks in rows, by each reading that hides them, and names them', () => {
    const reads = { detection: 0, result: 3, spans: 0 };
    const facts = stillFacts('png', 400, 125_000);
    expect(affordableBands(facts, 1e5, { ...reads, spans: 100 * 125_000 }).result).toBe(0);
    expect(() => affordableBands(facts, 1e5, { ...reads, spans: 300 * 125_000 })).toThrow(
      '37500000 runs of blocks of a 400 × 125000 PNG',
    );
  });

  it('takes wide panoramas and long rulers', () => {
    const reads = { detection: 2, result: 3 };
    for (const [width, height] of [
      [30_000, 500],
      [1, 400_000],
      [40_000, 1],
      [100, 500_000],
    ] as const) {
      const facts = stillFacts('png', width, height, turned);
      expect(() => affordableBands(facts, 1e6, { ...reads, spans: 200 * 500 })).not.toThrow();
    }
  });

  it('counts strips and tiles, by how they are compressed, and names them', () => {
    const chunks = (compression: number) => ({
      chunks: { ...{ width: 1, height: 1, planar: false, largestBytes: 4 }, compression },
    });
    const reads = { detection: 0, result: 3 };
    const tiff = (edge: number, compression: number) =>
      affordableBands(stillFacts('tiff', edge, edge, chunks(compression)), 6e6, reads);
    expect(tiff(1000, 5)).toMatchObject({ detection: 0, result: 0 });
    expect(tiff(1000, 8)).toMatchObject({ detection: 0, result: 0 });
    expect(() => tiff(1000, 7)).toThrow('1000000 strips or tiles of a 1000 × 1000 TIFF');
    expect(() => tiff(5000, 5)).toThrow('25000000 strips or tiles of a 5000 × 5000 TIFF');
    const layout = { ...{ columns: 255, rows: 256, width: 1, height: 1, depth: 8 }, decoderBytes: 0 };
    const colour = { ...layout, monochrome: false, subX: 1, subY: 1, copiedBytes: 0 };
    const grid = (result: number) =>
      affordableBands(stillFacts('avif', 255, 256, { avif: { colour } }), 1e5, { detection: 0, result });
    expect(grid(6)).toMatchObject({ detection: 0, result: 0 });
    expect(() => grid(40)).toThrow('65280 tiles of a 255 × 256 AVIF');
  });
});
