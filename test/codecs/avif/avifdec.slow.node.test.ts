import { describe, expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole } from '../../cases/decoder_cases.ts';
import { meanDifference } from '../../cases/encoder_cases.ts';
import { decodeByAvifdec, encodeByAvifenc, haveAvifTools } from '../../fixtures/avif_tools.ts';
import { mostApart, noisePicture, photoPicture } from '../../fixtures/raster.ts';

/** What avifenc can make of one picture. */
const SWITCHES: readonly (readonly [name: string, switches: readonly string[]])[] = [
  ['10-bit 4:4:4', ['-d', '10', '-y', '444']],
  ['10-bit 4:2:0', ['-d', '10', '-y', '420']],
  ['12-bit 4:2:2', ['-d', '12', '-y', '422']],
  ['12-bit monochrome', ['-d', '12', '-y', '400']],
  ['lossless identity', ['-l', '-y', '444', '--cicp', '1/13/0']],
  ['limited range BT.709', ['-d', '10', '-y', '444', '-r', 'limited', '--cicp', '1/13/1']],
  ['BT.2020', ['-d', '10', '-y', '420', '--cicp', '9/14/9']],
  ['YCgCo', ['-d', '10', '-y', '444', '--cicp', '1/13/8']],
  ['chroma-derived', ['-d', '10', '-y', '444', '--cicp', '12/13/12']],
  ['a grid', ['-d', '10', '-y', '420', '--grid', '2x2']],
  ['tiles', ['-d', '10', '-y', '420', '--tilerowslog2', '1', '--tilecolslog2', '1']],
];

describe.skipIf(!haveAvifTools)('AVIF beside avifdec', () => {
  const opaque = photoPicture(256, 192, 7);
  const clear = noisePicture(256, 192, 8, 'any');

  it.each(SWITCHES)('%s: every sample within one, of 8 and of 16 bits', async (name, switches) => {
    const bytes = await encodeByAvifenc(opaque, ['-s', '8', ...switches]);
    const facts = scan(bytes)!;
    const ours = await decodeWhole(avifDecoder, { bytes, facts });
    const theirs = await decodeByAvifdec(bytes, 8, ['-u', 'bilinear']);
    // avifdec's 8-bit integers are less exact.
    expect(mostApart(ours.pixels, theirs.pixels)).toBeLessThanOrEqual(name === 'lossless identity' ? 0 : 1);
    if (facts.bitDepth === 8) return;
    using raster = await avifDecoder.open(bytes, facts, { preferHighBitDepth: true });
    const wide = new Uint16Array(raster.width * raster.height * 4);
    for (const strip of raster.strips16!()) {
      if (typeof strip !== 'number') wide.set(strip.samples, strip.y * raster.width * 4);
    }
    const theirs16 = await decodeByAvifdec(bytes, 16, ['-u', 'bilinear']);
    expect(mostApart(wide, theirs16.pixels)).toBeLessThanOrEqual(2);
  });

  it.each([
    ['alpha', []],
    ['premultiplied alpha', ['-p']],
    ['alpha of a grid', ['--grid', '2x2']],
  ])('%s', async (_, switches) => {
    const bytes = await encodeByAvifenc(clear, [
      '-s',
      '8',
      '-d',
      '10',
      '-y',
      '444',
      '--min',
      '0',
      '--max',
      '20',
      ...switches,
    ]);
    const facts = scan(bytes)!;
    expect(facts.hasAlpha).toBe(true);
    const ours = await decodeWhole(avifDecoder, { bytes, facts });
    const theirs = await decodeByAvifdec(bytes, 8, ['-u', 'bilinear']);
    // Premultiplied colours were rounded before they were divided by alpha.
    for (let i = 0; i < ours.pixels.length; i++) {
      const alpha = ours.pixels[i | 3]!;
      if (alpha < 16 && (i & 3) < 3) continue;
      expect(Math.abs(ours.pixels[i]! - theirs.pixels[i]!)).toBeLessThanOrEqual(2 + 510 / alpha);
    }
    expect(meanDifference(ours.pixels, theirs.pixels as Uint8Array)).toBeLessThan(2);
  });
});
