import type { Raster, Size } from '../codecs/types.ts';
import { type TimeSlice, uninterrupted, workOf } from '../time_slice.ts';
import { type Box, holdsCentre, type ScoredBox, scaleBox } from './boxes.ts';
import { minGain, passSide } from './detection_plan.ts';
import { Shrinker } from './shrink.ts';
import { blankPicture, type Picture } from './tensor.ts';

/** Crops around uncertain faces are laid out on sheets of 640² pixels: in cells of this side, 64 a sheet. */
const cellSide = 80;
const cellsAcross = passSide / cellSide;

/**
 * Most sheets of one picture; the most confident of the uncertain faces come first, the rest are left out.
 */
export const maxSheets = 2;

/**
 * Side of a face in its cell, where the picture has that many pixels of it: large enough for the model to be
 * confident.
 */
const faceSide = 36;

/** A crop of the raster and its place on a sheet. */
interface Cell extends Box {
  readonly sheet: number;
  readonly left: number;
  readonly top: number;
  /** Size of the crop on the sheet. */
  readonly scaled: Size;
  /** The uncertain face. */
  readonly face: Box;
}

/** The input of a zoom pass: uncertain faces in more detail than before. */
interface ZoomPass {
  readonly sheets: readonly Picture[];
  /** Where a box on a sheet lies in the raster; undefined where it is not the uncertain face. */
  locate(box: ScoredBox, sheet: number): ScoredBox | undefined;
}

/**
 * Reads the raster again, as far down as needed, for crops around the boxes, most confident first.
 * @param boxes in the raster's pixels
 * @param detectedScale at which they were detected: pixels of the model's input for one of the raster, 0 to 1
 * @returns undefined where the raster has no more detail of any
 */
export async function openZoomPass(
  source: Raster,
  boxes: readonly ScoredBox[],
  detectedScale: number,
  slice: TimeSlice = uninterrupted,
): Promise<ZoomPass | undefined> {
  const cells = boxes
    .filter((box) => zoomFor(box) >= detectedScale * minGain)
    .slice(0, maxSheets * cellsAcross ** 2)
    .map((box, index) => cellFor(box, index, source));
  if (cells.length === 0) return undefined;
  const sheets = Array.from({ length: cells.at(-1)!.sheet + 1 }, () =>
    blankPicture({ width: passSide, height: passSide }),
  );
  await readCells(source, cells, sheets, slice);
  return { sheets, locate: (box, sheet) => locate(box, cells, sheet) };
}

/** Bytes that a zoom pass holds, at most, beside what the raster takes. */
export function zoomPassCost(source: Size): number {
  const cells = maxSheets * cellsAcross ** 2;
  const widest = Math.min(source.width, cellSide * 16);
  const cell = { width: cellSide, height: cellSide };
  return maxSheets * passSide ** 2 * 3 + cells * Shrinker.cost({ width: widest, height: widest }, cell);
}

/** Sheet pixels for one of the raster; never enlarged. */
const zoomFor = (box: Box) => Math.min(1, faceSide / Math.max(box.w, box.h));

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
    scaled: {
      width: Math.min(cellSide, Math.ceil(w * zoom)),
      height: Math.min(cellSide, Math.ceil(h * zoom)),
    },
    face: box,
  };
}

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

async function readCells(
  source: Raster,
  cells: readonly Cell[],
  sheets: readonly Picture[],
  slice: TimeSlice,
): Promise<void> {
  const shrinkers = cells.map((cell) => {
    const { pixels } = sheets[cell.sheet]!;
    const put = (row: Uint8Array, y: number) => pixels.set(row, ((cell.top + y) * passSide + cell.left) * 3);
    return new Shrinker({ width: cell.w, height: cell.h }, cell.scaled, 4, put, source.opaque);
  });
  const end = Math.max(...cells.map((cell) => cell.y + cell.h));
  for (const strip of source.strips()) {
    const pause = slice.spend(workOf(strip, source.width));
    if (pause) await pause;
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
    const inCrop = scaleBox(inCell, cell.w / cell.scaled.width, cell.h / cell.scaled.height);
    const inRaster = { ...inCrop, x: inCrop.x + cell.x, y: inCrop.y + cell.y };
    return holdsCentre(cell.face, inRaster) ? inRaster : undefined;
  }
  return undefined;
}
