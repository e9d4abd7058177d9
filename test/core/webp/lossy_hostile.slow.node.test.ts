import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { Fault } from '../../../src/faults.ts';
import { firstDifference, lossyFrameIn, readLossy } from '../../fixtures/lossy_frame.ts';
import { mutate } from '../../fixtures/mutations.ts';
import { seededBelow } from '../../fixtures/random.ts';
import { noisePicture, type Picture, photoPicture } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import {
  firstPartitionBytes,
  randomVp8,
  simpleWebp,
  vp8Payload,
  withFirstPartition,
} from '../../fixtures/vp8_writer.ts';

async function payloadOf({ width, height, pixels }: Picture, quality: number): Promise<Uint8Array> {
  const image = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  return vp8Payload(new Uint8Array(await image.webp({ quality, effort: 4 }).toBuffer()));
}

/**
 * Our picture or the fault; anything else that is thrown, and what stands for a trap of the core, is thrown.
 */
function outcome(payload: Uint8Array): Picture | Fault {
  try {
    return readLossy(payload);
  } catch (error) {
    if (error instanceof Fault && !error.message.includes('make sense')) return error;
    throw error;
  }
}

/**
 * How ours and libwebp's reading of a payload differ; undefined where both refuse it or give the same pixels.
 * In a file it is padded to an even length, and libwebp reads on into that.
 */
async function disagreement(payload: Uint8Array): Promise<string | undefined> {
  const file = simpleWebp(payload);
  const ours = outcome(file.subarray(20));
  const theirs = await readBySharp(file).catch(() => undefined);
  if (ours instanceof Fault) return theirs && `libwebp reads it: ${ours.message}`;
  return theirs ? firstDifference(ours, theirs) : 'libwebp refuses it';
}

describe('a lossy WebP frame cut short', () => {
  it('is refused or whole wherever it is cut, as libwebp has it', async () => {
    const payloads: readonly [payload: Uint8Array, step: number][] = [
      [await payloadOf(photoPicture(150, 130, 3), 60), 64],
      [await payloadOf(noisePicture(64, 64, 3), 80), 64],
      // Of these eight partitions little is used.
      [randomVp8({ width: 100, height: 200, partitions: 3, quantiser: 30 }, 5), 1000],
    ];
    let refused = 0;
    for (const [payload, step] of payloads) {
      for (let length = 0; length < payload.length; length += step) {
        const cut = payload.subarray(0, length);
        expect(await disagreement(cut)).toBeUndefined();
        if (outcome(cut) instanceof Fault) refused++;
      }
      for (let length = payload.length - 12; length < payload.length; length++) {
        expect(await disagreement(payload.subarray(0, length))).toBeUndefined();
      }
    }
    expect(refused).toBeGreaterThan(200);
  });

  it('is read down to the very byte that libwebp reads it with', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const payload = randomVp8({ width: 20, height: 30, quantiser: 20, updates: seed * 5 }, seed);
      const first = firstPartitionBytes(payload);
      // The least that is read of the coefficients, then of the modes.
      for (const cut of [
        (length: number) => payload.subarray(0, 10 + first + length),
        (length: number) => withFirstPartition(payload, payload.subarray(10, 10 + length)),
      ]) {
        let least = 0;
        for (let step = 1024; step >= 1; step /= 2) {
          if (outcome(cut(least + step - 1)) instanceof Fault) least += step;
        }
        expect(outcome(cut(least))).not.toBeInstanceOf(Fault);
        for (let length = Math.max(0, least - 2); length <= least + 1; length++) {
          expect(await disagreement(cut(length))).toBeUndefined();
        }
      }
    }
  });

  it('names the row that was reached', async () => {
    const payload = await payloadOf(noisePicture(64, 640, 3), 80);
    expect(() => readLossy(payload.subarray(0, payload.length / 2))).toThrow(
      /^The WebP is truncated or corrupt: the coefficients end early \(row (?:2|3|4)\d\d of 640 reached\)$/,
    );
    const first = firstPartitionBytes(payload);
    const cut = withFirstPartition(payload, payload.subarray(10, 10 + first - (first >> 3)));
    expect(() => readLossy(cut)).toThrow(/modes end early \(row [1-9]\d+ of 640 reached\)$/);
  });
});

describe('mutants of lossy WebP frames', () => {
  it('are faults or pictures, those of libwebp', async () => {
    const random = seededBelow(77);
    const parents = [
      await payloadOf(photoPicture(37, 41, 1), 75),
      await payloadOf(photoPicture(64, 48, 2), 10),
      await payloadOf(noisePicture(33, 32, 3), 90),
      randomVp8({ width: 40, height: 70, partitions: 2, quantiser: 20, level: 30, updates: 100 }, 1),
      randomVp8(
        {
          ...{ width: 50, height: 30, quantiser: 20, level: 30, simpleFilter: true, skip: 150 },
          segments: {
            map: [100, 90, 80],
            data: { absolute: true, quantisers: [5, 20, 50, 90], levels: [9, 0, 30, 63] },
          },
        },
        2,
      ),
    ];
    let pictures = 0;
    const wrong: string[] = [];
    for (let i = 0; i < 1500; i++) {
      const mutant = mutate(parents[i % parents.length]!, random);
      const ours = outcome(mutant);
      if (ours instanceof Fault) continue;
      pictures++;
      // Every fifth is shown to libwebp, too, if it is not a giant now.
      if (i % 5 !== 0 || ours.width * ours.height > 1e6) continue;
      const difference = await disagreement(mutant);
      if (difference) wrong.push(`${i}: ${difference}`);
    }
    expect(wrong).toEqual([]);
    expect(pictures).toBeGreaterThan(300);
  });
});

describe('a lossy WebP frame that is none', () => {
  const header = { width: 20, height: 20, quantiser: 10 };
  const whole = randomVp8(header, 1);
  const changed = (at: number, value: number) => {
    const payload = whole.slice();
    payload[at] = value;
    return payload;
  };
  const first = firstPartitionBytes(whole) + 10;
  const eight = randomVp8({ ...header, partitions: 3 }, 1);
  const firstOfEight = firstPartitionBytes(eight) + 10;

  it.each<[string, Uint8Array, Fault['kind'], RegExp]>([
    ['is empty', new Uint8Array(), 'decoding', /ends inside its frame header/],
    ['ends in its header', whole.slice(0, 9), 'decoding', /ends inside its frame header/],
    ['has another start code', changed(3, 0x9c), 'decoding', /start code/],
    ['has half a start code', changed(5, 0x2b), 'decoding', /start code/],
    ['is an inter frame', randomVp8({ ...header, interFrame: true }, 1), 'decoding', /no key frame/],
    ['is hidden', randomVp8({ ...header, hidden: true }, 1), 'decoding', /not to be shown/],
    ['has version 4', randomVp8({ ...header, version: 4 }, 1), 'unsupported', /version of VP8/],
    ['has no width', changed(6, 0), 'decoding', /no pixels/],
    ['has no height', changed(8, 0), 'decoding', /no pixels/],
    ['ends in its first partition', whole.slice(0, first - 1), 'decoding', /inside its first partition/],
    ['has no coefficients', whole.slice(0, first), 'decoding', /ends before its coefficients/],
    [
      'ends in the partitions’ sizes',
      eight.slice(0, firstOfEight + 20),
      'decoding',
      /before its coefficients/,
    ],
    [
      'ends after the partitions’ sizes',
      eight.slice(0, firstOfEight + 21),
      'decoding',
      /before its coefficients/,
    ],
    ['has a short first partition', changed(1, 0), 'decoding', /header is longer than its partition/],
    ['has coefficients that begin with 255', changed(first, 255), 'decoding', /coefficients end early/],
  ])('because it %s', (_, payload, kind, message) => {
    const fault = outcome(payload);
    expect(fault).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  it('or is one: unchanged, all of these are read', () => {
    for (const payload of [whole, eight]) expect(outcome(payload)).toMatchObject({ width: 20, height: 20 });
  });
});

describe('a giant of a few bytes', () => {
  it('ends early, and takes no more memory than its width asks for', () => {
    const payload = randomVp8({ width: 40, height: 40, quantiser: 20 }, 1);
    payload.set([0xff, 0x3f, 0xff, 0x3f], 6);
    using core = createCore();
    const before = core.heldBytes;
    const frame = lossyFrameIn(core, payload);
    expect(frame).toMatchObject({ width: 16383, height: 16383 });
    frame.reserve();
    expect(core.heldBytes - before).toBeLessThan(2e6);
    expect(() => [...frame.rows()]).toThrow(/end early \(row 0 of 16383 reached\)/);
  });
});
