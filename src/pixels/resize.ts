import type { Raster, Size, Strip, Work } from '../codecs/types.ts';
import { addressOf } from '../core/instance.ts';
import { type ResizeShape, RowResizer, resizerBytes } from '../core/kernels/resizer.ts';
import { rowsWork } from '../scheduling/work.ts';
import { mapStrips } from '../strips.ts';
import { average, averageCost, MAX_BOX_SIDE } from './average.ts';
import { derive } from './derive.ts';
import { LanczosFilter, lanczosTaps, maxTaps } from './lanczos.ts';

/** The output rows of a strip. */
const STRIP_ROWS = 16;

/** The size under a width limit: never enlarged; keeps the aspect ratio to the nearest whole row. */
export function sizeUnder(maxWidth: number | undefined, { width, height }: Size): Size {
  if (maxWidth === undefined || width <= maxWidth) return { width, height };
  return { width: maxWidth, height: Math.max(1, Math.round((height * maxWidth) / width)) };
}

const shapeOf = (from: Size, to: Size): ResizeShape => ({
  fromWidth: from.width,
  width: to.width,
  tapsAcross: maxTaps(from.width, to.width),
  tapsDown: maxTaps(from.height, to.height),
  stripRows: STRIP_ROWS,
});

/**
 * A picture is averaged in boxes only down to this many times the target, so that Lanczos has detail to work
 * on: docs/benchmarks.md has the quality.
 */
const BOX_MARGIN = 2.5;

/**
 * How many samples are averaged to one before the filter: 1, or an even number, whose mean keeps nothing of
 * stripes and dithers one pixel wide.
 */
const boxSide = (from: number, to: number) =>
  Math.min(MAX_BOX_SIDE, Math.max(1, 2 * Math.floor(from / to / BOX_MARGIN / 2)));

/**
 * The most samples that are left for the filter, however many of the picture's samples a decoder has left.
 */
const mostFiltered = (from: number, to: number) =>
  Math.max(Math.min(from, 2 * BOX_MARGIN * to), Math.ceil(from / MAX_BOX_SIDE));

/**
 * The most bytes that `resize` holds: the memory of the resizer and of averages in the core, and the filter
 * tables.
 * @param from the size of the source, or more
 */
export function resizeCost(from: Size, to: Size): number {
  if (from.width === to.width && from.height === to.height) return 0;
  const width = mostFiltered(from.width, to.width);
  const height = mostFiltered(from.height, to.height);
  const shape = shapeOf({ width, height }, to);
  const filters = to.width * (shape.tapsAcross + 2) + shape.tapsDown;
  const averages = width < from.width || height < from.height ? averageCost(from.width, width) : 0;
  return resizerBytes(shape) + filters * 4 + averages;
}

/**
 * The image shrunk to `to` by a separable Lanczos-3 filter in premultiplied alpha, in the core. Each row is
 * narrowed as it arrives, and only the rows that one output row needs are held. A picture many times as large
 * is averaged first, which takes a fraction of the time.
 * @param shown the size of the source's upper left part to use: a decoder that shrinks leaves its last column
 * and row partly outside of the picture
 */
export function resize(source: Raster, to: Size, shown: Size = source): Raster {
  if (source.width === to.width && source.height === to.height) return source;
  const box = { width: boxSide(source.width, to.width), height: boxSide(source.height, to.height) };
  const isAveraged = box.width > 1 || box.height > 1;
  const filtered = isAveraged ? average(source, box) : source;
  const left = { width: shown.width / box.width, height: shown.height / box.height };
  const strips = () => resizedStrips(filtered, to, left, source.opaque || isAveraged);
  return derive(source, { width: to.width, height: to.height, strips });
}

function* resizedStrips(
  source: Raster,
  to: Size,
  shown: Size,
  isPremultiplied: boolean,
): Generator<Strip | Work> {
  const across = yield* lanczosTaps(source.width, to.width, shown.width);
  const { core, opaque } = source;
  const shape = shapeOf(source, to);
  using resizer = new RowResizer(core, shape, across, { opaque, isPremultiplied });
  // Holds the taps of one output row at a time, as a tall picture has millions of them.
  const weights = new Float32Array(shape.tapsDown);
  const filter = new LanczosFilter(source.height, to.height, shown.height);
  const rowTaps = (row: number) => filter.sample(row, weights);
  let taps = rowTaps(0);
  const stride = source.width * 4;
  let filled = 0;
  let done = 0;
  yield* mapStrips(source.strips(), function* ({ y, rows, pixels }: Strip) {
    const at = addressOf(core, pixels);
    for (let row = 0; row < rows; row++) {
      resizer.narrow(at + row * stride, y + row);
      while (done < to.height && taps.start + taps.count <= y + row + 1) {
        resizer.blend({ ...taps, weights }, filled);
        if (++done < to.height) taps = rowTaps(done);
        if (++filled === STRIP_ROWS) {
          yield { y: done - filled, rows: filled, pixels: resizer.strip(filled) };
          filled = 0;
        }
      }
    }
    yield rowsWork(rows, source.width);
  });
  if (filled > 0) yield { y: done - filled, rows: filled, pixels: resizer.strip(filled) };
}
