import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { webpDecoder } from '../../../src/codecs/webp/decoder.ts';
import { webpEncoder } from '../../../src/codecs/webp/encoder.ts';
import { predictedOutputBytes } from '../../../src/codecs/webp/encoder_cost.ts';
import { PAGE_BYTES } from '../../../src/core/memory_pool.ts';
import { Fault } from '../../../src/faults.ts';
import { corpusCases } from '../../cases/corpus_cases.ts';
import { corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';
import { decodeByDwebp, encodeByCwebp, haveLibwebpTools } from '../../fixtures/libwebp_tools.ts';
import { type Picture, rasterOf } from '../../fixtures/raster.ts';
import { pixelsBySharp } from '../../fixtures/sharp_reader.ts';
import { chunkOf } from '../../fixtures/webp_writer.ts';

const ROOM = 1 << 28;

corpusCases({
  decoder: webpDecoder,
  open(bytes, facts) {
    if (!facts.complete) throw new Fault('decoding', facts.defect!);
    return webpDecoder.open(bytes, facts, {});
  },
  // dwebp reads no animations.
  oracle: async (bytes) => (haveLibwebpTools && decodeByDwebp(bytes)?.pixels) || pixelsBySharp(bytes),
  // The file lies in the same core.
  beside: ({ length }) => length + PAGE_BYTES,
  compared: 51,
});

/** A picture, or as much of its middle. */
async function pictureOf(bytes: Uint8Array, largest = 1200): Promise<Picture> {
  const { width, height } = await sharp(bytes).metadata();
  const size = { width: Math.min(width, largest), height: Math.min(height, largest) };
  const [left, top] = [(width - size.width) >> 1, (height - size.height) >> 1];
  const part = sharp(bytes).extract({ left, top, ...size });
  const { data, info } = await part.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

describe('WebP encoder on real pictures', () => {
  const photographs = corpusFiles('jpeg').filter(
    ({ file, expect: { status } }) => file.startsWith('jpeg-camera/') && status.includes(200),
  );

  it.skipIf(photographs.length === 0 || !haveLibwebpTools)(
    'means by a quality what libwebp means: lengths within 15 %',
    async () => {
      const wrong: string[] = [];
      const pictures = photographs.filter(({ file }) => /iPhone_6|Galaxy_S7|PowerCam/.test(file));
      for (const file of pictures) {
        const picture = await pictureOf(corpusBytes(file), 1600);
        for (const quality of [30, 50, 75, 92]) {
          using output = await webpEncoder.encode(rasterOf(picture), quality, ROOM);
          const theirs = encodeByCwebp(picture, ['-m', '4', '-q', `${quality}`]);
          const ratio = output.bytes.length / theirs.length;
          if (ratio < 0.85 || ratio > 1.15) wrong.push(`${file.file} at ${quality}: ${ratio.toFixed(3)}`);
        }
      }
      expect(pictures.length).toBeGreaterThan(1);
      expect(wrong).toEqual([]);
    },
  );

  it.skipIf(photographs.length === 0)(
    'predicts a length that nine photographs in ten stay below',
    async () => {
      let within = 0;
      let all = 0;
      for (const file of corpusFiles('jpeg').filter(({ file }) => /^(faces|jpeg-camera)/.test(file))) {
        const picture = await pictureOf(corpusBytes(file), 800).catch(() => undefined);
        if (!picture) continue;
        for (const quality of [30, 75, 92, 100]) {
          using output = await webpEncoder.encode(rasterOf(picture), quality, ROOM);
          all++;
          if (output.bytes.length <= predictedOutputBytes(picture, quality, true)) within++;
        }
      }
      console.log(`${within} of ${all} are no longer than predicted`);
      expect(all).toBeGreaterThan(20);
      expect(within / all).toBeGreaterThanOrEqual(0.9);
    },
  );

  it.skipIf(!haveLibwebpTools)('writes alpha no longer than cwebp does, on average', async () => {
    const found = [...corpusFiles('png'), ...corpusFiles('webp')];
    let sum = 0;
    let count = 0;
    for (const entry of found) {
      if (!entry.expect.status.includes(200)) continue;
      const bytes = corpusBytes(entry);
      const header = await sharp(bytes)
        .metadata()
        .catch(() => undefined);
      if (!header?.hasAlpha || header.width * header.height < 4096) continue;
      if (header.width * header.height > 400_000) continue;
      const picture = await pictureOf(bytes).catch(() => undefined);
      if (!picture) continue;
      using output = await webpEncoder.encode({ ...rasterOf(picture), opaque: false }, 30, ROOM);
      const ours = chunkOf(output.bytes, 'ALPH')?.length;
      const theirs = chunkOf(encodeByCwebp(picture, ['-q', '30']), 'ALPH')?.length;
      expect(ours === undefined, entry.file).toBe(theirs === undefined);
      if (ours === undefined || theirs === undefined) continue;
      expect(ours, entry.file).toBeLessThan(theirs * 1.2 + 10);
      sum += Math.log(ours / theirs);
      count++;
    }
    console.log(`alpha of ${count} files is ${Math.exp(sum / count).toFixed(3)} × as long as cwebp's`);
    if (count > 0) expect(Math.exp(sum / count)).toBeLessThan(1);
  });
});
