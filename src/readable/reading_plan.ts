import type { Size } from '../codecs/types.ts';
import type { DetectionPlan } from '../faces/detection_plan.ts';
import { inputSide } from '../faces/model.ts';

/** Long side of pictures that are shown whole, as they are. */
const wholeSide = 960;

/** Of others, that of the view of the whole, which shows letters that are too large for tiles. */
const shrunkSide = 640;

/** Long side of the view after that, for letters and plates that are too large there. */
const smallSide = 320;

/** Pictures without so many times its pixels a side do without it. */
const leastReduction = 1.5;

/** Longest side of a tile. */
export const tileSide = 640;

/** Pictures of up to so many pixels are shown as they are, */
const ownPixels = 6e6;
/** and larger ones no smaller than this: letters 10 pixels high are 8 then, which the network still knows. */
const leastScale = 0.8;

/** Tiles overlap by this at least: a letter up to this height is whole in one of them. */
export const tileOverlap = 64;

/** Most tiles: strips that would take more are shown smaller. Of 50 megapixels there are about a hundred. */
export const mostTiles = 256;

/** Pixels that are held for a row of tiles: wide pictures have lower tiles, but no lower than this. */
const mostHeld = 6e6;
const leastTileHeight = 160;

/** Where is looked: the whole, once more at a fraction, and tiles where they show more than that. */
export type ReadingPlan = Pick<DetectionPlan, 'whole' | 'small' | 'fine'>;

const scaled = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

/** The views of a picture of this size. */
export function planReading(size: Size): ReadingPlan {
  const longest = Math.max(size.width, size.height);
  const isWhole = longest <= wholeSide;
  const whole = scaled(size, isWhole ? 1 : shrunkSide / longest);
  const small = longest >= smallSide * leastReduction && { small: scaled(size, smallSide / longest) };
  if (isWhole) return { whole, ...small };
  const finest = Math.min(1, Math.max(leastScale, Math.sqrt(ownPixels / (size.width * size.height))));
  for (let scale = finest; ; scale *= 0.95) {
    const shown = scaled(size, scale);
    const held = Math.floor(mostHeld / shown.width / 32) * 32;
    const [columns, rows] = [
      countFor(shown.width, tileSide),
      countFor(shown.height, Math.min(tileSide, Math.max(leastTileHeight, held))),
    ];
    if (columns * rows > mostTiles) continue;
    const tile = { width: sideFor(shown.width, columns), height: sideFor(shown.height, rows) };
    const lefts = starts(shown.width, tile.width, columns);
    return {
      whole,
      ...small,
      fine: { size: shown, tile, lefts, tops: starts(shown.height, tile.height, rows) },
    };
  }
}

/** Tiles that cover a length. */
const countFor = (length: number, side: number) =>
  Math.max(1, Math.ceil((length - tileOverlap) / (side - tileOverlap)));

/** The side that so many tiles need for it. */
const sideFor = (length: number, count: number) => inputSide((length + (count - 1) * tileOverlap) / count);

const starts = (length: number, side: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((Math.max(0, length - side) * index) / (count - 1)),
  );
