import type { ColumnRange } from '../../core/av1/columns.ts';
import {
  type ChromaRows,
  chromaScale,
  type OutputShape,
  outputBytes,
  RowConverter,
} from '../../core/av1/output.ts';
import { ROW_SLACK } from '../../core/constants.ts';
import type { Core } from '../../core/instance.ts';
import { Scratch } from '../../core/scratch.ts';
import { scratchBytes } from '../../core/sizes.ts';
import { decodingFault } from '../../faults.ts';
import type { Size, Work } from '../types.ts';
import { planeColumns } from './bands.ts';
import { colourMatrix, type SampleCoding } from './matrix.ts';
import type { PlaneFormat, PlanePicture, PlaneRows } from './planes.ts';

/** Rows converted at a time. */
const STRIP_ROWS = 16;

/** How a picture's planes become pixels. */
export interface RgbaPlan {
  /** The upper left part of the planes that is the picture. */
  readonly size: Size;
  readonly colour: PlanePicture;
  /** As large as the colour, once scaled. */
  readonly alpha?: PlanePicture | undefined;
  readonly coding: SampleCoding;
  /** Alpha has full range, 0 to its largest code, not narrow range. */
  readonly alphaFullRange: boolean;
  /** Colours are stored premultiplied: red, green and blue are divided by alpha. */
  readonly premultiplied: boolean;
}

/** RGBA of rows [y, y + rows) at an address, 8 or 16 bits a sample; valid until the next pull. */
export interface RgbaRows {
  readonly y: number;
  readonly rows: number;
  readonly place: number;
}

const shapeOf = ({ width }: Size, { monochrome, subX, subY }: PlaneFormat, wide: boolean): OutputShape => ({
  width,
  halfColumns: !monochrome && subX === 1,
  halfRows: !monochrome && subY === 1,
  monochrome,
  wide,
});

/** The strip; and if it needs the next chroma row, also the last rows of luma and chroma that arrived. */
function rowSizes({ width }: Size, shape: OutputShape): number[] {
  const strip = STRIP_ROWS * width * (shape.wide ? 8 : 4) + ROW_SLACK;
  const row = width * 2 + ROW_SLACK;
  return shape.halfRows ? [strip, row, row, row] : [strip];
}

/** Bytes that one read reserves in addition to the decoders'. */
export function rgbaRowsBytes(size: Size, format: PlaneFormat, wide: boolean): number {
  const shape = shapeOf(size, format, wide);
  return outputBytes(shape) + scratchBytes(rowSizes(size, shape));
}

/**
 * Converts the rows of a picture's columns [x, x + width) as they are decoded. Chroma with half the rows is
 * interpolated, so the lowest row so far waits for the chroma below it.
 * @param wide 16 bits a sample
 * @throws Fault whatever decoding throws, and if alpha ends early
 */
export function* rgbaRows(
  core: Core,
  plan: RgbaPlan,
  wide: boolean,
  x = 0,
  width = plan.size.width,
): Generator<RgbaRows | Work> {
  const { colour, alpha, coding } = plan;
  const isWhole = width === plan.size.width;
  const range = isWhole ? undefined : planeColumns({ x, width }, plan.size.width);
  // The converted part includes the columns beside it that chroma's interpolation sees.
  const size = { width: range ? range.to - range.from : width, height: plan.size.height };
  const shape = shapeOf(size, colour, wide);
  using scratch = new Scratch(core, rowSizes(size, shape));
  const matrix = colourMatrix(coding, chromaScale(shape), wide ? 65_535 : 255);
  using converter = new RowConverter(core, shape, matrix, alpha && alphaOf(plan));
  using alphaRows = alpha && new RowReader(alpha, range);
  const [strip, ...kept] = scratch.places as readonly number[];
  const pixelBytes = wide ? 8 : 4;
  const stride = size.width * pixelBytes;
  const chroma = new ChromaPlaces(size, shape, kept.slice(1));
  let due = 0;
  for (const batch of colour.rows(range)) {
    if (typeof batch === 'number') {
      yield batch;
      continue;
    }
    chroma.take(batch);
    const end = Math.min(batch.y + batch.rows, size.height);
    // An odd row waits for the chroma row below it, if there will be one.
    const ready = shape.halfRows && end < size.height ? end - 1 : end;
    while (due < ready) {
      const rows = Math.min(STRIP_ROWS, ready - due);
      for (let row = 0; row < rows; row++) {
        const y = due + row;
        const out = strip! + row * stride;
        converter.convert(y < batch.y ? kept[0]! : lumaAt(batch, y), chroma.at(y), out);
        if (alphaRows) {
          yield* alphaRows.reach(y);
          converter.addAlpha(alphaRows.at(y), out, plan.premultiplied);
        }
      }
      if (range) cutColumns(core, strip!, rows, stride, (x - range.from) * pixelBytes, width * pixelBytes);
      yield { y: due, rows, place: strip! };
      due += rows;
    }
    if (due >= size.height) return;
    if (shape.halfRows) {
      copy(core, lumaAt(batch, end - 1), kept[0]!, size.width * 2);
      chroma.keep(core);
    }
  }
  throw decodingFault(`The AVIF image data ends at row ${due} of ${size.height}`);
}

const lumaAt = ({ y, planes }: PlaneRows, row: number): number =>
  planes[0]!.at + (row - y) * planes[0]!.stride;

/** Cuts rows down to some of their bytes, and packs them one after the other. */
function cutColumns(core: Core, at: number, rows: number, stride: number, from: number, bytes: number): void {
  for (let row = 0; row < rows; row++) copy(core, at + row * stride + from, at + row * bytes, bytes);
}

function copy(core: Core, from: number, to: number, bytes: number): void {
  new Uint8Array(core.exports.memory.buffer).copyWithin(to, from, from + bytes);
}

/** Alpha 0 to 1 of a sample; narrow range is widened, as in libavif. */
function alphaOf({ alpha, alphaFullRange }: RgbaPlan): (sample: number) => number {
  const { depth } = alpha!;
  const [zero, span] = alphaFullRange ? [0, 2 ** depth - 1] : [2 ** (depth - 4), 219 * 2 ** (depth - 8)];
  return (sample) => Math.min(1, Math.max(0, (sample - zero) / span));
}

/** Where the chroma rows of each luma row lie. */
class ChromaPlaces {
  readonly #shape: OutputShape;
  /** Of the picture. */
  readonly #rows: number;
  /** Room for the last rows of U and V before the batch. */
  readonly #kept: readonly number[];
  #batch: PlaneRows | undefined;

  constructor({ height }: Size, shape: OutputShape, kept: readonly number[]) {
    this.#shape = shape;
    this.#rows = shape.halfRows ? (height + 1) >> 1 : height;
    this.#kept = kept;
  }

  take(batch: PlaneRows): void {
    if (this.#shape.halfRows && (batch.y & 1) === 1)
      throw new Error('Rows must begin with a whole chroma row');
    this.#batch = batch;
  }

  /** Copies the batch's last chroma rows, which luma rows next to them need later. */
  keep(core: Core): void {
    const { y, rows } = this.#batch!;
    const last = Math.min((y + rows - 1) >> 1, this.#rows - 1);
    for (const plane of [1, 2]) copy(core, this.#place(plane, last), this.#kept[plane - 1]!, this.#bytes());
  }

  at(y: number): ChromaRows | undefined {
    if (this.#shape.monochrome) return undefined;
    if (!this.#shape.halfRows) {
      return { nearU: this.#place(1, y), farU: 0, nearV: this.#place(2, y), farV: 0 };
    }
    const near = y >> 1;
    const far = Math.min(this.#rows - 1, Math.max(0, (y & 1) === 1 ? near + 1 : near - 1));
    return {
      nearU: this.#place(1, near),
      farU: this.#place(1, far),
      nearV: this.#place(2, near),
      farV: this.#place(2, far),
    };
  }

  #bytes(): number {
    return ((this.#shape.width + 1) >> 1) * 2;
  }

  /** The address of row `row` of U or V; the row before the batch was kept. */
  #place(plane: number, row: number): number {
    const { y, planes } = this.#batch!;
    const first = this.#shape.halfRows ? y >> 1 : y;
    if (row < first) return this.#kept[plane - 1]!;
    const { at, stride } = planes[plane]!;
    return at + (row - first) * stride;
  }
}

/** Gives single rows of luma, in order. */
class RowReader implements Disposable {
  readonly #source: Iterator<PlaneRows | Work>;
  #batch: PlaneRows | undefined;

  constructor(picture: PlanePicture, range: ColumnRange | undefined) {
    this.#source = picture.rows(range)[Symbol.iterator]();
  }

  /** Decodes until the row is there; yields the work done meanwhile. */
  *reach(row: number): Generator<Work> {
    while (!this.#batch || row >= this.#batch.y + this.#batch.rows) {
      const next = this.#source.next();
      if (next.done) throw decodingFault(`The alpha of the AVIF ends at row ${row}`);
      if (typeof next.value === 'number') yield next.value;
      else this.#batch = next.value;
    }
  }

  at(row: number): number {
    return lumaAt(this.#batch!, row);
  }

  [Symbol.dispose](): void {
    this.#source.return?.();
  }
}
