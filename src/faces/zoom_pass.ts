import type { Raster, Size } from '../codecs/types.ts';
import { type TimeSlice, uninterrupted, workOf } from '../time_slice.ts';
import { type Box, holdsCentre, type ScoredBox, scaleBox } from './boxes.ts';
import { leastGain, passSide } from './detection_plan.ts';
import { Shrinker } from './shrink.ts';
import { blankPicture, type Picture } from './tensor.ts';

/**
 * Doubtful faces are shown to the model again on contact sheets of 640² pixels: cells of this side, 64 a
 * sheet.
 */
const cellSide = 80;
const cellsAcross = passSide / cellSide;

/** Sheets of one picture; what is doubted least comes first, the rest is left in doubt. */
export const mostSheets = 2;

/**
 * How large a face is shown in its cell, where the picture has that many pixels of it: the model is sure from
 * here on.
 */
const shownSide = 36;

/** A piece of the raster and its place on a sheet. */
interface Cell extends Box {
  readonly sheet: number;
  readonly left: number;
  readonly top: number;
  /** Shrunk to this. */
  readonly shown: Size;
  readonly doubted: Box;
}

/** Doubtful faces, shown again in more detail than before. */
interface Sheets {
  readonly pictures: readonly Picture[];
  /** Where a box seen on a sheet lies in the raster; undefined where it is not the face that was in doubt. */
  locate(box: ScoredBox, sheet: number): ScoredBox | undefined;
}

/**
 * Reads the raster again, as far down as needed, for pieces around the boxes given, most confident first.
 * @param boxes in the raster's pixels
 * @param seenScale at which they were seen: pixels of the model's input for one of the raster's, 0 to 1
 * @returns undefined where the raster has no more detail of any
 */
export async function openZoomPass(
  source: Raster,
  boxes: readonly ScoredBox[],
  seenScale: number,
  slice: TimeSlice = uninterrupted,
): Promise<Sheets | undefined> {
  const cells = boxes
    .filter((box) => zoomFor(box) >= seenScale * leastGain)
    .slice(0, mostSheets * cellsAcross ** 2)
    .map((box, index) => cellFor(box, index, source));
  if (cells.length === 0) return undefined;
  const pictures = Array.from({ length: cells.at(-1)!.sheet + 1 }, () =>
    blankPicture({ width: passSide, height: passSide }),
  );
  await readCells(source, cells, pictures, slice);
  return { pictures, locate: (box, sheet) => locate(box, cells, sheet) };
}

/** Bytes that showing again holds, at most, beside what the raster itself takes. */
export function sheetsCost(source: Size): number {
  const cells = mostSheets * cellsAcross ** 2;
  const widest = Math.min(source.width, cellSide * 16);
  const cell = { width: cellSide, height: cellSide };
  return mostSheets * passSide ** 2 * 3 + cells * Shrinker.cost({ width: widest, height: widest }, cell);
}

/** Sheet pixels for one of the raster's; never enlarged. */
const zoomFor = (box: Box) => Math.min(1, shownSide / Math.max(box.w, box.h));

function cellFor(box: Box, index: number, source: Size): Cell {
  const zoom = zoomFor(box);
  const w = Math.min(source.width, Math.round(cellSide / zoom));
  const h = Math.min(source.height, Math.round(cellSide / zoom));
  const onSheet = index % cellsAcross ** 2;
  return {
    sheet: Math.floor(index / cellsAcross ** 2),
    left: (onSheet % cellsAcross) * cellSide,
    top: Math.floor(onSheet / cellsAcross) * cellSide,
    x: clamp(Math.round(box.x + (box.w - w) / 2), source.width - w),
    y: clamp(Math.round(box.y + (box.h - h) / 2), source.height - h),
    w,
    h,
    shown: {
      width: Math.min(cellSide, Math.ceil(w * zoom)),
      height: Math.min(cellSide, Math.ceil(h * zoom)),
    },
    doubted: box,
  };
}

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

async function readCells(
  source: Raster,
  cells: readonly Cell[],
  pictures: readonly Picture[],
  slice: TimeSlice,
): Promise<void> {
  const shrinkers = cells.map((cell) => {
    const { pixels } = pictures[cell.sheet]!;
    const put = (row: Uint8Array, y: number) => pixels.set(row, ((cell.top + y) * passSide + cell.left) * 3);
    return new Shrinker({ width: cell.w, height: cell.h }, cell.shown, 4, put, source.opaque);
  });
  const end = Math.max(...cells.map((cell) => cell.y + cell.h));
  for (const strip of source.strips()) {
    const turn = slice.spend(workOf(strip, source.width));
    if (turn) await turn;
    if (typeof strip === 'number') continue;
    for (const [index, cell] of cells.entries()) {
      const last = Math.min(strip.y + strip.rows, cell.y + cell.h);
      for (let y = Math.max(strip.y, cell.y); y < last; y++) {
        shrinkers[index]!.push(strip.pixels, ((y - strip.y) * source.width + cell.x) * 4);
      }
    }
    if (strip.y + strip.rows >= end) break;
  }
}

function locate(box: ScoredBox, cells: readonly Cell[], sheet: number): ScoredBox | undefined {
  const x = box.x + box.w / 2;
  const y = box.y + box.h / 2;
  for (const cell of cells) {
    const within = x >= cell.left && x < cell.left + cellSide && y >= cell.top && y < cell.top + cellSide;
    if (cell.sheet !== sheet || !within) continue;
    const inCell = { ...box, x: box.x - cell.left, y: box.y - cell.top };
    const inPiece = scaleBox(inCell, cell.w / cell.shown.width, cell.h / cell.shown.height);
    const inRaster = { ...inPiece, x: inPiece.x + cell.x, y: inPiece.y + cell.y };
    return holdsCentre(cell.doubted, inRaster) ? inRaster : undefined;
  }
  return undefined;
}
