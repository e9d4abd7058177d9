import type { Raster, Size } from '../codecs/types.ts';
import { type TimeSlice, uninterrupted } from '../scheduling/time_slice.ts';
import { pacedStrips } from '../strips.ts';
import { arraysCost, type BumpAllocator } from './bump_allocator.ts';
import type { DetectionPlan, Tiling } from './detection_plan.ts';
import { type RowSink, Shrinker } from './shrink.ts';
import { blankPicture, type Picture } from './tensor.ts';

/** What is called while a raster is read; reading pauses until it is done. */
interface PassCalls {
  /**
   * Called once for every entry of `plan.fine.tops`, in order, as soon as the last pixel row of these tiles
   * has been read.
   */
  onTiles(band: Picture, top: number): Promise<void>;
  /**
   * Called last.
   * @param finest the fine picture's rows that are still held; without one, the whole picture
   */
  onAll(whole: Picture, finest: Picture): Promise<void>;
}

/**
 * Reads a raster once and shrinks it to the inputs of all passes. Of the fine picture it holds only as many
 * rows as a tile is high, or all rows if the picture is to be enlarged.
 * @param memory for the pictures; all but the returned one is free again at the end
 * @returns the whole picture at the coarse scale
 * @param slice lets other jobs run between strips
 * @throws whatever the raster or the calls throw
 */
export async function readPassInputs(
  source: Raster,
  plan: DetectionPlan,
  { onTiles, onAll }: PassCalls,
  memory: BumpAllocator,
  slice: TimeSlice = uninterrupted,
): Promise<Picture> {
  const { whole, fine } = plan;
  const openBand = ({ size, tops, tile }: Tiling): FineRows => {
    const band = blankPicture(size, memory, fineRows(plan));
    const keepBand = keepRows(band);
    const waiting = tops.values();
    let rows = 0;
    let next = waiting.next();
    const isNextComplete = () => !next.done && rows >= Math.min(next.value + tile.height, size.height);
    const detectInTiles = async () => {
      while (isNextComplete()) {
        await onTiles(band, next.value!);
        next = waiting.next();
      }
    };
    return {
      size,
      push: (row, y) => {
        keepBand(row, y);
        rows = y + 1;
      },
      advance: () => (isNextComplete() ? detectInTiles() : undefined),
      finish: (picture) => onAll(picture, band),
    };
  };
  const picture = await readScales(source, whole, fine && (() => openBand(fine)), memory, slice);
  if (!fine) await onAll(picture, picture);
  return picture;
}

/** Takes the rows of a fine picture while a raster is read. */
interface FineRows {
  readonly size: Size;
  readonly push: RowSink;
  /** Works on the rows so far; undefined if there is nothing to do. Reading pauses until it is done. */
  advance(): Promise<void> | undefined;
  /** Called when all rows have been read, and with the coarse picture. */
  finish?(coarse: Picture): Promise<void>;
}

/**
 * Reads a raster once, at a coarse scale and, where `openFine` is given, at a finer one.
 * @param openFine begins the fine picture
 * @param memory for the pictures; all but the returned one is free again at the end
 * @returns the whole picture at the coarse scale
 * @throws whatever the raster or the fine rows throw
 */
export async function readScales(
  source: Raster,
  whole: Size,
  openFine: (() => FineRows | Promise<FineRows>) | undefined,
  memory: BumpAllocator,
  slice: TimeSlice,
): Promise<Picture> {
  const picture = blankPicture(whole, memory);
  using _region = memory.region();
  const keepWhole = keepRows(picture);
  const fine = await openFine?.();
  if (!fine) {
    const shrinker = new Shrinker(source, whole, 4, keepWhole, source.opaque, memory);
    await pushAll(source, shrinker, slice, () => undefined);
    return picture;
  }
  // The coarse picture is shrunk from the fine one: averages of averages, and a fraction of the work.
  const coarser = new Shrinker(fine.size, whole, 3, keepWhole, true, memory);
  const keepBoth: RowSink = (row, y) => {
    fine.push(row, y);
    coarser.push(row, 0);
  };
  const finer = new Shrinker(source, fine.size, 4, keepBoth, source.opaque, memory);
  await pushAll(source, finer, slice, () => fine.advance());
  await fine.finish?.(picture);
  return picture;
}

/** Bytes of a picture that is held whole. */
export const pictureCost = ({ width, height }: Size) => arraysCost(width * height * 3);

/** Bytes that `readPassInputs` takes: `kept` for the picture it returns, `reading` for all else. */
export function passInputsCost(
  source: Size,
  plan: DetectionPlan,
): { readonly kept: number; readonly reading: number } {
  const { whole, fine } = plan;
  const tiled = ({ size }: Tiling) =>
    arraysCost(size.width * fineRows(plan) * 3) + Shrinker.cost(source, size) + Shrinker.cost(size, whole);
  return { kept: pictureCost(whole), reading: fine ? tiled(fine) : Shrinker.cost(source, whole) };
}

/** Rows of the fine picture that are held at a time. */
const fineRows = ({ fine, enlarged }: DetectionPlan): number =>
  fine ? (enlarged ? fine.size.height : Math.min(fine.tile.height, fine.size.height)) : 0;

function keepRows(picture: Picture): RowSink {
  return (row, y) => picture.pixels.set(row, (y % picture.heldRows) * picture.width * 3);
}

async function pushAll(
  source: Raster,
  shrinker: Shrinker,
  slice: TimeSlice,
  afterRow: () => Promise<void> | undefined,
): Promise<void> {
  for await (const strip of pacedStrips(source, slice)) {
    for (let row = 0; row < strip.rows; row++) {
      shrinker.push(strip.pixels, row * source.width * 4);
      const tiles = afterRow();
      if (tiles) await tiles;
    }
  }
}

/** Bytes that `shrinkPicture` takes, its result included. */
export const shrinkingCost = (from: Size, to: Size): number => pictureCost(to) + Shrinker.cost(from, to);

/** Shrinks a picture of which all rows are held. */
export function shrinkPicture(picture: Picture, size: Size, memory: BumpAllocator): Picture {
  const small = blankPicture(size, memory);
  using _region = memory.region();
  const shrinker = new Shrinker(picture, size, 3, keepRows(small), true, memory);
  for (let y = 0; y < picture.height; y++) shrinker.push(picture.pixels, y * picture.width * 3);
  return small;
}
