import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { detect, sanitize } from '../../../src/library/index.ts';
import { type Box, bottom, intersection, right } from '../../../src/playground/geometry.ts';
import { defaultSettings, planRequest } from '../../../src/playground/settings/ops.ts';
import type { Face } from '../../../src/playground/settings/pixelation_plan.ts';
import { corpusBytes, corpusManifest, corpusPresent } from '../../fixtures/corpus.ts';
import { seededRandom } from '../../fixtures/random.ts';

const SIZE = { width: 1000, height: 640 };
const PICTURES = 10;
/** Coordinates of answers are rounded to tenths. */
const ROUNDED_BY = 0.05;
/** A head's surroundings, as a share of its face. */
const AROUND = 1.7;

interface Head {
  readonly file: string;
  readonly faces?: readonly (readonly [x: number, y: number, w: number, h: number])[] | null;
}

/** Every labelled face of the corpus' photographs, but those too small to be enlarged. */
const heads = corpusManifest<Head>()
  .files.filter(({ file }) => /^faces\/[^g]/.test(file))
  .flatMap(({ file, faces }) => (faces ?? []).map((box) => ({ file, box })))
  .filter(({ box }) => box[3] >= 60);

/** People of the corpus side by side, some cheek to cheek, some in front of others. */
async function groupPicture(seed: number): Promise<Buffer> {
  const next = seededRandom(seed);
  const parts: { input: Buffer; left: number; top: number }[] = [];
  const base = 110 + Math.floor(next() * 70);
  for (let left = 10; left < SIZE.width - 1.2 * base * AROUND; ) {
    const { file, box } = heads[Math.floor(next() * heads.length)]!;
    const [x, y, w, h] = box;
    const photo = sharp(corpusBytes({ file })).rotate();
    const { width, height } = await sharp(await photo.clone().toBuffer()).metadata();
    const from = {
      left: Math.max(0, Math.round(x - (w * (AROUND - 1)) / 2)),
      top: Math.max(0, Math.round(y - (h * (AROUND - 1)) / 2)),
    };
    const extent = {
      width: Math.min(width - from.left, Math.round(w * AROUND)),
      height: Math.min(height - from.top, Math.round(h * AROUND)),
    };
    const faceHeight = Math.round(base * (0.8 + next() * 0.5));
    const scale = faceHeight / h;
    const input = await photo
      .extract({ ...from, ...extent })
      .resize(Math.round(extent.width * scale), Math.round(extent.height * scale), { fit: 'fill' })
      .toColourspace('srgb')
      .removeAlpha()
      .png()
      .toBuffer();
    parts.push({ input, left: Math.round(left), top: Math.round(30 + next() * 260) });
    left += w * scale * (0.85 + next() * 0.5);
  }
  return sharp({ create: { ...SIZE, channels: 3, background: '#7a8076' } })
    .composite(parts)
    .png()
    .toBuffer();
}

async function pixelsOf(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await sharp(bytes).ensureAlpha().raw().toBuffer());
}

/** What a person can choose among: the faces that the page has found, all to be hidden. */
async function facesOf(picture: Uint8Array): Promise<Face[]> {
  const { faces } = await detect(picture, { confidence: 0.3, padding: 1 });
  return faces.map((face) => ({ ...face, hidden: true }));
}

/** The index of the face whose box is nearest to another's: where sparing one is hardest. */
function mostCrowded(faces: readonly Face[]): number {
  const gap = (a: Box, b: Box) => Math.max(b.x - right(a), a.x - right(b), b.y - bottom(a), a.y - bottom(b));
  const gaps = faces.map((face) =>
    face.confidence < defaultSettings.confidence
      ? Number.POSITIVE_INFINITY
      : Math.min(...faces.filter((other) => other !== face).map((other) => gap(face, other))),
  );
  return gaps.indexOf(Math.min(...gaps));
}

describe.skipIf(!corpusPresent)('in a group of people', () => {
  it.each(Array.from({ length: PICTURES }, (_, at) => at + 1))(
    'one is spared to the pixel, and the blocks of the others stay as they were: picture %i',
    { timeout: 120_000 },
    async (seed) => {
      const picture = new Uint8Array(await groupPicture(seed));
      const faces = await facesOf(picture);
      const at = mostCrowded(faces);
      const spared = faces.map((face, index) => ({ ...face, hidden: index !== at }));
      const settings = { ...defaultSettings, format: 'png' as const };
      const [all, one] = [faces, spared].map((chosen) => planRequest(settings, chosen, SIZE));
      const clean = async (ops: Parameters<typeof sanitize>[1]) => {
        const pixelate = { ...ops?.pixelate, secondLook: true };
        const { bytes, report } = await sanitize(picture, { ...ops, pixelate });
        return { pixels: await pixelsOf(bytes), report };
      };
      const plain = await clean({ pixelate: { faces: false }, output: { format: 'png' } });
      const before = await clean(all!.ops);
      const now = await clean(one!.ops);
      const { except, areas } = one!.pixelation;
      expect(except).toHaveLength(1);
      expect(now.report.facesSpared).toBe(1);
      expect(now.report.facesDetected).toBe(before.report.facesDetected);

      // Their blocks, but those that the area cuts, and what the blocks of the spared face had covered.
      const stays = new Uint8Array(SIZE.width * SIZE.height);
      const paint = ({ x, y, w, h }: Box, value: number) => {
        for (let row = y; row < Math.min(SIZE.height, y + h); row++)
          stays.fill(value, row * SIZE.width + x, row * SIZE.width + Math.min(SIZE.width, x + w));
      };
      const blocksOf = ({ blockEdge, ...area }: (typeof areas)[number]) => {
        const blocks: Box[] = [];
        for (let y = Math.floor(area.y / blockEdge) * blockEdge; y < bottom(area); y += blockEdge)
          for (let x = Math.floor(area.x / blockEdge) * blockEdge; x < right(area); x += blockEdge)
            blocks.push({ x, y, w: blockEdge, h: blockEdge });
        return blocks;
      };
      const others = areas.flatMap(blocksOf);
      for (const block of others) paint(block, 1);
      const isOther = (area: Box) => areas.some((known) => JSON.stringify(known) === JSON.stringify(area));
      for (const area of all!.pixelation.areas.filter((known) => !isOther(known)))
        for (const block of blocksOf(area)) paint(block, 0);
      for (const block of others) if (intersection(block, except[0]!)) paint(block, 0);
      // What the second look takes for a face among blocks depends on all of them.
      const reach = 2 * Math.max(...areas.map(({ blockEdge }) => blockEdge));
      for (const { x, y, w, h } of [before, now].flatMap(({ report }) => report.secondLook ?? [])) {
        const [left, top] = [Math.max(0, Math.floor(x - reach)), Math.max(0, Math.floor(y - reach))];
        paint({ x: left, y: top, w: Math.ceil(x + w + reach) - left, h: Math.ceil(y + h + reach) - top }, 0);
      }

      const isSame = (a: Uint8Array, b: Uint8Array, pixel: number) =>
        [0, 1, 2, 3].every((channel) => a[pixel * 4 + channel] === b[pixel * 4 + channel]);
      const [face] = except;
      const tight = one!.pixelation.kept;
      // The service hides the others' own boxes; of these the page knows the edges to a tenth of a pixel.
      const own = faces.filter((_, index) => index !== at);
      const isOfOthers = (x: number, y: number) =>
        own.some(
          (box) =>
            x + 1 > box.x - ROUNDED_BY &&
            x < right(box) + ROUNDED_BY &&
            y + 1 > box.y - ROUNDED_BY &&
            y < bottom(box) + ROUNDED_BY,
        );
      let [visible, blocks, wrong, moved] = [0, 0, 0, 0];
      for (let pixel = 0; pixel < stays.length; pixel++) {
        const [x, y] = [pixel % SIZE.width, Math.floor(pixel / SIZE.width)];
        if (tight.some((box) => x >= box.x && x < right(box) && y >= box.y && y < bottom(box))) {
          visible++;
          if (!isSame(now.pixels, plain.pixels, pixel) && !isOfOthers(x, y)) wrong++;
        } else if (stays[pixel]) {
          blocks++;
          if (!isSame(now.pixels, before.pixels, pixel)) moved++;
        }
      }
      expect({ wrong, moved }).toEqual({ wrong: 0, moved: 0 });
      expect(blocks).toBeGreaterThan(10_000);
      // What others' own boxes take of it is little.
      expect(visible).toBeGreaterThan(0.6 * face!.w * face!.h);
    },
  );
});
