import { MATRIX_VALUES, ROW_LEAD } from '../../../wasm/assembly/av1/output/constants.ts';
import { ROW_SLACK } from '../constants.ts';
import type { Core } from '../instance.ts';
import { Scratch } from '../scratch.ts';
import { scratchBytes } from '../sizes.ts';

/** Entries of the table for alpha: one for each sample value of 12 bits. */
const ALPHA_CODES = 4096;

/** The layout of a picture's rows, and of the output. */
export interface OutputShape {
  readonly width: number;
  /** Whether chroma has half the columns, half the rows; both false for grey pictures and 4:4:4. */
  readonly halfColumns: boolean;
  readonly halfRows: boolean;
  readonly monochrome: boolean;
  /** The output has 16 bits a sample instead of 8. */
  readonly wide: boolean;
}

/** The factor by which upsampling multiplies chroma samples. */
export const chromaScale = ({
  halfColumns,
  halfRows,
}: Pick<OutputShape, 'halfColumns' | 'halfRows'>): number => (halfColumns ? (halfRows ? 16 : 4) : 1);

/** In the order of allocation: matrix, alpha's table, sums, U, V. */
function sizesOf({ width, halfColumns }: OutputShape): number[] {
  const row = width * 2 + ROW_SLACK;
  const upsampled = halfColumns ? [row + ROW_LEAD * 2, row + 2, row + 2] : [];
  return [MATRIX_VALUES * 4, ALPHA_CODES * 2, ...upsampled];
}

/** Bytes that a converter reserves in the core of its rows. */
export const outputBytes = (shape: OutputShape): number => scratchBytes(sizesOf(shape));

/**
 * The addresses of the chroma for one luma row: of the chroma row that covers it, and of the nearest other
 * one.
 */
export interface ChromaRows {
  readonly nearU: number;
  readonly farU: number;
  readonly nearV: number;
  readonly farV: number;
}

/** Converts rows of an AV1 picture in a core to RGBA in the same core, for one read. */
export class RowConverter implements Disposable {
  readonly #scratch: Scratch;
  readonly #shape: OutputShape;

  /**
   * @param matrix MATRIX_VALUES numbers: for red, green and blue each the factors of Y, U, V and a constant;
   * for chroma samples times `chromaScale`, and the output that `wide` says
   * @param alphaOf alpha of a sample, 0 to 1; undefined if the picture has none
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(
    core: Core,
    shape: OutputShape,
    matrix: readonly number[],
    alphaOf?: (sample: number) => number,
  ) {
    this.#scratch = new Scratch(core, sizesOf(shape));
    this.#shape = shape;
    const [place, table] = this.#scratch.places as [number, number];
    const { buffer } = core.exports.memory;
    // The constant includes the half for rounding.
    new Float32Array(buffer, place, MATRIX_VALUES).set(
      matrix.map((value, i) => value + (i % 4 === 3 ? 0.5 : 0)),
    );
    const most = shape.wide ? 65_535 : 255;
    const codes = new Uint16Array(buffer, table, ALPHA_CODES);
    if (alphaOf) codes.set(codes.map((_, sample) => Math.round(most * alphaOf(sample))));
  }

  /**
   * Converts one row to opaque pixels. Reads and writes up to ROW_SLACK bytes beyond rows.
   * @param y, out addresses
   * @param chroma undefined for grey pictures
   */
  convert(y: number, chroma: ChromaRows | undefined, out: number): void {
    const { core, places } = this.#scratch;
    const { width, halfColumns, wide } = this.#shape;
    const [matrix, , sums, u, v] = places as readonly number[];
    let [rowU, rowV] = [chroma?.nearU ?? 0, chroma?.nearV ?? 0];
    if (chroma && halfColumns) {
      const count = (width + 1) >> 1;
      core.exports.av1UpsampleRow(chroma.nearU, chroma.farU, sums!, u!, count);
      core.exports.av1UpsampleRow(chroma.nearV, chroma.farV, sums!, v!, count);
      [rowU, rowV] = [u!, v!];
    }
    core.exports.av1ConvertRow(y, rowU, rowV, out, width, matrix!, wide ? 1 : 0);
  }

  /** Gives a converted row its alpha. @param alpha address of its samples of 16 bits */
  addAlpha(alpha: number, out: number, premultiplied: boolean): void {
    const { core, places } = this.#scratch;
    const { width, wide } = this.#shape;
    core.exports.av1AlphaRow(alpha, places[1]!, out, width, wide ? 1 : 0, premultiplied ? 1 : 0);
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }
}
