import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { estimatedLength } from '../../../src/codecs/png/length_estimate.ts';
import { decoders, encoders } from '../../../src/codecs/registry.ts';
import type { FileFacts } from '../../../src/metadata/facts.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { grayscale } from '../../../src/pixels/grayscale.ts';
import { corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';
import { pinkNoise } from '../../fixtures/pink_noise.ts';

const SIZE = 768;
/** Below it, headers and the encoder's first trials weigh too much. */
const LEAST_PIXELS = 150_000;

/** Of the picture as it is. */
function predicted(facts: FileFacts, inputBytes: number, grey = false): number | undefined {
  const pixels = facts.width * facts.height;
  const lossless = decoders[facts.format].reading.lossless ?? false;
  return estimatedLength({ facts, bytes: inputBytes, lossless, pixels, sourcePixels: pixels, grey });
}

/** Length of the PNG that this file becomes; undefined where it becomes a palette. */
async function pngLength(file: Uint8Array, facts: FileFacts, grey = false): Promise<number | undefined> {
  using source = await decoders[facts.format].open(file, facts, {});
  using output = await encoders.png.encode(grey ? grayscale(source) : source, 90, 2 ** 31);
  const { bytes } = output;
  return bytes[25] === 3 ? undefined : bytes.length;
}

type Chroma = '4:2:0' | '4:4:4' | 'grey';

async function structuredJpeg(deviation: number, quality: number, chroma: Chroma): Promise<Uint8Array> {
  const raw = { width: SIZE, height: SIZE, channels: 3 } as const;
  const picture = sharp(await pinkNoise(SIZE, deviation, 1), { raw });
  if (chroma === 'grey') picture.toColourspace('b-w');
  const chromaSubsampling = chroma === 'grey' ? '4:4:4' : chroma;
  return new Uint8Array(await picture.jpeg({ quality, chromaSubsampling }).toBuffer());
}

/**
 * Made structure is near a photograph's, not the same: with it lengths follow quality, sampling and content,
 * but not as closely.
 */
describe('length of a PNG', () => {
  const jpegs = [0.5, 1, 2].flatMap((deviation) =>
    [60, 80, 92].flatMap((quality) =>
      (['4:2:0', '4:4:4', 'grey'] as const).map((chroma) => [deviation, quality, chroma] as const),
    ),
  );

  it.each(jpegs)(
    'of a JPEG with structure of %f levels, quality %i, %s',
    async (deviation, quality, chroma) => {
      const file = await structuredJpeg(deviation, quality, chroma);
      const facts = scan(file)!;
      expect(facts.channels).toBe(chroma === 'grey' ? 1 : 3);
      const ratio = predicted(facts, file.length)! / (await pngLength(file, facts))!;
      expect(ratio).toBeGreaterThan(0.75);
      expect(ratio).toBeLessThan(1.55);
    },
  );

  it('of a JPEG in colour made black and white', async () => {
    const file = await structuredJpeg(1, 85, '4:2:0');
    const facts = scan(file)!;
    const ratio = predicted(facts, file.length, true)! / (await pngLength(file, facts, true))!;
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.55);
  });

  const photographs = corpusFiles('jpeg').filter(({ file }) => /^(jpeg-camera|faces|nofaces)\//.test(file));

  it.skipIf(photographs.length === 0)(
    'of photographs: nine in ten are no longer than predicted, half a quarter shorter at most',
    async () => {
      const ratios: number[] = [];
      for (const photograph of photographs) {
        const file = corpusBytes(photograph);
        const facts = scan(file)!;
        if (facts.width * facts.height < LEAST_PIXELS || facts.channels === 4) continue;
        const length = await pngLength(file, facts);
        if (length !== undefined) ratios.push(predicted(facts, file.length)! / length);
      }
      ratios.sort((a, b) => a - b);
      console.log(
        `${ratios.length} photographs: predicted / real ${[0.1, 0.25, 0.5, 0.75, 0.9].map((q) => ratios[Math.floor(ratios.length * q)]!.toFixed(2)).join(', ')} (10th, 25th, 50th, 75th, 90th of a hundred)`,
      );
      expect(ratios.length).toBeGreaterThan(20);
      expect(ratios[Math.floor(ratios.length / 10)]).toBeGreaterThan(1);
      expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(1.25);
    },
  );
});
