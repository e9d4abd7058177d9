import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../src/codecs/types.ts';
import { sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { chosenChroma } from '../../src/sanitize/chroma.ts';
import { stillFacts } from '../cases/decoder_cases.ts';

const jpeg = (...sampling: [number, number][]): FileFacts => ({
  ...stillFacts('jpeg', 400, 300),
  jpeg: { sampling, scans: 1 },
});
const avif = (subX: number, subY: number, monochrome = false) =>
  ({
    ...stillFacts('avif', 400, 300),
    avif: { colour: { subX, subY, monochrome } },
  }) as FileFacts;
const webp = (colour: 'ycbcr' | 'rgb'): FileFacts => ({ ...stillFacts('webp', 400, 300), colour });
const halved = jpeg([2, 2], [1, 1], [1, 1]);

const chosen = (facts: FileFacts, output: object = {}, scale = 1) =>
  chosenChroma(facts, sanitizeOpsSchema.parse({ output }).output, scale);

describe('chosenChroma', () => {
  it.each([
    ['4:2:0', halved],
    ['4:1:0', jpeg([4, 2], [1, 1], [1, 1])],
    ['an AVIF of 4:2:0', avif(1, 1)],
    ['a lossy WebP', webp('ycbcr')],
  ])('is halved again where the source is %s', (_, facts) => {
    expect(chosen(facts)).toBe('halved-again');
  });

  it.each([
    ['4:4:4', jpeg([1, 1], [1, 1], [1, 1])],
    ['4:4:4 by other numbers', jpeg([2, 2], [2, 2], [2, 2])],
    ['4:2:2', jpeg([2, 1], [1, 1], [1, 1])],
    ['4:4:0', jpeg([1, 2], [1, 1], [1, 1])],
    ['grey', jpeg([2, 2])],
    ['CMYK', jpeg([2, 2], [1, 1], [1, 1], [2, 2])],
    ['an AVIF of 4:2:2', avif(1, 0)],
    ['a monochrome AVIF', avif(1, 1, true)],
    ['a lossless WebP', webp('rgb')],
    ['a PNG', stillFacts('png', 400, 300)],
  ])('is whole where the source is %s', (_, facts) => {
    expect(chosen(facts)).toBe('whole');
  });

  it('is whole where the output is half as large or less', () => {
    expect([1, 0.51, 0.5, 0.1].map((scale) => chosen(halved, {}, scale))).toEqual([
      'halved-again',
      'halved-again',
      'whole',
      'whole',
    ]);
  });

  it('is whole where bands of a turned picture are readings of their own: a second reading is too dear', () => {
    const turned = (facts: FileFacts) => ({ ...facts, orientation: 6 }) as const;
    expect([halved, webp('ycbcr'), avif(1, 1)].map((facts) => chosen(turned(facts)))).toEqual([
      'halved-again',
      'whole',
      'whole',
    ]);
    expect(chosen({ ...webp('ycbcr'), orientation: 2 })).toBe('halved-again');
  });

  it('is left to the content below quality 90', () => {
    expect([89, 90].map((quality) => chosen(halved, { quality }))).toEqual([undefined, 'halved-again']);
    expect([89, 90].map((quality) => chosen(stillFacts('png', 9, 9), { quality }))).toEqual([
      undefined,
      'whole',
    ]);
  });

  it('is what the caller says', () => {
    for (const chroma of ['whole', 'halved'])
      expect(chosen(halved, { chroma, quality: 30 }, 0.1)).toBe(chroma);
  });
});
