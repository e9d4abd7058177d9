import type { Raster, Size, Strip } from '../codecs/types.ts';
import { type Mosaic, MosaicMeans } from './mosaic.ts';

/** Edge of a block: `strength` per cent of the shortest edge of the output image, at least 2 (docs/decisions.md). */
export function blockEdge(strength: number, { width, height }: Size): number {
  return Math.max(2, Math.round((strength / 100) * Math.min(width, height)));
}

/** Rows a producer is expected to send at once; larger strips only cost what they are. */
const USUAL_STRIP_ROWS = 64;

/** Bytes of a delay line for blocks of this edge: half as much again as must wait, so that rows are seldom moved. */
const delayBytes = (block: number, width: number) => Math.ceil(block * 1.5 + USUAL_STRIP_ROWS) * width * 4;

/** Whether blocks of this edge make `pixelate` read its source twice, because their rows may not wait. */
export const readsTwice = ({ width }: Pick<Size, 'width'>, coarsestBlock: number, holdBytes: number) =>
  delayBytes(coarsestBlock, width) > holdBytes;

/** Bytes that `pixelate` holds at most, whichever way it reads: the delay line, and sums and means of one row of blocks. */
export function pixelateCost(image: Size, coarsestBlock: number, holdBytes: number): number {
  const delayed = readsTwice(image, coarsestBlock, holdBytes) ? 0 : delayBytes(coarsestBlock, image.width);
  return delayed + image.width * 32;
}

/**
 * Replaces every block that a mosaic's area touches by its mean of the original pixels, alpha-weighted. Where mosaics
 * overlap the coarser one wins. All other pixels pass unchanged.
 *
 * A row can only leave when the blocks that cover it have been read to their end. Rows wait in a delay line as long as that
 * holds at most `holdBytes`; otherwise the source is read twice, once for the means and once to paint them.
 */
export function pixelate(source: Raster, mosaics: readonly Mosaic[], holdBytes: number): Raster {
  const active = mosaics.filter(({ areas }) => areas.length > 0).sort((a, b) => a.block - b.block);
  if (active.length === 0) return source;
  const coarsest = active.at(-1)!.block;
  const begin = () => active.map((mosaic) => new MosaicMeans(mosaic, source, source.opaque));
  return {
    width: source.width,
    height: source.height,
    opaque: source.opaque,
    grey: source.grey,
    strips: () =>
      readsTwice(source, coarsest, holdBytes)
        ? twiceRead(source, begin())
        : delayedStrips(source, begin(), coarsest),
  };
}

/** Reads the means first, then paints: holds a strip and one pixel a hidden block. */
function* twiceRead(source: Raster, layers: readonly MosaicMeans[]): Generator<Strip> {
  const stride = source.width * 4;
  for (const { y, rows, pixels } of source.strips()) {
    for (let row = 0; row < rows; row++) {
      const line = pixels.subarray(row * stride, (row + 1) * stride);
      for (const layer of layers) layer.add(y + row, line);
    }
  }
  for (const strip of source.strips()) {
    for (let row = 0; row < strip.rows; row++) {
      const line = strip.pixels.subarray(row * stride, (row + 1) * stride);
      for (const layer of layers) layer.paint(strip.y + row, line);
    }
    yield strip;
  }
}

/** One reading: rows of a hidden block wait until its last row has come. */
function* delayedStrips(source: Raster, layers: readonly MosaicMeans[], coarsest: number): Generator<Strip> {
  const line = new DelayLine(source.width * 4, Math.ceil(coarsest * 1.5));
  for (const strip of source.strips()) {
    if (line.rows === 0 && untouched(strip, layers)) {
      yield strip;
      continue;
    }
    line.push(strip);
    for (let row = 0; row < strip.rows; row++) {
      const pixels = strip.pixels.subarray(row * line.stride, (row + 1) * line.stride);
      for (const layer of layers) layer.add(strip.y + row, pixels);
    }
    const read = strip.y + strip.rows;
    let ready = line.y;
    while (ready < read && layers.every((layer) => layer.leavesAlone(ready) || layer.endOf(ready) <= read))
      ready++;
    if (ready > line.y) yield paintedRows(line, ready - line.y, layers);
  }
  if (line.rows > 0) yield paintedRows(line, line.rows, layers);
}

function untouched({ y, rows }: Strip, layers: readonly MosaicMeans[]): boolean {
  for (let row = 0; row < rows; row++) if (!layers.every((layer) => layer.leavesAlone(y + row))) return false;
  return true;
}

function paintedRows(line: DelayLine, rows: number, layers: readonly MosaicMeans[]): Strip {
  const strip = line.take(rows);
  for (let row = 0; row < rows; row++) {
    const pixels = strip.pixels.subarray(row * line.stride, (row + 1) * line.stride);
    for (const layer of layers) layer.paint(strip.y + row, pixels);
  }
  for (const layer of layers) layer.forgetBefore(strip.y + rows);
  return strip;
}

/** Rows on their way: pushed at the end, taken from the front, in one buffer. */
class DelayLine {
  #buffer = new Uint8Array(0);
  #start = 0;
  #end = 0;
  /** Row number of the first waiting row. */
  y = 0;
  constructor(
    readonly stride: number,
    /** Rows that must be able to wait; a strip's own rows come on top. */
    private readonly waitingRows: number,
  ) {}

  get rows(): number {
    return (this.#end - this.#start) / this.stride;
  }

  push({ y, pixels }: Strip): void {
    if (this.#start === this.#end) this.y = y;
    this.#makeRoom(pixels.length);
    this.#buffer.set(pixels, this.#end);
    this.#end += pixels.length;
  }

  /** The first `rows` rows; valid until the next push. */
  take(rows: number): Strip {
    const strip = {
      y: this.y,
      rows,
      pixels: this.#buffer.subarray(this.#start, this.#start + rows * this.stride),
    };
    this.#start += rows * this.stride;
    this.y += rows;
    return strip;
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const waiting = this.#end - this.#start;
    if (waiting + bytes <= this.#buffer.length) {
      this.#buffer.copyWithin(0, this.#start, this.#end);
    } else {
      const grown = new Uint8Array(Math.max(waiting, this.waitingRows * this.stride) + bytes);
      grown.set(this.#buffer.subarray(this.#start, this.#end));
      this.#buffer = grown;
    }
    this.#start = 0;
    this.#end = waiting;
  }
}
