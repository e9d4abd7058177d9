import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Raster } from '../../src/codecs/types.ts';
import type { Box } from '../../src/faces/boxes.ts';
import { DetectorMemory } from '../../src/faces/detector_memory.ts';
import type { FusedBox } from '../../src/faces/fusion.ts';
import { type Judgement, judged } from '../../src/faces/model.ts';
import { verifierSide } from '../../src/faces/network/verifier_network.ts';
import { passInputsCost, readPassInputs } from '../../src/faces/pass_inputs.ts';
import { batchFloats, verifierCost, verify, withVerdicts } from '../../src/faces/verifier.ts';
import { redRaster } from '../fixtures/red_finder.ts';

const face = (box: Box, turned?: number): FusedBox => ({ ...box, logit: 0, ...(turned && { turned }) });

/** Every face with a copy of its crop, planar, of the raster shrunk to a width. */
async function cropsOf(raster: Raster, faces: readonly FusedBox[], width: number) {
  const scale = width / raster.width;
  const whole = { width, height: Math.round(raster.height * scale) };
  const { kept, reading } = passInputsCost(raster, { whole });
  using memory = DetectorMemory.open(kept + Math.max(reading, verifierCost(whole)));
  const picture = await readPassInputs(
    raster,
    { whole },
    { onTiles: async () => {}, onAll: async () => {} },
    memory,
  );
  const tensor = new Float32Array(batchFloats).fill(7);
  const shown: Float32Array[] = [];
  const batches: number[] = [];
  const ask = async (crops: Float32Array, count: number) => {
    batches.push(count);
    const floats = crops.length / count;
    for (let i = 0; i < count; i++) shown.push(crops.slice(i * floats, (i + 1) * floats));
    return Array.from({ length: count }, (_, i) => ({ animal: shown.length - count + i, other: 0 }));
  };
  const verdicts = await verify(picture, faces, scale, ask, tensor, memory);
  return { crops: new Map([...verdicts].map(([one, { animal }]) => [one, shown[animal]!])), batches };
}

/** Mean place of all that is red, and the side of a square of so many red pixels. */
function redIn(crop: Float32Array) {
  const plane = verifierSide ** 2;
  let [x, y, count] = [0, 0, 0];
  for (let i = 0; i < plane; i++) {
    const red = Math.max(0, (crop[i]! - crop[i + plane]!) / 255);
    count += red;
    x += red * ((i % verifierSide) + 0.5);
    y += red * (Math.floor(i / verifierSide) + 0.5);
  }
  return { x: x / count, y: y / count, side: Math.sqrt(count) };
}

describe('verify', () => {
  it('shows a face in the middle, two fifths of the side, wherever it lies', async () => {
    const place = fc.record({
      x: fc.integer({ min: 0, max: 1100 }),
      y: fc.integer({ min: 0, max: 800 }),
      side: fc.integer({ min: 24, max: 400 }),
      width: fc.constantFrom(600, 1200),
    });
    await fc.assert(
      fc.asyncProperty(place, async ({ x, y, side, width }) => {
        const red = { x: Math.min(x, 1200 - side), y: Math.min(y, 900 - side), w: side, h: side };
        const one = face(red);
        const { crops } = await cropsOf(redRaster(1200, 900, red), [one], width);
        const seen = redIn(crops.get(one)!);
        expect(Math.abs(seen.x - verifierSide / 2)).toBeLessThan(0.6);
        expect(Math.abs(seen.y - verifierSide / 2)).toBeLessThan(0.6);
        expect(Math.abs(seen.side - verifierSide / 2.5)).toBeLessThan(1.5);
      }),
      { seed: 12, numRuns: 12 },
    );
  });

  it('is black beyond the picture, and grey within', async () => {
    const one = face({ x: 0, y: 100, w: 40, h: 40 });
    const { crops } = await cropsOf(redRaster(400, 300, { x: 300, y: 0, w: 1, h: 1 }), [one], 400);
    const crop = crops.get(one)!;
    const row = (verifierSide / 2) * verifierSide;
    // The picture begins 30 pixels right of the left border, of the 100 that are shown.
    const border = row + 0.3 * verifierSide;
    expect(crop.subarray(row, border - 1).every((value) => value === 0)).toBe(true);
    expect(crop.subarray(border + 1, row + verifierSide).every((value) => value === 128)).toBe(true);
  });

  it.each([
    [90, 0, 1],
    [180, -1, 0],
    [270, 0, -1],
    [45, Math.SQRT1_2, Math.SQRT1_2],
  ])('is turned clockwise by %i degrees, as the picture was', async (turned, right, down) => {
    // What lies right of the middle.
    const raster = redRaster(1200, 900, { x: 625, y: 440, w: 20, h: 20 });
    const one = face({ x: 570, y: 420, w: 60, h: 60 }, turned);
    for (const width of [400, 1200]) {
      const { crops } = await cropsOf(raster, [one], width);
      const seen = redIn(crops.get(one)!);
      const far = (35 / 150) * verifierSide;
      expect(Math.abs(seen.x - verifierSide / 2 - right * far)).toBeLessThan(1);
      expect(Math.abs(seen.y - verifierSide / 2 - down * far)).toBeLessThan(1);
    }
  });

  it('shows so many at a time, every face once, but for the smallest', async () => {
    const faces = Array.from({ length: 70 }, (_, i) =>
      face({ x: 15 * i, y: 10 * i, w: i % 2 ? 40 : 200, h: 20 }),
    );
    const small = face({ x: 500, y: 500, w: 18, h: 18 });
    const { crops, batches } = await cropsOf(
      redRaster(1200, 900, { x: 0, y: 0, w: 1, h: 1 }),
      [small, ...faces],
      640,
    );
    expect(batches).toEqual([8, 8, 8, 8, 8, 8, 8, 8, 6]);
    expect(new Set(crops.keys())).toEqual(new Set(faces));
  });

  it('orders all anew, what it was not asked about between the praised and the refused', () => {
    const [refused, unasked, praised] = [2, 1, 0].map((logit) => ({ x: 0, y: 0, w: 9, h: 9, logit })) as [
      FusedBox,
      FusedBox,
      FusedBox,
    ];
    const verdicts = new Map([
      [refused, { animal: -4, other: 4, sharpness: 1 }],
      [praised, { animal: 4, other: 4, sharpness: 1 }],
    ]);
    const ordered = withVerdicts([refused, unasked, praised], verdicts, 1);
    expect(ordered.map(({ logit }) => logit)).toEqual([
      judged(0, { animal: 4, other: 4, sharpness: 1 }),
      judged(1),
      judged(2, { animal: -4, other: 4, sharpness: 1 }),
    ]);
  });

  it('leaves faces their logit that are too small to be shown only because the picture is large', () => {
    const none = new Map<FusedBox, Judgement>();
    const logitOf = (side: number, scale: number) =>
      withVerdicts([{ x: 0, y: 0, w: side - 4, h: side, logit: 0.5 }], none, scale)[0]!.logit;
    expect(logitOf(28, 0.1)).toBe(0.5);
    for (const [side, scale] of [
      [28, 0.3],
      [15, 0.1],
      [60, 0.2],
    ] as const)
      expect(logitOf(side, scale)).toBe(judged(0.5));
  });

  it('survives boxes that lie outside', async () => {
    const faces = [face({ x: -500, y: 0, w: 30, h: 30 }), face({ x: 9000, y: 9000, w: 900, h: 900 })];
    const { crops } = await cropsOf(redRaster(400, 300, { x: 0, y: 0, w: 1, h: 1 }), faces, 400);
    expect(crops.size).toBe(2);
    expect([...crops.values()].every((crop) => crop.every((value) => value === 0))).toBe(true);
  });
});
