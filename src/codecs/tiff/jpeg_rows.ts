import type { Core, CoreRows } from '../../core/instance.ts';
import { JpegFile } from '../../core/jpeg/decode.ts';
import { decodingFault, Fault } from '../../faults.ts';
import type { Work } from '../types.ts';
import type { ChunkRows, PageRows } from './chunk_rows.ts';

/**
 * JPEG pads its rows to whole blocks of at most 32 pixels, so its width exceeds the chunk's by no more than
 * this.
 */
const MOST_PADDING = 31;
const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;

/**
 * Rows of a chunk of JPEG data (Adobe TIFF Technical Note 2): one datastream of all samples, or one for each
 * plane. Tables that all chunks share are in a tag, as a separate datastream.
 */
export class JpegRows implements ChunkRows {
  readonly #shared: PageRows;
  readonly #parts: readonly JpegPart[];

  /**
   * Opens a chunk. Yields work on the way.
   * @param cmyk for CMYK pages: writes cyan, magenta, yellow and black instead of RGBA
   * @throws Fault for faulty JPEG headers, and 'decoding' when they contradict the TIFF's
   */
  static *opening(
    shared: PageRows,
    core: Core,
    stored: readonly Uint8Array[],
    rowY: number,
    cmyk = false,
  ): Generator<Work, JpegRows, void> {
    const { page } = shared;
    const tables = page.jpegTables;
    const prefix =
      tables === undefined
        ? new Uint8Array(0)
        : page.bytes.subarray(tables.start, tables.start + tables.count);
    const parts: JpegPart[] = [];
    const isYcbcr = page.colour.kind === 'ycbcr';
    for (const bytes of stored) {
      const opening = openingPart(core, prefix, bytes, isYcbcr, page.chunks.width, cmyk && !page.planar);
      for (;;) {
        const { done, value } = namingRow(rowY, page.height, () => opening.next());
        if (done) {
          parts.push(value);
          break;
        }
        yield value;
      }
    }
    const expected = page.planar ? 1 : page.samples;
    const found = parts[0]!.file.components;
    if (found !== expected) {
      throw decodingFault(`The TIFF has ${expected} samples for each pixel, the JPEG data in it ${found}`);
    }
    return new JpegRows(shared, parts);
  }

  private constructor(shared: PageRows, parts: readonly JpegPart[]) {
    this.#shared = shared;
    this.#parts = parts;
  }

  *reach(y: number): Generator<Work, void, void> {
    for (const part of this.#parts) yield* part.reach(y, this.#shared.page.height);
  }

  next(out: Uint8Array, at: number, count: number, y: number): void {
    const { page, samples, stride, alphaAt, write, writeAlpha } = this.#shared;
    const { kind } = page.colour;
    if (page.planar) {
      for (let plane = 0; plane < this.#parts.length; plane++) {
        const { pixels, from } = this.#parts[plane]!.next(count, y);
        for (let x = 0; x < count; x++) samples[x * stride + plane] = pixels[from + x * 4]!;
      }
      write(samples, 0, stride, count, out, at);
      if (alphaAt >= 0) writeAlpha(samples, count, out, at);
      return;
    }
    const { pixels, from } = this.#parts[0]!.next(count, y);
    // The JPEG decoder has already turned these into RGB (or CMYK); it passes other samples on as red, green
    // and blue.
    if (kind === 'rgb' || kind === 'ycbcr' || kind === 'cmyk')
      out.set(pixels.subarray(from, from + count * 4), at);
    else write(pixels, from, 4, count, out, at);
  }
}

/** One datastream being read. */
class JpegPart {
  readonly file: JpegFile;
  readonly #strips: Iterator<CoreRows | Work>;
  #strip: CoreRows | undefined;
  #row = 0;

  constructor(file: JpegFile, cmyk: boolean) {
    this.file = file;
    this.#strips = file.rows(0, file.width, cmyk);
  }

  /** Decodes until there is another row; yields the work done meanwhile. */
  *reach(y: number, height: number): Generator<Work, void, void> {
    while (this.#strip === undefined || this.#row === this.#strip.rows) {
      const step = namingRow(y, height, () => this.#strips.next());
      if (step.done)
        throw decodingFault(
          `The TIFF's pixels end at row ${y} of ${height}: its JPEG data is not high enough`,
        );
      if (typeof step.value === 'number') yield step.value;
      else [this.#strip, this.#row] = [step.value, 0];
    }
  }

  /** The row that was reached: its RGBA pixels begin at pixels[from]. */
  next(count: number, y: number): { pixels: Uint8Array; from: number } {
    if (count > this.file.width) {
      throw decodingFault(
        `The TIFF's JPEG data is ${this.file.width} pixels wide where ${count} are needed, at row ${y}`,
      );
    }
    return { pixels: this.#strip!.pixels, from: this.#row++ * this.file.width * 4 };
  }
}

function* openingPart(
  core: Core,
  tables: Uint8Array,
  stored: Uint8Array,
  ycbcr: boolean,
  width: number,
  cmyk: boolean,
): Generator<Work, JpegPart, void> {
  const abbreviated = tables.length >= 4;
  if (abbreviated && !(begins(tables) && begins(stored))) {
    throw decodingFault('The TIFF’s JPEG data or its tables do not begin with a start marker (SOI)');
  }
  const ended = tables[tables.length - 2] === 0xff && tables[tables.length - 1] === END_OF_IMAGE;
  const head = abbreviated ? tables.subarray(0, tables.length - (ended ? 2 : 0)) : tables.subarray(0, 0);
  const body = abbreviated ? stored.subarray(2) : stored;
  const length = head.length + body.length;
  const at = core.alloc(length);
  const view = core.view(at, length);
  view.set(head);
  view.set(body, head.length);
  const file = yield* JpegFile.opening(core, at, length, ycbcr ? 'ycbcr' : 'rgb');
  if (file.width > width + MOST_PADDING) {
    throw decodingFault(`The TIFF's JPEG data is ${file.width} pixels wide in strips or tiles of ${width}`);
  }
  file.reserve(8);
  return new JpegPart(file, cmyk);
}

const begins = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === START_OF_IMAGE;

/** Runs a function, and names the page's row in any fault. */
function namingRow<T>(y: number, height: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.kind, `${error.message}, at row ${y} of ${height} of the TIFF`);
  }
}
