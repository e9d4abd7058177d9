import { expect, it } from 'vitest';
import { type Detector, type SanitizeOpsInput, sanitize } from '../../src/library/index.ts';
import { sizeUnder } from '../../src/pixels/resize.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { seededBelow } from '../fixtures/random.ts';
import { noisePicture, type Picture, photoPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';

type Area = { x: number; y: number; w: number; h: number };

/** What lies beneath a fill in each of the two pictures that are compared. */
const CONTENTS = ['red', 'pattern', 'face', 'stripes'] as const;

/** A face in the middle of an area. */
function drawnFace(w: number, h: number) {
  const side = Math.min(w, h) * 0.6;
  return { x: (w - side) / 2, y: (h - side * 1.3) / 2, w: side, h: side * 1.3 };
}

/** The picture with whole pixels of an area painted. */
function painted(
  { pixels, ...size }: Picture,
  { x, y, w, h }: Area,
  content: (typeof CONTENTS)[number],
): Picture {
  const copy = pixels.slice();
  const face = content === 'face' ? drawPeople(w, h, [drawnFace(w, h)]) : undefined;
  for (let row = y; row < y + h; row++) {
    for (let column = x; column < x + w; column++) {
      const at = (row * size.width + column) * 4;
      const within = ((row - y) * w + column - x) * 4;
      if (face) copy.set(face.pixels.subarray(within, within + 4), at);
      else if (content === 'red') copy.set([255, 0, 0, 255], at);
      else if (content === 'stripes') copy.set(column % 7 < 3 ? [0, 0, 0, 255] : [255, 255, 255, 255], at);
      else copy.set([column * 37, row * 91, (column ^ row) * 53, 255], at);
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

/** All output pixels that the area has a part in, where the picture is cropped and shrunk. */
function reachOf({ x, y, w, h }: Area, crop: { x: number; y: number }, across: number, down: number): Area {
  const [left, top] = [
    Math.max(0, Math.floor((x - crop.x) * across)),
    Math.max(0, Math.floor((y - crop.y) * down)),
  ];
  return {
    x: left,
    y: top,
    w: Math.ceil((x - crop.x + w) * across) - left,
    h: Math.ceil((y - crop.y + h) * down) - top,
  };
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
  return { x: Math.max(0, x - w * more), y: Math.max(0, y - h * more), w: w * Math.SQRT2, h: h * Math.SQRT2 };
}

/** A detector that finds something wherever a picture is not grey: everything has a part in its answer. */
const pixelSum: Detector = {
  name: 'sum',
  kinds: ['sum'],
  async detect({ width, height, data }) {
    let sum = 0;
    for (let at = 0; at < data.length; at += 4) sum = (sum * 31 + data[at]! + 3 * data[at + 1]!) % 65_521;
    const side = 4 + (sum % 9);
    return [
      {
        x: sum % Math.max(1, width - side),
        y: sum % Math.max(1, height - side),
        w: side,
        h: side,
        confidence: 0.9,
        kind: 'sum',
      },
    ];
  },
};

/**
 * The case of each seed: two files whose one difference lies under an opaque fill, and what comes of both.
 * All searches are on in some, all off in others; crop, turn, resize, grey, formats are random.
 */
export function checkUnderFills(shape: 'rectangle' | 'ellipse', seeds: readonly number[]) {
  it.each(seeds)(
    `what lies under a solid fill changes no byte of the output: ${shape}, case %i`,
    async (seed) => {
      const isEllipse = shape === 'ellipse';
      const below = seededBelow(seed);
      const pick = <const T>(...of: readonly T[]): T => of[below(of.length)]!;
      const [width, height] = [80 + below(240), 80 + below(240)];
      const base = pick(photoPicture, noisePicture)(width, height, seed);
      const w = 24 + below(width - 70);
      const h = 24 + below(height - 70);
      // Room for an ellipse around its middle.
      const margin = isEllipse ? 10 : 0;
      const whole = {
        x: margin + below(width - w - 2 * margin),
        y: margin + below(height - h - 2 * margin),
        w,
        h,
      };
      const area = isEllipse ? middleOf(whole) : whole;
      const rotate = pick(undefined, 90, 180, 270);
      const isTurned = rotate === 90 || rotate === 270;
      const [across, down] = isTurned ? [height, width] : [width, height];
      const beneath = turned(area, rotate ?? 0, width, height);
      // A crop that keeps all of the area: what it cuts off is not beneath the fill.
      const around = turned(whole, rotate ?? 0, width, height);
      const crop = { x: below(around.x + 1), y: below(around.y + 1), width: 0, height: 0 };
      crop.width = around.x + around.w - crop.x + below(across - around.x - around.w + 1);
      crop.height = around.y + around.h - crop.y + below(down - around.y - around.h + 1);
      const isCropped = below(2) === 0;
      const kept = isCropped ? crop : { x: 0, y: 0, width: across, height: down };
      const maxWidth = pick(12_000, Math.max(16, Math.round(kept.width * (0.3 + below(60) / 100))));
      const to = sizeUnder(maxWidth, kept);
      const fill = reachOf(beneath, kept, to.width / kept.width, to.height / kept.height);
      const mosaic = { x: Math.max(0, fill.x - 13), y: Math.max(0, fill.y - 9), w: 30, h: 25 };
      const isBeside = below(2) === 0;
      const isSearched = below(3) > 0;
      const ops: SanitizeOpsInput = {
        ...(rotate && { rotate }),
        ...(isCropped && { crop }),
        grayscale: below(4) === 0,
        pixelate: {
          faces: isSearched,
          faceFill: pick('mosaic', 'solid'),
          text: isSearched && below(3) === 0,
          plates: isSearched && below(3) === 0,
          detectors: { sum: isSearched && below(3) === 0 },
          confidence: pick(0.6, 0.05),
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
      const contents = [pick(...CONTENTS), pick(...CONTENTS)] as const;
      const others = contents[0] === contents[1] ? (['red', 'face'] as const) : contents;
      const [one, other] = await Promise.all(
        others.map(async (content) =>
          sanitize(await sampleFile(format, painted(base, area, content)), ops, { detectors: [pixelSum] }),
        ),
      );
      const { bytes, report } = one!;
      expect(other!.report).toEqual(report);
      expect(Buffer.from(bytes).equals(other!.bytes)).toBe(true);
    },
  );
}
