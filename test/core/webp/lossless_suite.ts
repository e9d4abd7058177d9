import { expect } from 'vitest';
import { seededBelow } from '../../fixtures/random.ts';
import { pixelsBySharp } from '../../fixtures/sharp_reader.ts';
import { decodeLossless, sameBytes } from '../../fixtures/webp_lossless_rows.ts';
import { type StreamPlan, type TransformName, writeLossless } from '../../fixtures/webp_lossless_writer.ts';
import { riffChunk, webp } from '../../fixtures/webp_writer.ts';

export const TRANSFORMS: readonly TransformName[] = ['predictor', 'colour', 'green', 'indexing'];

/** Every ordered choice of some of these. */
export const orders = (names: readonly TransformName[]): TransformName[][] => [
  [],
  ...names.flatMap((name) => orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest])),
];

/** What libwebp says of a stream of the writer's, which always says that it has alpha. */
export async function expectAsLibwebp(payload: Uint8Array, name: string): Promise<void> {
  const expected = await pixelsBySharp(webp(riffChunk('VP8L', payload)));
  if (!expected) expect.fail(`${name}: libwebp refuses what was written`);
  if (!sameBytes(decodeLossless(payload), expected)) expect.fail(`${name}: pixels differ from libwebp's`);
}

/** Streams of chance, from a first seed on. */
export async function checkAnyStreams(from: number, count: number): Promise<void> {
  const all = orders(TRANSFORMS);
  for (let seed = from; seed < from + count; seed++) {
    const random = seededBelow(seed);
    const plan: StreamPlan = {
      width: 1 + random(random(3) > 0 ? 40 : 200),
      height: 1 + random(40),
      transforms: all[random(all.length)]!,
      cacheBits: random(2) * random(12),
      colours: 1 + random([2, 4, 16, 256][random(4)]!),
      blockBits: 2 + random(8),
      ...(random(3) === 0 && { groupNumbers: [random(30), random(5), random(300)] }),
      symbols: random(2) === 0 ? [256, 256] : [1 + random(256), 1],
      references: random(60),
    };
    await expectAsLibwebp(writeLossless(plan, random), `stream ${seed}`);
  }
}

/** Group numbers of which not all are used. */
export async function checkSparseGroups(numbers: readonly (readonly number[])[]): Promise<void> {
  for (const groupNumbers of numbers) {
    for (const blockBits of [2, 5, 9]) {
      const plan: StreamPlan = {
        ...{ width: 43, height: 29, transforms: [], cacheBits: 0, blockBits, groupNumbers },
        symbols: [9, 5] as const,
      };
      await expectAsLibwebp(writeLossless(plan, seededBelow(blockBits)), `groups ${groupNumbers.join(', ')}`);
    }
  }
}
