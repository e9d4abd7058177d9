import type { Size } from '../codecs/types.ts';
import { type TimeSlice, uninterrupted } from '../scheduling/time_slice.ts';
import type { Box } from './boxes.ts';
import { arraysCost, type BumpAllocator } from './bump_allocator.ts';
import type { FusedBox } from './fusion.ts';
import { type Judgement, judged, type Verdict } from './model.ts';
import { cropFloats, verifierSide } from './network/verifier_network.ts';
import { Shrinker } from './shrink.ts';
import { blankPicture, fillPixel, type Picture } from './tensor.ts';

/** A crop is a square around a face, this many times as wide as the face's longer side. */
const context = 2.5;

/** The most crops of one run, which takes some ten milliseconds. */
const batch = 8;

/** The most floats of one run's crops. */
export const batchFloats = batch * cropFloats;

/** The verifier can't judge faces smaller than this, in pixels of the shrunk picture. */
const leastSide = 10;

/**
 * In a picture shrunk this much or more, as in crowds on large photos, faces that are too small for the
 * verifier keep their logit if they have at least so many pixels in the raster (docs/faces.md).
 */
const kept = { least: 16, shrunkTo: 0.25 };

/** Longest side of a crop as it is cut out: a turned one takes more of the picture. */
const longest = Math.ceil(verifierSide * Math.SQRT2);

/** A rectangle of whole pixels around a face, and the size it is shrunk to. */
interface Crop extends Box {
  readonly scaled: Size;
  readonly face: FusedBox;
  readonly centre: { readonly x: number; readonly y: number };
  /** Of the square that the verifier sees. */
  readonly side: number;
}

/** Judges `count` crops: a view into the tensor of `verify`. */
type AskVerifier = (crops: Float32Array, count: number) => Promise<readonly Verdict[]>;

/**
 * Shows the verifier crops around faces, each turned as the picture was when the face was found. Beyond the
 * picture they are 0.
 * @param picture shrunk, all of its rows held
 * @param faces in other pixels, each of which is `scale` pixels of the picture
 * @param tensor of `batchFloats` at least
 * @param memory for the crops, `verifierCost`; free again at the end
 * @returns its judgements; none for faces that are too small
 */
export async function verify(
  picture: Picture,
  faces: readonly FusedBox[],
  scale: number,
  ask: AskVerifier,
  tensor: Float32Array,
  memory: BumpAllocator,
  slice: TimeSlice = uninterrupted,
): Promise<ReadonlyMap<FusedBox, Judgement>> {
  const verdicts = new Map<FusedBox, Judgement>();
  const crops = faces
    .filter((face) => longSide(face) * scale >= leastSide)
    .map((face) => cropFor(face, picture, scale));
  for (let first = 0; first < crops.length; first += batch) {
    const shown = crops.slice(first, first + batch);
    for (const [index, crop] of shown.entries()) {
      using _region = memory.region();
      const cell = tensor.subarray(index * cropFloats, (index + 1) * cropFloats);
      fillCrop(cell, crop, shrunkPart(picture, crop, memory));
    }
    const judgements = await ask(tensor.subarray(0, shown.length * cropFloats), shown.length);
    for (const [index, { face, side }] of shown.entries())
      verdicts.set(face, { ...judgements[index]!, sharpness: Math.min(1, side / verifierSide) });
    await slice.end();
  }
  return verdicts;
}

/**
 * The same faces with the verifier's judgements in their logits, most confident first.
 * @param scale as in `verify`
 */
export function withVerdicts(
  faces: readonly FusedBox[],
  verdicts: ReadonlyMap<FusedBox, Judgement>,
  scale: number,
): readonly FusedBox[] {
  const isKept = (face: FusedBox) =>
    scale < kept.shrunkTo && longSide(face) >= kept.least && longSide(face) * scale < leastSide;
  const judgedFace = (face: FusedBox) => ({
    ...face,
    logit: judged(face.logit, verdicts.get(face), face.turned),
  });
  return faces.map((face) => (isKept(face) ? face : judgedFace(face))).sort((a, b) => b.logit - a.logit);
}

const longSide = ({ w, h }: Box): number => Math.max(w, h);

/** The most bytes that `verify` takes. */
export function verifierCost(picture: Size): number {
  return arraysCost(longest ** 2 * 3) + Shrinker.cost(picture, { width: longest, height: longest });
}

function cropFor(face: FusedBox, picture: Size, scale: number): Crop {
  const side = longSide(face) * scale * context;
  const centre = { x: (face.x + face.w / 2) * scale, y: (face.y + face.h / 2) * scale };
  const { cos, sin } = turn(face);
  const reach = (side / 2) * (Math.abs(cos) + Math.abs(sin));
  const across = within(centre.x, reach, picture.width);
  const down = within(centre.y, reach, picture.height);
  const zoom = Math.min(1, verifierSide / side);
  const scaled = (length: number) => Math.min(longest, Math.ceil(length * zoom));
  return {
    x: across.from,
    y: down.from,
    w: across.length,
    h: down.length,
    scaled: { width: scaled(across.length), height: scaled(down.length) },
    face,
    centre,
    side,
  };
}

/** The whole pixels within reach of `centre`, at least one. */
function within(centre: number, reach: number, length: number) {
  const from = Math.max(0, Math.min(length - 1, Math.floor(centre - reach)));
  const to = Math.max(from + 1, Math.min(length, Math.ceil(centre + reach)));
  return { from, length: to - from };
}

function turn({ turned = 0 }: FusedBox): { cos: number; sin: number } {
  const angle = (turned * Math.PI) / 180;
  return { cos: Math.cos(angle), sin: Math.sin(angle) };
}

/** @returns interleaved RGB */
function shrunkPart(picture: Picture, crop: Crop, memory: BumpAllocator): Uint8Array {
  const part = blankPicture(crop.scaled, memory);
  const put = (row: Uint8Array, y: number) => part.pixels.set(row, y * part.width * 3);
  const shrinker = new Shrinker({ width: crop.w, height: crop.h }, crop.scaled, 3, put, true, memory);
  for (let y = crop.y; y < crop.y + crop.h; y++)
    shrinker.push(picture.pixels, (y * picture.width + crop.x) * 3);
  return part.pixels;
}

/** @param cell where the crop's planes go */
function fillCrop(cell: Float32Array, crop: Crop, pixels: Uint8Array): void {
  const { scaled, centre, side } = crop;
  const size = { width: verifierSide, height: verifierSide };
  const picture = { ...scaled, heldRows: scaled.height, pixels };
  const { cos, sin } = turn(crop.face);
  const [acrossScale, downScale] = [scaled.width / crop.w, scaled.height / crop.h];
  cell.fill(0);
  for (let row = 0; row < verifierSide; row++) {
    const down = ((row + 0.5) / verifierSide - 0.5) * side;
    for (let column = 0; column < verifierSide; column++) {
      const right = ((column + 0.5) / verifierSide - 0.5) * side;
      const x = (centre.x + right * cos + down * sin - crop.x) * acrossScale - 0.5;
      const y = (centre.y + down * cos - right * sin - crop.y) * downScale - 0.5;
      if (x < -0.5 || y < -0.5 || x > scaled.width - 0.5 || y > scaled.height - 0.5) continue;
      fillPixel(cell, size, row * verifierSide + column, picture, x, y);
    }
  }
}
