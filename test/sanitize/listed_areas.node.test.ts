import { expect, it } from 'vitest';
import { type SanitizeOpsInput, sanitize } from '../../src/library/index.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { seededBelow } from '../fixtures/random.ts';
import { noisePicture, type Picture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { pictureOfPng } from '../fixtures/sanitized.ts';

/** A resize brings some of a fill's colour to pixels as near as this. */
const BESIDE_FILL = 4;

/** Noise in which a face is drawn: hardly any pixel is the mean of those around it. */
function scene(width: number, height: number, seed: number): Picture {
  const noise = noisePicture(width, height, seed);
  const side = Math.min(width, height) / 3;
  const face = { x: width / 2 - side / 2, y: height / 2 - side * 0.6, w: side, h: side * 1.3 };
  const people = drawPeople(width, height, [face]);
  const pixels = noise.pixels.slice();
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)];
    const isNear = Math.hypot((x - width / 2) / side, (y - height / 2) / side / 1.3) < 1;
    if (isNear && at % 4 < 3) pixels[at] = Math.min(255, people.pixels[at]! * 0.9 + noise.pixels[at]! * 0.1);
  }
  return { width, height, pixels };
}

it.each(Array.from({ length: 24 }, (_, seed) => seed))(
  'pixels change inside of the areas that the report lists, and nowhere else: case %i',
  async (seed) => {
    const below = seededBelow(seed + 1000);
    const pick = <const T>(...of: readonly T[]): T => of[below(of.length)]!;
    const [width, height] = [160 + below(240), 160 + below(240)];
    const isPhoto = below(2) === 0;
    const picture = isPhoto ? scene(width, height, seed) : noisePicture(width, height, seed);
    const rotate = pick(undefined, undefined, 90, 180, 270);
    const [across, down] = rotate === 90 || rotate === 270 ? [height, width] : [width, height];
    const crop = {
      x: below(40),
      y: below(40),
      width: across - 40 - below(60),
      height: down - 40 - below(60),
    };
    const place = (of: { width: number; height: number }) => ({
      x: below(of.width - 20),
      y: below(of.height - 20),
      w: 3 + below(60),
      h: 3 + below(60),
    });
    const grayscale = below(4) === 0;
    const maxWidth = pick(12_000, 12_000, 70 + below(30));
    const asked: SanitizeOpsInput = {
      ...(rotate && { rotate }),
      ...(below(2) === 0 && { crop }),
      grayscale,
      output: { format: 'png', maxWidth },
    };
    const file = () => sampleFile('png', picture);
    const plain = await sanitize(await file(), { ...asked, pixelate: { faces: false } });
    const { report } = plain;
    const { bytes, report: told } = await sanitize(await file(), {
      ...asked,
      pixelate: {
        faces: isPhoto,
        faceFill: pick('mosaic', 'solid'),
        confidence: 0.3,
        verify: pick(true, false),
        colour: '#ff00fe',
        strength: 2 + below(5),
        regions: Array.from({ length: below(4) }, () => ({
          ...place(report),
          fill: pick('mosaic', 'solid'),
          shape: pick('rectangle', 'rectangle', 'ellipse'),
        })),
        areas: Array.from({ length: below(4) }, () => ({ ...place(picture), kind: pick('face', 'plate') })),
      },
    });
    const [before, after] = [await pictureOfPng(plain.bytes), await pictureOfPng(bytes)];
    const [one, other] = [before, after].map(({ pixels }) => new Uint32Array(pixels.slice().buffer));
    const isResized = report.width < across && maxWidth < 12_000;
    const listed = new Uint8Array(one!.length);
    const mark = (value: number, margin: number, only?: 'solid') => {
      for (const { x, y, w, h, fill } of told.hidden) {
        if (only && fill !== only) continue;
        for (let row = Math.max(0, y - margin); row < Math.min(report.height, y + h + margin); row++)
          for (
            let column = Math.max(0, x - margin);
            column < Math.min(report.width, x + w + margin);
            column++
          )
            listed[row * report.width + column]! |= value;
      }
    };
    mark(1, 0);
    if (isResized) mark(2, BESIDE_FILL, 'solid');
    let outside = 0;
    for (let at = 0; at < one!.length; at++) if (listed[at] === 0 && one![at] !== other![at]) outside++;
    expect(outside).toBe(0);
    // Means of blocks may meet a pixel that had their colour, in grey every two hundredth or so.
    const most = grayscale ? 0.15 : isResized || isPhoto ? 0.05 : 0.001;
    for (const { x, y, w, h, fill, shape } of told.hidden) {
      if (shape === 'ellipse') continue;
      let same = 0;
      for (let row = y; row < y + h; row++)
        for (let column = x; column < x + w; column++) {
          const at = row * report.width + column;
          same += Number(one![at] === other![at]);
        }
      expect(same / (w * h)).toBeLessThanOrEqual(fill === 'solid' && !grayscale ? 0 : most);
    }
  },
);
