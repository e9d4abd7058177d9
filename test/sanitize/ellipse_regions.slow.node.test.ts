import sharp from 'sharp';
import { expect, it } from 'vitest';
import { type SanitizeOpsInput, sanitize } from '../../src/library/index.ts';
import type { InputFormat } from '../../src/metadata/facts.ts';
import { blockEdge } from '../../src/pixels/block_edges.ts';
import { blockBounds } from '../fixtures/block_bounds.ts';
import { nearestIn } from '../fixtures/ellipse.ts';
import { noisePicture } from '../fixtures/raster.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';

/** In pixels of the output: within it, and cut by its right and lower edge. */
const ellipses = [
  { x: 3.37, y: 5.71, w: 17.3, h: 11.9 },
  { x: 24.13, y: 15.27, w: 41.7, h: 60.3 },
];

/** That of solid fills. */
const COLOUR = [0x20, 0x40, 0x60];

/** As far as a resize brings a pixel: three of its own, and what rounding adds. */
const REACH = 4;
const around = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  x: x - REACH,
  y: y - REACH,
  width: width + 2 * REACH,
  height: height + 2 * REACH,
});

const ways: readonly (SanitizeOpsInput & object)[] = [
  {},
  { rotate: 90, crop: { x: 2, y: 3, width: 40, height: 47 } },
  { rotate: 180, output: { maxWidth: 41 } },
  { rotate: 270, crop: { x: 1, y: 2, width: 43, height: 55 }, output: { maxWidth: 37 } },
];

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
      for (const { from: top, to: bottom } of blockBounds(height, edge)) {
        for (const { from: left, to: right } of blockBounds(width, edge)) {
          const cell = { x: left, y: top, width: right - left, height: bottom - top };
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
          const expected = fill === 'solid' ? COLOUR : mean.map(Math.round);
          const isBeside = fill === 'solid' && way.output !== undefined && reach(around(cell)) < 1;
          for (const [x, y] of within) {
            if (nearest < 1) expect(hidden.at(x!, y!)).toEqual(expected);
            // The fill comes before the resize, too, which brings some of it to the pixels beside it.
            else if (isBeside) expect(hidden.at(x!, y!)).not.toEqual(expected);
            else expect(hidden.at(x!, y!)).toEqual(plain.at(x!, y!));
          }
        }
      }
    }
  },
);
