import { describe, expect, it } from 'vitest';
import type { Colorimetry } from '../../../src/metadata/facts.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { convertCodes, type MatrixConversion } from '../../../src/pixels/colour/conversion.ts';
import { colourSourceOf } from '../../../src/pixels/colour/source.ts';
import { peakOf, type ToneConversion, toneCurve } from '../../../src/pixels/colour/tone.ts';
import { av1C, avif, box, ispe, nclx } from '../../fixtures/avif_writer.ts';
import { type Part, u16, u32 } from '../../fixtures/bytes.ts';
import { pngChunk, writePng } from '../../fixtures/png_writer.ts';
import { codePointChunk } from '../../fixtures/profiled_files.ts';

const NOTHING = new Uint8Array(0);

function toneOf(primaries: number, transfer: number, peakLuminance?: number): ToneConversion {
  const colorimetry: Colorimetry = {
    codePoints: { primaries, transfer, matrix: 0, fullRange: true },
    ...(peakLuminance && { peakLuminance }),
  };
  return colourSourceOf({ format: 'avif', colour: 'rgb', colorimetry }, NOTHING).conversion as ToneConversion;
}

/** 8-bit sRGB of a colour of codes 0 to 1. */
const shown = (conversion: ToneConversion, red: number, green: number, blue: number) =>
  convertCodes(conversion as unknown as MatrixConversion, [red * 255, green * 255, blue * 255]);

/** Grey at codes 1/8 … 8/8, seen in Chromium 156: a lossless 10-bit AVIF on a screen without headroom. */
const SEEN: readonly (readonly [string, number, number | undefined, readonly number[]])[] = [
  ['PQ that says nothing of its peak', 16, undefined, [5, 30, 70, 131, 212, 254, 255, 255]],
  ['PQ of 4,000', 16, 4000, [5, 30, 70, 131, 201, 225, 249, 255]],
  ['PQ of 500', 16, 500, [7, 37, 83, 155, 241, 255, 255, 255]],
  ['PQ of 100, less than diffuse white', 16, 100, [10, 44, 98, 181, 255, 255, 255, 255]],
  ['HLG', 18, undefined, [14, 43, 71, 99, 134, 187, 227, 255]],
  ['HLG of 4,000', 18, 4000, [14, 43, 71, 99, 134, 187, 209, 225]],
];

describe('high dynamic range brought down', () => {
  it.each(SEEN)('%s, as Chromium shows its greys', (_, transfer, peak, seen) => {
    const conversion = toneOf(9, transfer, peak);
    seen.forEach((code, i) => {
      const level = (i + 1) / 8;
      expect(Math.abs(shown(conversion, level, level, level)[0] - code)).toBeLessThanOrEqual(1);
    });
  });

  it.each([
    ['red of BT.2020', 9, 16, [0.5, 0, 0], [165, 0, 0]],
    ['green of BT.2020', 9, 16, [0, 0.5, 0], [0, 139, 0]],
    ['skin', 9, 16, [0.5, 0.35, 0.25], [160, 42, 17]],
    ['sky', 9, 16, [0.375, 0.5, 0.625], [0, 128, 220]],
    ['red of P3 that is brighter than white', 12, 16, [0.625, 0, 0], [244, 0, 0]],
    ['red by HLG, whose system gamma goes by luminance', 9, 18, [0.5, 0, 0], [111, 0, 0]],
    ['red of P3 by HLG', 12, 18, [0.5, 0, 0], [95, 0, 0]],
  ] as const)('%s keeps its hue as in Chromium', (_, primaries, transfer, [red, green, blue], seen) => {
    const codes = shown(toneOf(primaries, transfer), red, green, blue);
    codes.forEach((code, i) => {
      expect(Math.abs(code - seen[i]!)).toBeLessThanOrEqual(i === 1 && primaries === 9 ? 2 : 1);
    });
  });

  it('never falls, has no step and ends in white at its peak', () => {
    for (const peak of [1, 1.001, 1.5, 4.926, 19.7, 49.3]) {
      const curve = toneCurve(peak);
      let before = 0;
      for (let i = 1; i <= 2000; i++) {
        const light = (i / 2000) * peak * 1.2;
        const now = curve(light);
        expect(now).toBeGreaterThanOrEqual(before);
        expect(now - before).toBeLessThanOrEqual((peak * 1.2) / 2000 + 1e-9);
        before = now;
      }
      expect(curve(peak)).toBeCloseTo(1, 9);
      expect(curve(0)).toBe(0);
    }
  });
});

describe('the peak that a file states', () => {
  const mastering = (luminance: number) => [new Uint8Array(16), u32(luminance * 10_000), u32(50)];
  const peakInPng = (...chunks: readonly Uint8Array[]) =>
    scan(writePng({ width: 2, height: 2, colourType: 2, early: [codePointChunk(9, 16), ...chunks] }))!
      .colorimetry!.peakLuminance;
  const peakInAvif = (...more: readonly Uint8Array[]) => {
    const properties = [ispe(2, 2), av1C(0), nclx(9, 16, 9), ...more];
    const item = {
      id: 1,
      type: 'av01',
      extents: [[0]] as Part[],
      properties: properties.map((_, i) => i + 1),
    };
    return scan(avif({ items: [item], properties }))!.colorimetry!.peakLuminance;
  };
  const cLLI = (most: number) => pngChunk('cLLI', Uint8Array.from([...u32(most * 10_000), ...u32(1)]));
  const mDCV = (most: number) =>
    pngChunk('mDCV', Uint8Array.from(mastering(most).flatMap((part) => [...part])));

  it('is MaxCLL, else that of the mastering display, in PNG', () => {
    expect(peakInPng()).toBeUndefined();
    expect(peakInPng(cLLI(0))).toBeUndefined();
    expect(peakInPng(mDCV(4000))).toBe(4000);
    expect(peakInPng(mDCV(4000), cLLI(500))).toBe(500);
    expect(peakInPng(pngChunk('cLLI', Uint8Array.of(1, 2)))).toBeUndefined();
  });

  it('is MaxCLL, else that of the mastering display, in AVIF', () => {
    expect(peakInAvif()).toBeUndefined();
    expect(peakInAvif(box('clli', u16(0), u16(50)))).toBeUndefined();
    expect(peakInAvif(box('mdcv', mastering(4000)))).toBe(4000);
    expect(peakInAvif(box('mdcv', mastering(4000)), box('clli', u16(500), u16(50)))).toBe(500);
    expect(peakInAvif(box('mdcv', u32(1)))).toBeUndefined();
  });

  it('of less than diffuse white counts as diffuse white', () => {
    expect(peakOf(100)).toBe(1);
    expect(peakOf()).toBeCloseTo(1000 / 203);
  });
});
