import { describe, expect, it } from 'vitest';
import { estimatedLength } from '../../../src/codecs/png/length_estimate.ts';
import { decoders } from '../../../src/codecs/registry.ts';
import type { FileFacts } from '../../../src/metadata/facts.ts';
import { stillFacts } from '../../cases/decoder_cases.ts';

/** Of the picture as it is. */
function predicted(facts: FileFacts, inputBytes: number, grey = false): number | undefined {
  const pixels = facts.width * facts.height;
  const lossless = decoders[facts.format].reading.lossless ?? false;
  return estimatedLength({ facts, bytes: inputBytes, lossless, pixels, sourcePixels: pixels, grey });
}

describe('length of a PNG', () => {
  const png = stillFacts('png', 100, 100);

  it('of a PNG follows its own, more for palettes, and tells nothing of 16 bits', () => {
    expect(predicted(png, 10_000)).toBeCloseTo(11_500);
    expect(predicted({ ...png, colour: 'palette' }, 10_000)).toBeCloseTo(17_250);
    expect(predicted({ ...png, bitDepth: 16 }, 10_000)).toBeUndefined();
    expect(predicted({ ...png, format: 'webp' }, 10_000)).toBeUndefined();
    expect(predicted({ ...png, format: 'jpeg', colour: 'ycbcr' }, 10_000)).toBeUndefined();
  });

  it('of a part is that part of it with some to spare, or a photograph on a plain ground, and never more than its samples', () => {
    const part = (inputBytes: number, pixels: number) =>
      estimatedLength({
        facts: png,
        bytes: inputBytes,
        lossless: true,
        pixels,
        sourcePixels: 10_000,
        grey: false,
      })!;
    expect(part(20_000, 5000)).toBeCloseTo(23_000 * 0.65);
    expect(part(20_000, 9000)).toBeCloseTo(23_000);
    expect(part(2000, 1000)).toBeCloseTo(1500);
    expect(part(1000, 1000)).toBeCloseTo(1150);
    expect(part(1_000_000, 100)).toBe(400);
  });

  it('of what becomes black and white is less, but not of grey, palettes and what alpha may fill', () => {
    const grey = (facts: Partial<FileFacts>) => predicted({ ...png, ...facts }, 10_000, true);
    expect(grey({})).toBeCloseTo(4600);
    expect(grey({ colour: 'grey' })).toBeCloseTo(11_500);
    expect(grey({ colour: 'palette' })).toBeCloseTo(17_250);
    expect(grey({ hasAlpha: true })).toBeCloseTo(11_500);
  });
});
