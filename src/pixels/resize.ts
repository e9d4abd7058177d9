import type { Raster, Size, Strip, Work } from '../codecs/types.ts';
import { addressOf } from '../core/instance.ts';
import { type ResizeShape, RowResizer, resizerBytes } from '../core/resizer.ts';
import { mapStrips } from '../strips.ts';
import { rowsWork } from '../work.ts';
import { derive } from './derive.ts';
import { lanczosSample, lanczosTaps, maxTaps } from './lanczos.ts';

/** Output rows gathered into one strip. */
const STRIP_ROWS = 16;

/** The size under a width cap: never enlarged, the aspect kept to the nearest whole row. */
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
 * Bytes that `resize` holds: the resizer's memory in the core, and the filter tables.
 */
export function resizeCost(from: Size, to: Size): number {
  if (from.width === to.width && from.height === to.height) return 0;
  const shape = shapeOf(from, to);
  const filters = to.width * (shape.tapsAcross + 2) + shape.tapsDown;
  return resizerBytes(shape) + filters * 4;
}

/**
 * The image shrunk to `to` by a separable Lanczos-3 in premultiplied alpha, in the core: each row is narrowed
 * as it arrives, and only the rows that one output row needs are held.
 * @param shown of the source, from its upper left corner: a decoder that shrinks leaves the last column and
 * row in part beyond the picture
 */
export function resize(source: Raster, to: Size, shown: Size = source): Raster {
  if (source.width === to.width && source.height === to.height) return source;
  const strips = () => resizedStrips(source, to, shown);
  return derive(source, { width: to.width, height: to.height, strips });
}

function* resizedStrips(source: Raster, to: Size, shown: Size): Generator<Strip | Work> {
  const across = yield* lanczosTaps(source.width, to.width, shown.width);
  const { core, opaque } = source;
  const shape = shapeOf(source, to);
  using resizer = new RowResizer(core, shape, across, opaque);
  // The taps of one output row at a time: a tall picture has millions of them.
  const weights = new Float32Array(shape.tapsDown);
  const rowTaps = (row: number) => lanczosSample(source.height, to.height, row, weights, 0, shown.height);
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
