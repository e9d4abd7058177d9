import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../src/metadata/facts.ts';
import { requireAffordable } from '../../src/sanitize/cost_limit.ts';
import { stillFacts } from '../cases/decoder_cases.ts';

type Format = 'png' | 'tiff' | 'jpeg' | 'webp' | 'gif' | 'avif';
const large = (format: Format, more: Partial<FileFacts> = {}) => ({
  ...stillFacts(format, 7071, 7071),
  ...more,
});
/** The longest file that is taken. */
const LONGEST = 25e6;

describe('the cost of a job', () => {
  it('is affordable for 50 megapixels of every format when upright, whatever the ops', () => {
    for (const format of ['png', 'tiff', 'jpeg', 'webp', 'gif', 'avif'] as const) {
      const reads = { detection: 2, result: 4, bands: 1 };
      expect(() => requireAffordable(large(format), LONGEST, reads)).not.toThrow();
    }
  });

  it('is affordable for a rotated PNG of 50 megapixels with the default ops, and for any rotated JPEG', () => {
    const reads = { detection: 2, result: 2, bands: 12 };
    expect(() => requireAffordable(large('png'), LONGEST, reads)).not.toThrow();
    expect(() => requireAffordable(large('jpeg'), LONGEST, { ...reads, result: 4 })).not.toThrow();
  });

  it('is refused with its figures where bands and coarse blocks multiply', () => {
    const reads = { detection: 2, result: 4, bands: 12 };
    expect(() => requireAffordable(large('png'), LONGEST, reads)).toThrow(
      'A turned PNG of 50.0 megapixels would have to be read 72 times for these ops, at most 56 are allowed',
    );
    for (const format of ['tiff', 'webp', 'avif'] as const) {
      expect(() => requireAffordable(large(format), LONGEST, { detection: 0, result: 4, bands: 12 })).toThrow(
        'as JPEG',
      );
    }
  });

  it('of an AVIF or WebP grows with the length of its file', () => {
    const reads = { detection: 2, result: 2, bands: 12 };
    const isAffordable = (facts: FileFacts, bytes: number) => {
      try {
        requireAffordable(facts, bytes, reads);
        return true;
      } catch {
        return false;
      }
    };
    expect(isAffordable(large('webp'), 9e6)).toBe(true);
    expect(isAffordable(large('webp'), 12e6)).toBe(false);
    const avif = (megapixels: number) =>
      stillFacts('avif', Math.round(Math.sqrt(megapixels * 1e6)), Math.round(Math.sqrt(megapixels * 1e6)));
    expect(isAffordable(avif(35), 2e6)).toBe(true);
    expect(isAffordable(avif(35), 12e6)).toBe(false);
    expect(isAffordable(avif(50), 1e6)).toBe(false);
  });

  it('of an AVIF is more where chroma has all rows, and where there is alpha', () => {
    const layout = { ...{ columns: 1, rows: 1, width: 7071, height: 7071, depth: 8 }, decoderBytes: 0 };
    const colour = { ...layout, monochrome: false, subX: 1, subY: 1, copiedBytes: 0 };
    const reads = { detection: 0, result: 3, bands: 12 };
    const require = (avif: NonNullable<FileFacts['avif']>) =>
      requireAffordable(large('avif', { avif }), 2e6, reads);
    expect(() => require({ colour })).not.toThrow();
    expect(() => require({ colour, alpha: { ...colour, monochrome: true } })).toThrow('as JPEG');
    expect(() => require({ colour: { ...colour, subX: 0, subY: 0 } })).toThrow('as JPEG');
  });

  it('counts rows that a picture upside down is not read to, where they are read in their order', () => {
    const reads = { detection: 2, result: 2, bands: 12 };
    const flipped = (format: Format, orientation: 3 | 6) =>
      requireAffordable(large(format, { orientation }), 4e6, reads);
    expect(() => flipped('avif', 3)).not.toThrow();
    expect(() => flipped('avif', 6)).toThrow('read 48 times');
  });
});
