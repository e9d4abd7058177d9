import type { Raster, Size, Strip, Work } from '../codecs/types.ts';
import { ROW_SLACK } from '../core/constants.ts';
import { Scratch } from '../core/scratch.ts';
import { scratchBytes } from '../core/sizes.ts';
import { rowsWork, SPAN_WORK } from '../scheduling/work.ts';
import { changedStrips, mapStrips } from '../strips.ts';
import { delayBytes, delayRows, PIECE_ROWS, readsTwice } from './block_edges.ts';
import { derive } from './derive.ts';
import { type KeptPixels, type Mosaic, MosaicMeans, mosaicSumBytes } from './mosaic.ts';
import { areasOf, type Coverage, RowSpans } from './row_spans.ts';

/**
 * The most bytes that `pixelate` holds, whichever way it reads: the delay line, and sums and means of one row
 * of blocks.
 * @param blocks edges of the finest and the coarsest possible blocks
 */
export function pixelateCost(
  image: Size,
  { finest, coarsest }: { readonly finest: number; readonly coarsest: number },
  maxDelayBytes: number,
): number {
  const sums = image.width * 32;
  if (readsTwice(image, finest, maxDelayBytes)) return sums;
  return scratchBytes([Math.min(maxDelayBytes, delayBytes(coarsest, image))]) + sums;
}

/**
 * Replaces every block that a mosaic's area touches by the alpha-weighted mean of its original pixels. Where
 * mosaics overlap, the coarser one wins. All other pixels pass unchanged. So do those of `kept`, which enter
 * no mean: a block that reaches into them is cut.
 *
 * A row is complete when the blocks that cover it have been read to their last row. If the delay line takes
 * at most `maxDelayBytes`, rows are delayed until then. Otherwise the source is read twice: once for the
 * means, once to paint them.
 */
export function pixelate(
  source: Raster,
  mosaics: readonly Mosaic[],
  maxDelayBytes: number,
  kept: Coverage = [],
): Raster {
  const active = mosaics.filter(({ areas }) => areas.length > 0).sort((a, b) => a.block - b.block);
  if (active.length === 0) return source;
  const coarsest = active.at(-1)!.block;
  const strips = () =>
    readsTwice(source, coarsest, maxDelayBytes)
      ? readTwice(source, active, kept)
      : delayed(source, active, kept, coarsest);
  return derive(source, { strips });
}

/** Memory for the sums of all mosaics, in the core of the rows. */
const scratchForSums = (source: Raster, mosaics: readonly Mosaic[]) =>
  new Scratch(
    source.core,
    mosaics.map((mosaic) => mosaicSumBytes(mosaic, source)),
  );

function meansOf(
  source: Raster,
  mosaics: readonly Mosaic[],
  kept: Coverage,
  { places }: Scratch,
): readonly MosaicMeans[] {
  const pixels: KeptPixels | undefined =
    areasOf(kept).length > 0 ? { adding: new RowSpans(kept), painting: new RowSpans(kept) } : undefined;
  return mosaics.map((mosaic, index) => new MosaicMeans(mosaic, source, places[index]!, pixels));
}

/** A view is empty once its memory has grown; its pixels would then leave without being pixelated. */
function requireRows({ rows, pixels }: Strip, stride: number): void {
  if (pixels.length !== rows * stride) throw new Error(`${rows} rows were promised but are not there`);
}

/** Computes the means in a first read and paints them in a second: holds a strip and one pixel a block. */
function* readTwice(source: Raster, mosaics: readonly Mosaic[], kept: Coverage): Generator<Strip | Work> {
  using sums = scratchForSums(source, mosaics);
  const layers = meansOf(source, mosaics, kept, sums);
  const stride = source.width * 4;
  yield* mapStrips(source.strips(), (strip: Strip): Work[] => {
    requireRows(strip, stride);
    return [addRows(strip, stride, layers) + rowsWork(strip.rows, source.width)];
  });
  yield* changedStrips(source.strips(), (strip) => {
    requireRows(strip, stride);
    paintRows(strip, stride, layers);
  });
}

/** One read: rows of a block are delayed until its last row has been read. */
function* delayed(
  source: Raster,
  mosaics: readonly Mosaic[],
  kept: Coverage,
  coarsest: number,
): Generator<Strip | Work> {
  using sums = scratchForSums(source, mosaics);
  const layers = meansOf(source, mosaics, kept, sums);
  using line = new DelayLine(source, delayRows(coarsest, source));
  yield* mapStrips(source.strips(), function* (whole: Strip) {
    for (const strip of pieces(whole, line.stride)) {
      if (line.rows === 0 && isUnchanged(strip, layers)) {
        yield strip;
        continue;
      }
      line.push(strip);
      yield addRows(strip, line.stride, layers) + strip.rows * source.width;
      const read = strip.y + strip.rows;
      let ready = line.y;
      while (
        ready < read &&
        layers.every((layer) => layer.leavesUnchanged(ready) || layer.endOf(ready) <= read)
      )
        ready++;
      if (ready > line.y) yield paintedRows(line, ready - line.y, layers);
    }
  });
  if (line.rows > 0) yield paintedRows(line, line.rows, layers);
}

/** Adds the strip to the sums. @returns the work of this, without that of the rows */
function addRows({ y, rows, pixels }: Strip, stride: number, layers: readonly MosaicMeans[]): Work {
  let spans = 0;
  for (let row = 0; row < rows; row++) {
    const line = pixels.subarray(row * stride, (row + 1) * stride);
    for (const layer of layers) spans += layer.add(y + row, line);
  }
  return spans * SPAN_WORK;
}

function paintRows({ y, rows, pixels }: Strip, stride: number, layers: readonly MosaicMeans[]): void {
  for (let row = 0; row < rows; row++) {
    const line = pixels.subarray(row * stride, (row + 1) * stride);
    for (const layer of layers) layer.paint(y + row, line);
  }
}

/** The strip in pieces of at most PIECE_ROWS rows. */
function* pieces(strip: Strip, stride: number): Generator<Strip> {
  for (let row = 0; row < strip.rows; row += PIECE_ROWS) {
    const rows = Math.min(PIECE_ROWS, strip.rows - row);
    yield { y: strip.y + row, rows, pixels: strip.pixels.subarray(row * stride, (row + rows) * stride) };
  }
}

function isUnchanged({ y, rows }: Strip, layers: readonly MosaicMeans[]): boolean {
  for (let row = 0; row < rows; row++)
    if (!layers.every((layer) => layer.leavesUnchanged(y + row))) return false;
  return true;
}

function paintedRows(line: DelayLine, rows: number, layers: readonly MosaicMeans[]): Strip {
  const strip = line.take(rows);
  paintRows(strip, line.stride, layers);
  for (const layer of layers) layer.forgetBefore(strip.y + rows);
  return strip;
}

/** Delayed rows: pushed at the end and taken from the front of one buffer in the source's core. */
class DelayLine implements Disposable {
  readonly stride: number;
  readonly #scratch: Scratch;
  readonly #bytes: number;
  #start = 0;
  #end = 0;
  /** Row number of the first delayed row. */
  y = 0;

  /** @param maxRows most rows that it holds at any time */
  constructor({ width, core }: Raster, maxRows: number) {
    this.stride = width * 4;
    this.#bytes = maxRows * this.stride;
    this.#scratch = new Scratch(core, [this.#bytes + ROW_SLACK]);
  }

  get rows(): number {
    return (this.#end - this.#start) / this.stride;
  }

  push(strip: Strip): void {
    requireRows(strip, this.stride);
    const { y, pixels } = strip;
    if (this.#start === this.#end) this.y = y;
    this.#reserve(pixels.length);
    this.#view(this.#end, pixels.length).set(pixels);
    this.#end += pixels.length;
  }

  /** The first `rows` rows; valid until the next push. */
  take(rows: number): Strip {
    const strip = { y: this.y, rows, pixels: this.#view(this.#start, rows * this.stride) };
    this.#start += rows * this.stride;
    this.y += rows;
    return strip;
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes) return;
    const delayed = this.#end - this.#start;
    if (delayed + bytes > this.#bytes)
      throw new Error(`More rows are delayed than ${this.#bytes / this.stride}`);
    this.#view(0, this.#end).copyWithin(0, this.#start);
    this.#start = 0;
    this.#end = delayed;
  }

  #view(at: number, length: number): Uint8Array {
    return this.#scratch.core.view(this.#scratch.places[0]! + at, length);
  }
}
