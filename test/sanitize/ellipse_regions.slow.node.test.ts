import sharp from 'sharp';
import { expect, it } from 'vitest';
import { type SanitizeOpsInput, sanitize } from '../../src/library/index.ts';
import type { InputFormat } from '../../src/metadata/facts.ts';
import { blockEdge } from '../../src/pixels/block_edges.ts';
import { nearestIn } from '../fixtures/ellipse.ts';
import { noisePicture } from '../fixtures/raster.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';

/** In pixels of the output: within it, and cut by its right and lower edge. */
const ellipses = [
  { x: 3.37, y: 5.71, w: 17.3, h: 11.9 },
  { x: 24.13, y: 15.27, w: 41.7, h: 60.3 },
];

const ways = [
  {},
  { rotate: 90, crop: { x: 2, y: 3, width: 40, height: 47 } },
  { rotate: 180, output: { maxWidth: 41 } },
  { rotate: 270, crop: { x: 1, y: 2, width: 43, height: 55 }, output: { maxWidth: 37 } },
] as const;

const cases: [InputFormat, number, SanitizeOpsInput][] = [
  ...inputFormats.flatMap((format) =>
    ways.map((way): [InputFormat, number, SanitizeOpsInput] => [format, 1, way]),
  ),
  ...[2, 3, 4, 5, 6, 7, 8].map((turn): [InputFormat, number, SanitizeOpsInput] => [
    'jpeg',
    turn,
    ways[turn % 4]!,
  ]),
];

async function pixelsOf(file: Uint8Array, way: SanitizeOpsInput, pixelate: SanitizeOpsInput['pixelate']) {
  const { bytes, report } = await sanitize(file, {
    ...way,
    pixelate: { ...pixelate, faces: false },
    output: { ...way.output, format: 'png' },
  });
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
  ];
  return { width: info.width, height: info.height, at, report };
}

it.each(cases)(
  'hides all that an ellipse touches and no more: %s, orientation %i, %j',
  async (format, orientation, way) => {
    const made = await sampleFile(format, noisePicture(64, 60, 41));
    const file = orientation === 1 ? made : tagJpeg(made, { orientation });
    const plain = await pixelsOf(file, way, {});
    const { width, height } = plain;
    const reach = (cell: Parameters<typeof nearestIn>[1]) =>
      Math.min(...ellipses.map(({ x, y, w, h }) => nearestIn({ x, y, width: w, height: h }, cell)));
    for (const fill of ['solid', 'mosaic'] as const) {
      const regions = ellipses.map((one) => ({ ...one, shape: 'ellipse' as const }));
      const hidden = await pixelsOf(file, way, { regions, fill, strength: 12, colour: '#204060' });
      const count = {
        regionsPixelated: fill === 'mosaic' ? 2 : 0,
        ...(fill === 'solid' && { regionsFilled: 2 }),
      };
      expect(hidden.report).toMatchObject(count);
      const edge = fill === 'solid' ? 1 : blockEdge(12, plain);
      for (let top = 0; top < height; top += edge) {
        for (let left = 0; left < width; left += edge) {
          const cell = {
            x: left,
            y: top,
            width: Math.min(edge, width - left),
            height: Math.min(edge, height - top),
          };
          const nearest = reach(cell);
          // Nothing of these ellipses comes so near to a cell without touching it.
          expect(Math.abs(nearest - 1)).toBeGreaterThan(1e-7);
          const within = Array.from({ length: cell.width * cell.height }, (_, n) => [
            left + (n % cell.width),
            top + Math.floor(n / cell.width),
          ]);
          const mean = [0, 1, 2].map(
            (channel) => within.reduce((sum, [x, y]) => sum + plain.at(x!, y!)[channel]!, 0) / within.length,
          );
          const expected = fill === 'solid' ? [0x20, 0x40, 0x60] : mean.map(Math.round);
          for (const [x, y] of within) {
            expect(hidden.at(x!, y!)).toEqual(nearest < 1 ? expected : plain.at(x!, y!));
          }
        }
      }
    }
  },
);
