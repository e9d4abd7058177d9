import type { Size } from '../codecs/types.ts';
import { inputMultiple, inputSide } from './model.ts';

/** A picture scaled to `size` and cut into tiles that overlap and together cover it. */
export interface Tiling {
  /** Of the scaled picture. */
  readonly size: Size;
  /** Of every tile; both sides are multiples of 32. */
  readonly tile: Size;
  /** Left edges of the tiles. A tile may reach over the right or lower edge of the picture. */
  readonly lefts: readonly number[];
  readonly tops: readonly number[];
}

/** The passes over one picture. */
export interface DetectionPlan {
  /** The whole picture, shrunk. */
  readonly whole: Size;
  /** Whether both models see `whole`. */
  readonly byBoth?: boolean;
  /** The whole, shrunk further, for faces that fill it: the model detects none that are 500 pixels wide. */
  readonly small?: Size;
  /** The whole at its smallest, for faces that reach beyond the picture. */
  readonly tiny?: Size;
  /** The whole for dark, turned and tilted views. Absent: none of these. */
  readonly half?: Size;
  /** Tiles at a finer scale. */
  readonly fine?: Tiling;
  /** Even finer tiles, for a picture that shows a crowd. */
  readonly crowd?: Tiling;
  /** Tiles of the enlarged picture, or of `whole` enlarged, if the other views already show every detail. */
  readonly enlarged?: Tiling;
}

/** Long side of the whole-image pass. Tiles have at most this squared pixels, so one input fits them all. */
export const passSide = 640;

/** Long side of the small whole-image pass, an eighth of the work (docs/faces.md: how it was chosen). */
export const smallSide = 224;

/** Long side of the smallest view (docs/faces.md: how it was chosen). */
export const tinySide = 112;

/** Long side of the half-size picture, a quarter of the work. */
export const halfSide = 320;

/** Limits of a tiling. */
interface TilingLimits {
  readonly tiles: number;
  /** Passes of 640² pixels, all tiles together. */
  readonly passes: number;
  /** Tile pixels per pixel of the picture. */
  readonly scale: number;
}

/** Limits for the tiles of every picture. */
export const fineLimits: TilingLimits = { tiles: 9, passes: 6.5, scale: 1 };

/**
 * Limits for those added if it shows a crowd: beyond 24 megapixels so many more that faces are shown as
 * large, but not in panoramas, whose rows take more memory.
 */
export function crowdLimits({ width, height }: Size): TilingLimits {
  const pixels = Math.min(width * height, 2 * Math.min(width, height) ** 2);
  const more = Math.max(1, pixels / 24e6);
  return { tiles: 20 * more, passes: 12.5 * more, scale: 1 };
}

/** Limits for a picture that is enlarged (docs/faces.md: how the scale was chosen). */
export const enlargedLimits: TilingLimits = { tiles: 9, passes: 6.5, scale: 1.5 };

/** Tiles overlap by at least this, so that one of them has all of a face up to this size (docs/faces.md). */
export const tileOverlap = 64;

/** A further scale is used if it is finer by at least this factor; less is not worth the time. */
export const minGain = 1.25;

/** Shrunk so that the long side is at most `longest`; never enlarged, never under 1 pixel. */
function fitWithin(size: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(size.width, size.height));
  return scaled(size, scale);
}

function scaled(size: Size, scale: number): Size {
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

/** The passes over a picture of this size: the rule of src/faces/README.md. */
export function planDetection(size: Size): DetectionPlan {
  const whole = fitWithin(size, passSide);
  const small = fitWithin(size, smallSide);
  const tiny = fitWithin(size, tinySide);
  const half = fitWithin(size, halfSide);
  const fine = finestTiling(size, fineLimits);
  const plan = {
    whole,
    byBoth: true,
    ...(differs(whole, small) && { small }),
    ...(differs(whole, tiny) && { tiny }),
    half,
  };
  if (!differs(fine.size, whole)) return { ...plan, enlarged: finestTiling(whole, enlargedLimits) };
  if (differs(size, fine.size)) {
    const crowd = finestTiling(size, crowdLimits(size));
    return { ...plan, fine, ...(differs(crowd.size, fine.size) && { crowd }) };
  }
  const enlarged = finestTiling(fine.size, enlargedLimits);
  return { ...plan, fine, ...(differs(enlarged.size, fine.size) && { enlarged }) };
}

const differs = (finer: Size, coarser: Size) =>
  finer.width * finer.height > coarser.width * coarser.height * minGain ** 2;

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly tile: Size;
  readonly scale: number;
}

/**
 * Of all grids within the limits, with tiles of at most 640² pixels, the one that shows the picture at the
 * finest scale; of equals, the one with the fewest pixels.
 */
function finestTiling(size: Size, limits: TilingLimits): Tiling {
  let best: Grid | undefined;
  for (let columns = 1; columns <= limits.tiles; columns++) {
    for (let rows = 1; columns * rows <= limits.tiles; rows++) {
      for (let width = inputMultiple * 8; width <= passSide * 2; width += inputMultiple) {
        const grid = gridFor(size, columns, rows, width, limits);
        if (grid && (!best || isBetter(grid, best))) best = grid;
      }
    }
  }
  const { scale, tile, columns, rows } = best!;
  const shown = scaled(size, scale);
  return {
    size: shown,
    tile,
    lefts: starts(shown.width, tile.width, columns),
    tops: starts(shown.height, tile.height, rows),
  };
}

/** A grid of tiles of this width at the finest scale it allows, its tiles no larger than that scale needs. */
function gridFor(
  size: Size,
  columns: number,
  rows: number,
  width: number,
  limits: TilingLimits,
): Grid | undefined {
  const pixels = passSide ** 2 * Math.min(1, limits.passes / (columns * rows));
  const height = Math.floor(pixels / width / inputMultiple) * inputMultiple;
  const scale = Math.min(limits.scale, reach(columns, width) / size.width, reach(rows, height) / size.height);
  // Tiles that consist of overlap only show nothing.
  if (scale <= 0 || height < inputMultiple) return undefined;
  const tile = {
    width: Math.min(width, needed(size.width * scale, columns)),
    height: Math.min(height, needed(size.height * scale, rows)),
  };
  return { columns, rows, tile, scale };
}

/** Pixels that `count` overlapping tiles cover. */
const reach = (count: number, side: number) => count * side - (count - 1) * tileOverlap;

/** The side that `count` tiles need to cover `length`. */
const needed = (length: number, count: number) =>
  inputSide((Math.ceil(length) + (count - 1) * tileOverlap) / count);

function isBetter(a: Grid, b: Grid): boolean {
  const pixels = (grid: Grid) => grid.columns * grid.rows * grid.tile.width * grid.tile.height;
  return a.scale > b.scale || (a.scale === b.scale && pixels(a) < pixels(b));
}

/** Where tiles start: spread evenly, the first at 0 and the last ending at (or beyond) the end. */
function starts(length: number, side: number, count: number): number[] {
  const last = Math.max(0, length - side);
  return Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((last * index) / (count - 1)),
  );
}
