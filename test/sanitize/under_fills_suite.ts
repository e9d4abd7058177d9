import { expect, it } from 'vitest';
import { type SanitizeOpsInput, sanitize } from '../../src/library/index.ts';
import { sizeUnder } from '../../src/pixels/resize.ts';
import { seededBelow } from '../fixtures/random.ts';
import { noisePicture, type Picture, photoPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';

type Area = { x: number; y: number; w: number; h: number };

/** Pixels on each side that are the same in both pictures. */
const MARGIN = 24;

/** The picture with an area painted: with one colour, or with a pattern. */
function painted({ pixels, ...size }: Picture, { x, y, w, h }: Area, plain: boolean): Picture {
  const copy = pixels.slice();
  for (let row = y; row < y + h; row++) {
    for (let column = x; column < x + w; column++) {
      const colour = plain ? [255, 0, 0] : [column * 37, row * 91, (column ^ row) * 53];
      copy.set([...colour, 255], (row * size.width + column) * 4);
    }
  }
  return { ...size, pixels: copy };
}

/** The area after a quarter turn clockwise, in a picture that had this size. */
function turned({ x, y, w, h }: Area, turn: number, width: number, height: number): Area {
  if (turn === 90) return { x: height - y - h, y: x, w: h, h: w };
  if (turn === 180) return { x: width - x - w, y: height - y - h, w, h };
  return turn === 270 ? { x: y, y: width - x - w, w: h, h: w } : { x, y, w, h };
}

/** All output pixels that the area has a part in, where the picture is shrunk. */
function reachOf({ x, y, w, h }: Area, across: number, down: number): Area {
  const [left, top] = [Math.floor(x * across), Math.floor(y * down)];
  return { x: left, y: top, w: Math.ceil((x + w) * across) - left, h: Math.ceil((y + h) * down) - top };
}

/** The middle of an area. */
const middleOf = ({ x, y, w, h }: Area): Area => ({
  x: x + Math.floor(w / 4),
  y: y + Math.floor(h / 4),
  w: Math.ceil(w / 2),
  h: Math.ceil(h / 2),
});

/** The smallest ellipse around an area. */
function ellipseAround({ x, y, w, h }: Area): Area {
  const more = (Math.SQRT2 - 1) / 2;
  return { x: x - w * more, y: y - h * more, w: w * Math.SQRT2, h: h * Math.SQRT2 };
}

/** The case of each seed: two files, whose one difference lies under a solid fill, and what comes of both. */
export function checkUnderFills(shape: 'rectangle' | 'ellipse', seeds: readonly number[]) {
  it.each(seeds)(
    `what lies under a solid fill changes no byte of the output: ${shape}, case %i`,
    async (seed) => {
      const isEllipse = shape === 'ellipse';
      const below = seededBelow(seed);
      const pick = <const T>(...of: readonly T[]): T => of[below(of.length)]!;
      const [width, height] = [80 + below(240), 80 + below(240)];
      const base = pick(photoPicture, noisePicture)(width, height, seed);
      const whole = {
        x: MARGIN + below(8),
        y: MARGIN + below(8),
        w: 8 + below(width - 2 * MARGIN - 31),
        h: 8 + below(height - 2 * MARGIN - 31),
      };
      const area = isEllipse ? middleOf(whole) : whole;
      const rotate = pick(undefined, 90, 180, 270);
      const isTurned = rotate === 90 || rotate === 270;
      const [across, down] = isTurned ? [height, width] : [width, height];
      const maxWidth = pick(12_000, Math.max(16, Math.round(across * (0.3 + below(60) / 100))));
      const to = sizeUnder(maxWidth, { width: across, height: down });
      // With nothing to spare: a resize brings some of every pixel to those around it.
      const beneath = turned(area, rotate ?? 0, width, height);
      const fill = reachOf(beneath, to.width / across, to.height / down);
      const mosaic = { x: Math.max(0, fill.x - 13), y: Math.max(0, fill.y - 9), w: 30, h: 25 };
      const isBeside = below(2) === 0;
      const ops: SanitizeOpsInput = {
        ...(rotate && { rotate }),
        grayscale: below(4) === 0,
        pixelate: {
          faces: below(4) === 0,
          regions: [
            { ...(isEllipse ? ellipseAround(fill) : fill), shape, fill: 'solid' },
            ...(isBeside ? [mosaic] : []),
          ],
          except: below(2) === 0 ? [mosaic] : [],
        },
        output: {
          format: pick('jpeg', 'png', 'webp'),
          quality: pick(40, 75, 92, 100),
          chroma: pick('auto', 'whole', 'halved'),
          maxWidth,
        },
      };
      const format = pick('png', 'tiff');
      const [one, other] = await Promise.all(
        [true, false].map(async (plain) =>
          sanitize(await sampleFile(format, painted(base, area, plain)), ops),
        ),
      );
      const { bytes, report } = one!;
      expect(other!.report).toEqual(report);
      expect(Buffer.from(bytes).equals(other!.bytes)).toBe(true);
    },
  );
}
