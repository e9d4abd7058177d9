import sharp, { type WebpOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { webpDecoder } from '../../../src/codecs/webp/decoder.ts';
import { createCore } from '../../../src/core/instance.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { CoreBytes } from '../../../src/memory/owned_bytes.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decoderCases, decodeWhole, firstDifference, stillFacts } from '../../cases/decoder_cases.ts';
import { noisePicture, type Picture, photoPicture, readPicture } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import { chunkOf, riffChunk, vp8x, webp } from '../../fixtures/webp_writer.ts';

const raw = ({ width, height, pixels }: Picture) => sharp(pixels, { raw: { width, height, channels: 4 } });

async function sample(name: string, picture: Picture, options: WebpOptions) {
  const bytes = new Uint8Array(
    await raw(picture)
      .webp({ effort: 0, ...options })
      .toBuffer(),
  );
  const { pixels } = await readBySharp(bytes);
  return { name, bytes, facts: stillFacts('webp', picture.width, picture.height), pixels };
}

describe('WebP decoder', async () => {
  decoderCases({
    decoder: webpDecoder,
    samples: [
      await sample('lossless', noisePicture(33, 21, 1), { lossless: true }),
      await sample('lossless with alpha', noisePicture(20, 31, 2, 'any'), { lossless: true, exact: true }),
      await sample('lossy with alpha', noisePicture(40, 30, 4, 'any'), { quality: 80, exact: true }),
    ],
    cuts: 40,
    // A chunk that is cut is refused before any row.
    namesRow: false,
  });

  it('reads a lossy photograph as libwebp does, to the bit', async () => {
    const { bytes, facts, pixels } = await sample('lossy', photoPicture(164, 150, 3), { quality: 80 });
    const { pixels: ours } = await decodeWhole(webpDecoder, { bytes, facts: { ...facts, colour: 'ycbcr' } });
    expect(firstDifference(ours, pixels)).toBe('none');
  });

  it('reads a file that lies in a core where it is', async () => {
    const { bytes, facts, pixels } = await sample('lossy', photoPicture(64, 50, 4), { quality: 70 });
    using file = CoreBytes.allocate(createCore(), bytes.length);
    file.bytes.set(bytes);
    const { core } = file;
    const before = core.exports.mark();
    {
      using raster = await webpDecoder.open(file, { ...facts, colour: 'ycbcr' }, {});
      expect(raster.core).toBe(core);
      expect(firstDifference(readPicture(raster).pixels, pixels)).toBe('none');
    }
    expect(core.exports.mark()).toBe(before);
  });

  it('holds what its cost says, for pictures of any kind', async () => {
    const picture = photoPicture(900, 700, 5);
    const clear = noisePicture(300, 200, 6, 'any');
    for (const { bytes, facts, isExact } of [
      { ...(await sample('', picture, { quality: 80 })), isExact: true },
      { ...(await sample('', picture, { lossless: true })), isExact: false },
      { ...(await sample('', clear, { quality: 80 })), isExact: false },
    ]) {
      const seen = scan(bytes)!;
      expect([seen.width, seen.height]).toEqual([facts.width, facts.height]);
      using raster = await webpDecoder.open(bytes, seen, {});
      readPicture(raster);
      const held = raster.core.heldBytes - bytes.length;
      const predicted = totalBytes(webpDecoder.cost(seen, {}));
      expect(predicted).toBeGreaterThanOrEqual(held - 65_536);
      // What the headers of lossless pictures and of alpha declare is not known before they are read.
      if (isExact) expect(predicted).toBeLessThanOrEqual(held * 1.25 + 65_536);
    }
  });

  it('counts the canvas of an animation that has but one frame', async () => {
    const still = await sample('', photoPicture(24, 16, 1), { quality: 70 });
    const frame = riffChunk('VP8 ', chunkOf(still.bytes, 'VP8 ')!);
    const place = new Uint8Array(16);
    place.set([1, 0, 0, 2, 0, 0, 23, 0, 0, 15]);
    const bytes = webp([vp8x(5000, 300, 2), riffChunk('ANMF', place, frame)]);
    const facts = scan(bytes)!;
    expect(facts).toMatchObject({ width: 5000, height: 300, frames: 1, onCanvas: true, complete: true });
    using raster = await webpDecoder.open(bytes, facts, {});
    const { pixels } = readPicture(raster);
    expect(raster.opaque).toBe(false);
    expect(pixels.subarray((4 * 5000 + 2) * 4, (4 * 5000 + 26) * 4)).toEqual(still.pixels.subarray(0, 96));
    expect(pixels.filter((_, i) => i % 4 === 3 && pixels[i] !== 0).length).toBe(24 * 16);
    expect(totalBytes(webpDecoder.cost(facts, {}))).toBeGreaterThanOrEqual(
      raster.core.heldBytes - bytes.length,
    );
  });

  it('reads the first frame of an animation onto its canvas', async () => {
    const frames = [photoPicture(24, 16, 1), photoPicture(24, 16, 2)];
    const stacked = new Uint8Array(frames.flatMap(({ pixels }) => [...pixels]));
    const bytes = new Uint8Array(
      await sharp(stacked, { raw: { width: 24, height: 32, channels: 4, pageHeight: 16 } })
        .webp({ lossless: true })
        .toBuffer(),
    );
    const facts = stillFacts('webp', 24, 16, { frames: 2, onCanvas: true });
    const { pixels: ours } = await decodeWhole(webpDecoder, { bytes, facts });
    expect(ours).toEqual(frames[0]!.pixels);
  });
});
