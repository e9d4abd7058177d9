import type { Raster, Size } from '../codecs/types.ts';
import { clipBox, moveBox, scaleBox, suppress } from '../faces/boxes.ts';
import { DetectorMemory } from '../faces/detector_memory.ts';
import { Shrinker } from '../faces/shrink.ts';
import type { TimeSlice } from '../scheduling/time_slice.ts';
import { pacedStrips } from '../strips.ts';
import {
  DEFAULT_SAME_BOX,
  DEFAULT_VIEWS,
  type DetectedBox,
  type Detector,
  DetectorError,
  type TiledView,
  type View,
  type ViewPlan,
} from './detector.ts';

/** Most boxes of one detector in one picture: the most confident ones are kept. */
export const MAX_BOXES = 1000;

/** Nanoseconds to compare a box with one other box. */
const PAIR_TIME = 4;

/** Most tiles of one plan: a picture that would need more is tiled at a coarser scale. */
export const MAX_TILES = 64;

/** The picture from which a plan's views are cut. */
interface Tiling {
  /** Size of the shrunk picture. */
  readonly size: Size;
  readonly tile: Size;
  readonly lefts: readonly number[];
  readonly tops: readonly number[];
}

const scaled = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

/** The views of a plan over a picture of this size. */
export function tilingOf(plan: ViewPlan, size: Size): Tiling {
  if ('whole' in plan) {
    const shrunk = scaled(size, Math.min(1, plan.whole / Math.max(size.width, size.height)));
    return { size: shrunk, tile: shrunk, lefts: [0], tops: [0] };
  }
  for (let scale = plan.scale ?? 1; ; scale *= 0.9) {
    const tiling = tilesOf(plan, scaled(size, scale));
    if (tiling.lefts.length * tiling.tops.length <= MAX_TILES) return tiling;
  }
}

function tilesOf({ tiles, overlap = Math.round(tiles / 10) }: TiledView, size: Size): Tiling {
  const shared = Math.min(overlap, Math.floor(tiles / 2));
  const starts = (length: number) => {
    if (length <= tiles) return [0];
    const count = Math.ceil((length - shared) / (tiles - shared));
    return Array.from({ length: count }, (_, at) => Math.round(((length - tiles) * at) / (count - 1)));
  };
  const tile = { width: Math.min(tiles, size.width), height: Math.min(tiles, size.height) };
  return { size, tile, lefts: starts(size.width), tops: starts(size.height) };
}

/** Bytes of the memory that holds a shrinker. */
const shrinkerBytes = (from: Size, to: Size) => DetectorMemory.heldBytes(Shrinker.cost(from, to));

/** Bytes that `searchViews` holds for a picture of this size, besides those of the detector. */
export function searchBytes({ views = DEFAULT_VIEWS, memory = 0 }: Detector, size: Size): number {
  const held = views.map((plan) => {
    const { size: shrunk, tile } = tilingOf(plan, size);
    return shrunk.width * tile.height * 3 + tile.width * tile.height * 4 + shrinkerBytes(size, shrunk);
  });
  return memory + Math.max(...held);
}

/** The largest picture width that a detector can use: the picture may be decoded at this width. */
export function wantedWidth({ views = DEFAULT_VIEWS }: Detector, size: Size): number {
  return Math.max(...views.map((plan) => tilingOf(plan, size).size.width));
}

/**
 * Shows a picture to a detector, view by view; the picture is read once for each of the detector's plans.
 * @returns boxes in pixels of the raster, clipped to it, most confident first, one for each thing
 * @throws what the raster and the detector throw; DetectorError for invalid answers
 */
export async function searchViews(
  source: Raster,
  detector: Detector,
  confidence: number,
  slice: TimeSlice,
  signal?: AbortSignal,
): Promise<DetectedBox[]> {
  const { views = DEFAULT_VIEWS, sameBox = DEFAULT_SAME_BOX } = detector;
  const found: DetectedBox[] = [];
  for (const plan of views) {
    const tiling = tilingOf(plan, source);
    const across = source.width / tiling.size.width;
    const down = source.height / tiling.size.height;
    await readTiles(source, tiling, slice, async (view, left, top) => {
      const before = slice.end();
      if (before) await before;
      for (const box of checkedBoxes(await detector.detect(view, signal), detector)) {
        if (box.confidence < confidence) continue;
        const placed = clipBox(scaleBox(moveBox(box, left, top), across, down), source);
        if (placed) found.push(placed);
      }
      signal?.throwIfAborted();
    });
  }
  const byKind = new Map<string, DetectedBox[]>();
  for (const box of found) {
    const others = byKind.get(box.kind);
    if (others) others.push(box);
    else byKind.set(box.kind, [box]);
  }
  const kept: DetectedBox[] = [];
  for (const boxes of byKind.values()) {
    const ofKind = strongest(boxes);
    kept.push(...suppress(ofKind, sameBox));
    const pause = slice.spendTime(ofKind.length ** 2 * PAIR_TIME);
    if (pause) await pause;
  }
  return kept.sort((a, b) => b.confidence - a.confidence).slice(0, MAX_BOXES);
}

const strongest = (boxes: readonly DetectedBox[]) =>
  boxes.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_BOXES);

/** Checks an answer, which may come from anybody's code. */
function checkedBoxes(answer: unknown, { name, kinds }: Detector): readonly DetectedBox[] {
  if (!Array.isArray(answer)) throw new DetectorError(name, ['Expected a list of boxes as its answer']);
  return answer.map((box: DetectedBox) => {
    const { x, y, w, h, confidence, kind } = box ?? {};
    const areNumbers = [x, y, w, h, confidence].every((value) => Number.isFinite(value));
    if (!areNumbers || w <= 0 || h <= 0 || confidence < 0 || confidence > 1 || !kinds.includes(kind)) {
      const wanted = 'x, y, w and h with an area, a confidence of 0 to 1 and one of its kinds';
      throw new DetectorError(name, [`Expected boxes with ${wanted} but it answered with another`]);
    }
    return { x, y, w, h, confidence, kind };
  });
}

/** Reads a raster once and shows every tile as soon as its last row has arrived; holds one band of rows. */
async function readTiles(
  source: Raster,
  { size, tile, lefts, tops }: Tiling,
  slice: TimeSlice,
  onTile: (view: View, left: number, top: number) => Promise<void>,
): Promise<void> {
  const band = new Uint8Array(size.width * tile.height * 3);
  const data = new Uint8ClampedArray(tile.width * tile.height * 4).fill(255);
  let rows = 0;
  using memory = DetectorMemory.open(Shrinker.cost(source, size));
  const shrinker = new Shrinker(
    source,
    size,
    4,
    (row, y) => {
      band.set(row, (y % tile.height) * size.width * 3);
      rows = y + 1;
    },
    source.opaque,
    memory,
  );
  let next = 0;
  const showTiles = async () => {
    for (; next < tops.length && rows >= tops[next]! + tile.height; next++) {
      const top = tops[next]!;
      for (const left of lefts) {
        cutTile(band, size.width, tile, left, top, data);
        await onTile({ ...tile, data }, left, top);
      }
    }
  };
  for await (const strip of pacedStrips(source, slice)) {
    for (let row = 0; row < strip.rows; row++) {
      shrinker.push(strip.pixels, row * source.width * 4);
      if (next < tops.length && rows >= tops[next]! + tile.height) await showTiles();
    }
  }
}

function cutTile(
  band: Uint8Array,
  bandWidth: number,
  { width, height }: Size,
  left: number,
  top: number,
  data: Uint8ClampedArray,
): void {
  let to = 0;
  for (let y = 0; y < height; y++) {
    let from = (((top + y) % height) * bandWidth + left) * 3;
    for (let x = 0; x < width; x++, from += 3, to += 4) {
      data[to] = band[from]!;
      data[to + 1] = band[from + 1]!;
      data[to + 2] = band[from + 2]!;
    }
  }
}
