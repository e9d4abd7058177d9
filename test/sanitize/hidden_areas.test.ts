import { describe, expect, it } from 'vitest';
import type { Box } from '../../src/faces/boxes.ts';
import { type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { blockEdge } from '../../src/pixels/block_edges.ts';
import { hide, NOTHING_HIDDEN } from '../../src/pixels/hide.ts';
import {
  areasFoundAgain,
  fillColour,
  foundAreas,
  hiddenOf,
  regionsOf,
} from '../../src/sanitize/hidden_areas.ts';
import { coarsestBlock, faceBlock } from '../../src/sanitize/mosaic_plan.ts';
import { noisePicture, type Picture, rasterOf, readPicture } from '../fixtures/raster.ts';

const output = { width: 800, height: 600 };
const { colour } = NOTHING_HIDDEN;

type Pixelate = SanitizeOpsInput['pixelate'];
const asked = (pixelate: Pixelate) => sanitizeOpsSchema.parse({ pixelate }).pixelate;
type Face = Box;
const listOf = (given: Pixelate, faces: readonly Face[] = [], again: readonly Face[] = []) => {
  const pixelate = asked(given);
  const by = { padding: pixelate.padding, fill: pixelate.faceFill };
  const found = (boxes: readonly Face[]) =>
    boxes.map((box) => ({ ...box, confidence: 0.9, kind: 'face', by }));
  const list = [...regionsOf(pixelate, output), ...foundAreas(found(faces), pixelate, output)];
  return [...list, ...areasFoundAgain(found(again), list, pixelate, output)];
};
const hiding = (given: Pixelate, ...faces: (readonly Face[])[]) =>
  hiddenOf(listOf(given, ...faces), asked(given), colour, output);
const blocks = (...given: Parameters<typeof hiding>) =>
  hiding(...given)
    .mosaics.filter(({ areas }) => areas.length > 0)
    .map(({ block }) => block);

describe('mosaics', () => {
  it('take regions at the asked strength and close-up faces coarser', () => {
    const face = { x: 100, y: 50, w: 400, h: 500 };
    expect(blocks({ regions: [{ x: 0, y: 0, w: 5, h: 5 }] }, [face])).toEqual([18, 167]);
  });

  it('are never coarser than coarsestBlock', () => {
    for (const verify of [false, true]) {
      for (const strength of [1, 3, 12]) {
        const most = coarsestBlock(asked({ strength, verify }), output);
        for (const face of [
          { x: 0, y: 0, w: output.width, h: output.height },
          { x: 10, y: 10, w: 200, h: 300 },
          { x: 5, y: 5, w: 4, h: 4 },
        ]) {
          for (const block of blocks({ strength, verify }, [face], verify ? [face] : [])) {
            expect(block).toBeLessThanOrEqual(most);
          }
        }
      }
    }
  });

  it('of a close-up are the same up to strength 4, coarser with every strength beyond it', () => {
    const face = { x: 100, y: 10, w: 480, h: 580 };
    const edges = Array.from({ length: 12 }, (_, index) => blocks({ strength: index + 1 }, [face])[0]!);
    expect(new Set(edges.slice(0, 4))).toEqual(new Set([194]));
    for (let at = 4; at < 12; at++) expect(edges[at]!).toBeGreaterThan(edges[at - 1]!);
    expect(edges[11]).toBe(580);
  });

  it('are twice as coarse for faces that the second detection finds, small or close-up', () => {
    expect(blocks({}, [], [{ x: 100, y: 50, w: 30, h: 40 }])).toEqual([blockEdge(6, output)]);
    const large = { x: 0, y: 0, w: 590, h: 590 };
    expect(blocks({}, [], [large])).toEqual([2 * faceBlock(large, 18, output)]);
    expect(2 * faceBlock(large, 18, output)).toBe(394);
  });
});

describe('fills', () => {
  const regions = [
    { x: 1.5, y: 2.5, w: 10, h: 10 },
    { x: 50, y: 50, w: 10, h: 10, fill: 'solid' },
    { x: 90, y: 90, w: 10, h: 10, fill: 'mosaic' },
    { x: 900, y: 0, w: 10, h: 10, fill: 'solid' },
  ] as const;

  it('are counted by how each region is hidden: its own word, or that of all', () => {
    const given = (fill: 'mosaic' | 'solid') => ({ fill, regions: [...regions] });
    const fills = (fill: 'mosaic' | 'solid') => listOf(given(fill)).map((area) => area.fill);
    expect(fills('mosaic')).toEqual(['mosaic', 'solid', 'mosaic']);
    expect(fills('solid')).toEqual(['solid', 'solid', 'mosaic']);
    expect(hiding(given('solid')).filled).toEqual([
      { x: 1, y: 2, width: 11, height: 11 },
      { x: 50, y: 50, width: 10, height: 10 },
    ]);
  });

  it('cover faces with their padding where asked for, and those of the second look', () => {
    const face = { x: 100, y: 100, w: 40, h: 60 };
    const { mosaics, filled } = hiding({ faceFill: 'solid' }, [face], [face]);
    expect(mosaics).toEqual([]);
    const area = { x: 90, y: 85, width: 60, height: 90 };
    expect(filled).toEqual([area, area]);
  });

  it('have the colour asked for, in black and white its luma', () => {
    const of = (text: string, grayscale: boolean) =>
      fillColour(sanitizeOpsSchema.parse({ grayscale, pixelate: { colour: text } }));
    expect(of('#12aBff', false)).toEqual({ red: 0x12, green: 0xab, blue: 0xff });
    expect(of('#ff0000', true)).toEqual({ red: 76, green: 76, blue: 76 });
    expect(of('#808080', true)).toEqual({ red: 128, green: 128, blue: 128 });
  });
});

describe('sparing', () => {
  const spared = { x: 300, y: 100, w: 60, h: 80 };
  const others = [
    { x: 380, y: 110, w: 64, h: 80 },
    { x: 240, y: 140, w: 40, h: 50 },
    { x: 600, y: 400, w: 40, h: 50 },
  ];
  const picture = noisePicture(output.width, output.height, 8);
  const shown = (pixelate: Pixelate, faces: readonly Face[]): Picture =>
    readPicture(hide(rasterOf(picture), hiding(pixelate, faces), 0));
  const words = ({ pixels }: Picture) => new Uint32Array(pixels.buffer);
  const within = (box: Face, x: number, y: number) =>
    x >= Math.floor(box.x) &&
    x < Math.ceil(box.x + box.w) &&
    y >= Math.floor(box.y) &&
    y < Math.ceil(box.y + box.h);

  it('leaves a face whose centre lies in an area, with every pixel of that area, and counts it', () => {
    const except = [{ x: 290, y: 90, w: 80, h: 100 }];
    expect(listOf({ except }, [spared, ...others]).filter((face) => face.isSpared)).toHaveLength(1);
    const after = words(shown({ except }, [spared, ...others]));
    const before = words(picture);
    for (let y = 90; y < 190; y++) {
      for (let x = 290; x < 370; x++) expect(after[y * 800 + x]).toBe(before[y * 800 + x]);
    }
  });

  it('gives the other faces the blocks that they have without it, but where a block reaches into the area', () => {
    const except = [{ x: 290, y: 90, w: 80, h: 100 }];
    const with_ = words(shown({ except }, [spared, ...others]));
    const without = words(shown({}, [spared, ...others]));
    const edges = hiding({}, [spared, ...others]).mosaics.map(({ block }) => block);
    const margin = Math.max(...edges);
    let compared = 0;
    for (const face of others) {
      for (let y = face.y; y < face.y + face.h; y++) {
        for (let x = face.x; x < face.x + face.w; x++) {
          const nearSpared = x >= 290 - margin && x < 370 + margin && y >= 90 - margin && y < 190 + margin;
          if (nearSpared) continue;
          expect(with_[y * 800 + x]).toBe(without[y * 800 + x]);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(2_000);
  });

  it('yields to the box of a face to be hidden, not to its padding, and to regions', () => {
    const beside = { x: 350, y: 100, w: 60, h: 80 };
    const region = { x: 280, y: 80, w: 20, h: 20, fill: 'solid' as const };
    const except = [{ x: 290, y: 90, w: 80, h: 100 }];
    for (const faceFill of ['mosaic', 'solid'] as const) {
      const after = words(shown({ except, faceFill, regions: [region] }, [spared, beside]));
      const before = words(picture);
      let changed = 0;
      for (let y = 90; y < 190; y++) {
        for (let x = 290; x < 370; x++) {
          const at = y * 800 + x;
          if (within(region, x, y)) expect(after[at]).toBe(0xff000000);
          else if (within(beside, x, y)) changed += Number(after[at] !== before[at]);
          else expect(after[at]).toBe(before[at]);
        }
      }
      expect(changed).toBeGreaterThan(1_500);
    }
  });
});
