import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { webpDecoder } from '../../../src/codecs/webp/decoder.ts';
import { webpEncoder } from '../../../src/codecs/webp/encoder.ts';
import { predictedOutputBytes } from '../../../src/codecs/webp/encoder_cost.ts';
import { PAGE_BYTES } from '../../../src/core/memory_pool.ts';
import { Fault } from '../../../src/faults.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { firstDifference } from '../../cases/decoder_cases.ts';
import { corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';
import { heldBytesOf } from '../../fixtures/held_bytes.ts';
import { decodeByDwebp, encodeByCwebp, haveLibwebpTools } from '../../fixtures/libwebp_tools.ts';
import { type Picture, rasterOf, stripsOf } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import { chunkOf } from '../../fixtures/webp_writer.ts';

const ROOM = 1 << 28;

describe('WebP decoder on real files', () => {
  const files = corpusFiles('webp');
  it.skipIf(files.length === 0)(`has the pixels of libwebp in ${files.length} files`, async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const file of files) {
      const bytes = corpusBytes(file);
      const facts = scan(bytes);
      if (!facts || facts.width * facts.height > 60_000_000) continue;
      let outcome: Uint8Array | Fault;
      try {
        outcome = facts.complete ? await readAll(bytes) : new Fault('decoding', facts.defect!);
      } catch (error) {
        if (!(error instanceof Fault)) throw new Error(file.file, { cause: error });
        outcome = error;
      }
      const status = outcome instanceof Fault ? 422 : 200;
      if (!file.expect.status.includes(status) && !file.expect.status.includes(413)) {
        wrong.push(`${file.file}: ${outcome instanceof Fault ? outcome.message : 'was read'}`);
      }
      if (outcome instanceof Fault) continue;
      // dwebp reads no animations.
      const still = haveLibwebpTools ? decodeByDwebp(bytes)?.pixels : undefined;
      const oracle = still ?? (await readBySharp(bytes).catch(() => undefined))?.pixels;
      if (!oracle) continue;
      compared++;
      const found = firstDifference(outcome, oracle);
      if (found !== 'none') wrong.push(`${file.file}: ${found}`);
    }
    console.log(`WebP corpus: ${files.length} files, ${compared} compared pixel by pixel`);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(50);
  });

  async function readAll(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const facts = scan(bytes)!;
    const cost = totalBytes(webpDecoder.cost(facts, {}));
    using raster = await webpDecoder.open(bytes, facts, {});
    const parts: Uint8Array[] = [];
    for (const strip of stripsOf(raster)) {
      // The file lies in the same core.
      expect(heldBytesOf(raster, strip)).toBeLessThanOrEqual(cost + bytes.length + PAGE_BYTES);
      parts.push(strip.pixels.slice());
    }
    return Buffer.concat(parts);
  }
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
