import type { Raster, Size } from '../codecs/types.ts';
import { type TimeSlice, uninterrupted } from '../scheduling/time_slice.ts';
import { pacedStrips } from '../strips.ts';
import { type Box, holdsCentre, type ScoredBox, scaleBox } from './boxes.ts';
import { arraysCost, type BumpAllocator } from './bump_allocator.ts';
import { minGain, passSide } from './detection_plan.ts';
import { Shrinker } from './shrink.ts';
import { blankPicture, type Picture } from './tensor.ts';

/** Crops around uncertain faces are laid out on atlases of 640² pixels, in cells of this side: 64 in each. */
const cellSide = 80;
const cellsAcross = passSide / cellSide;
const cellsInAtlas = cellsAcross ** 2;

/** The most atlases for a picture, and for one that shows a crowd. The most confident faces come first. */
export const maxAtlases = 2;
export const maxCrowdAtlases = 7;

/** The most crops that are read at a time: a crop beside this many more confident ones is left out. */
const maxOpen = 96;

/** The widest crop that is read, in pixels of the raster: far wider than other views ever need. */
const widestCrop = cellSide * 16;

/** Height of the bands of rows by which open crops are counted. */
const bandRows = 64;

/** Longer side of a face in its cell, for which the model can be confident. Crops are never enlarged. */
const faceSide = 36;

/** A crop of the raster. */
interface Crop extends Box {
  /** On the atlas. */
  readonly scaled: Size;
  /** The uncertain face. */
  readonly face: Box;
}

/** An atlas of crops, as many rows of cells high as it has. */
interface ZoomAtlas {
  /** The next atlas reuses its pixels. */
  readonly atlas: Picture;
  /** The uncertain faces on it. */
  readonly faces: readonly Box[];
  /** Where a box on the atlas lies in the raster, and the face it shows; undefined where it shows none. */
  locate(box: ScoredBox): { readonly box: ScoredBox; readonly face: Box } | undefined;
}

/**
 * Reads the raster again, as far down as needed, for crops around the boxes, most confident first. It yields
 * an atlas as soon as that is full. It reads nothing if the raster shows no box in more detail.
 * @param boxes in the raster's pixels
 * @param detectedScale the scale of their detection: pixels of the model's input per pixel of the raster
 * @param atlases the most atlases
 * @param memory for atlases and crops; free again at the end
 */
export async function* zoomAtlases(
  source: Raster,
  boxes: readonly Box[],
  detectedScale: number,
  atlases: number,
  memory: BumpAllocator,
  slice: TimeSlice = uninterrupted,
): AsyncGenerator<ZoomAtlas> {
  const wanted = boxes.filter((box) => zoomFor(box) >= detectedScale * minGain);
  const possible = wanted.map((box) => cropFor(box, source)).filter(({ w }) => w <= widestCrop);
  const crops = readable(possible, atlases * cellsInAtlas);
  if (crops.length === 0) return;
  using _region = memory.region();
  const atlas = blankPicture({ width: passSide, height: passSide }, memory);
  let placed: Crop[] = [];
  for await (const { crop, pixels } of readCrops(source, crops, memory, slice)) {
    place(pixels, crop.scaled, atlas, placed.length);
    placed.push(crop);
    if (placed.length < cellsInAtlas) continue;
    yield atlasOf(atlas, placed);
    placed = [];
    atlas.pixels.fill(0);
  }
  if (placed.length > 0) yield atlasOf(atlas, placed);
}

/** The most bytes that zoom passes hold, besides the raster's. */
export function zoomPassCost(source: Size): number {
  return arraysCost(passSide ** 2 * 3, ...Array.from({ length: maxOpen }, () => openCropCost(source)));
}

/** The most bytes that reading one crop takes. */
function openCropCost(source: Size): number {
  const widest = Math.min(source.width, widestCrop);
  const cell = { width: cellSide, height: cellSide };
  return arraysCost(cellSide ** 2 * 3) + Shrinker.cost({ width: widest, height: widest }, cell);
}

/** Atlas pixels per pixel of the raster; crops are never enlarged. */
const zoomFor = (box: Box) => Math.min(1, faceSide / Math.max(box.w, box.h));

function cropFor(box: Box, source: Size): Crop {
  const zoom = zoomFor(box);
  const w = Math.min(source.width, Math.round(cellSide / zoom));
  const h = Math.min(source.height, Math.round(cellSide / zoom));
  return {
    x: clamp(Math.round(box.x + (box.w - w) / 2), source.width - w),
    y: clamp(Math.round(box.y + (box.h - h) / 2), source.height - h),
    w,
    h,
    scaled: {
      width: Math.min(cellSide, Math.ceil(w * zoom)),
      height: Math.min(cellSide, Math.ceil(h * zoom)),
    },
    face: box,
  };
}

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

/** The first `most` crops that can be read together, in the order of their first rows. */
function readable(crops: readonly Crop[], most: number): Crop[] {
  const open = new Map<number, number>();
  const chosen: Crop[] = [];
  for (const crop of crops) {
    if (chosen.length === most) break;
    const bands = [];
    for (let row = crop.y; row < crop.y + crop.h; row += bandRows) bands.push(Math.floor(row / bandRows));
    bands.push(Math.floor((crop.y + crop.h - 1) / bandRows));
    const each = [...new Set(bands)];
    if (each.some((band) => (open.get(band) ?? 0) >= maxOpen)) continue;
    for (const band of each) open.set(band, (open.get(band) ?? 0) + 1);
    chosen.push(crop);
  }
  return chosen.sort((a, b) => a.y - b.y);
}

/** Yields crops once they are complete; `pixels` are interleaved RGB. */
async function* readCrops(source: Raster, crops: readonly Crop[], memory: BumpAllocator, slice: TimeSlice) {
  const waiting = crops.values();
  let next = waiting.next();
  let open: OpenCrop[] = [];
  const free: BumpAllocator[] = [];
  const place = () => free.pop() ?? memory.part(openCropCost(source));
  for await (const strip of pacedStrips(source, slice)) {
    for (let y = strip.y; y < strip.y + strip.rows; y++) {
      for (; !next.done && next.value.y === y; next = waiting.next())
        open.push(new OpenCrop(next.value, source, place()));
      let complete = 0;
      for (const { crop, shrinker } of open) {
        shrinker.push(strip.pixels, ((y - strip.y) * source.width + crop.x) * 4);
        if (y === crop.y + crop.h - 1) complete++;
      }
      if (complete === 0) continue;
      const isComplete = ({ crop }: { crop: Crop }) => crop.y + crop.h <= y + 1;
      const done = open.filter(isComplete);
      yield* done;
      free.push(...done.map((one) => one.close()));
      open = open.filter((one) => !isComplete(one));
    }
    if (next.done && open.length === 0) break;
  }
}

/** A crop that is being read, and its memory. */
class OpenCrop {
  readonly crop: Crop;
  readonly place: BumpAllocator;
  /** Interleaved RGB. */
  readonly pixels: Uint8Array;
  readonly shrinker: Shrinker;
  readonly #region: Disposable;

  constructor(crop: Crop, source: Raster, place: BumpAllocator) {
    const { width, height } = crop.scaled;
    this.crop = crop;
    this.place = place;
    this.#region = place.region();
    this.pixels = place.bytes(width * height * 3);
    const put = (row: Uint8Array, y: number) => this.pixels.set(row, y * width * 3);
    const size = { width: crop.w, height: crop.h };
    this.shrinker = new Shrinker(size, crop.scaled, 4, put, source.opaque, place);
  }

  /** @returns its memory, free for the next crop */
  close(): BumpAllocator {
    this.#region[Symbol.dispose]();
    return this.place;
  }
}

const leftOf = (index: number) => (index % cellsAcross) * cellSide;
const topOf = (index: number) => Math.floor(index / cellsAcross) * cellSide;

/** Copies a crop's pixels into a cell of the atlas. */
function place(pixels: Uint8Array, { width, height }: Size, atlas: Picture, index: number): void {
  for (let y = 0; y < height; y++) {
    const row = pixels.subarray(y * width * 3, (y + 1) * width * 3);
    atlas.pixels.set(row, ((topOf(index) + y) * atlas.width + leftOf(index)) * 3);
  }
}

function atlasOf(atlas: Picture, crops: readonly Crop[]): ZoomAtlas {
  const height = topOf(crops.length - 1) + cellSide;
  return {
    atlas: { ...atlas, height, heldRows: height },
    faces: crops.map(({ face }) => face),
    locate: (box) => locate(box, crops),
  };
}

function locate(box: ScoredBox, crops: readonly Crop[]): { box: ScoredBox; face: Box } | undefined {
  const x = box.x + box.w / 2;
  const y = box.y + box.h / 2;
  const column = Math.floor(x / cellSide);
  const index = Math.floor(y / cellSide) * cellsAcross + column;
  const crop = column >= 0 && column < cellsAcross ? crops[index] : undefined;
  if (!crop) return undefined;
  const inCell = { ...box, x: box.x - leftOf(index), y: box.y - topOf(index) };
  const inCrop = scaleBox(inCell, crop.w / crop.scaled.width, crop.h / crop.scaled.height);
  const inRaster = { ...inCrop, x: inCrop.x + crop.x, y: inCrop.y + crop.y };
  return holdsCentre(crop.face, inRaster) ? { box: inRaster, face: crop.face } : undefined;
}
