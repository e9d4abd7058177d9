import { MATRIX_VALUES, ROW_LEAD } from '../../../wasm/assembly/av1/output/constants.ts';
import type { Core } from '../instance.ts';
import { Scratch } from '../scratch.ts';
import { ROW_SLACK, scratchBytes } from '../sizes.ts';

/** Samples that alpha's table is for: 12 bits. */
const ALPHA_CODES = 4096;

/** How the rows of a picture lie, and what becomes of them. */
export interface OutputShape {
  readonly width: number;
  /** Chroma has half of the columns, of the rows; both false of grey pictures and of 4:4:4. */
  readonly halfColumns: boolean;
  readonly halfRows: boolean;
  readonly monochrome: boolean;
  /** 16 bits a sample in place of 8. */
  readonly wide: boolean;
}

/** What chroma samples are multiplied with by upsampling. */
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

/** The chroma of one luma row, as addresses: of the row that covers it, and of the other row beside it. */
export interface ChromaRows {
  readonly nearU: number;
  readonly farU: number;
  readonly nearV: number;
  readonly farV: number;
}

/** Turns rows of an AV1 picture in a core into RGBA there, for one reading. */
export class RowConverter implements Disposable {
  readonly #scratch: Scratch;
  readonly #shape: OutputShape;

  /**
   * @param matrix MATRIX_VALUES numbers: for red, green, blue the factors of Y, U, V and a constant, for
   * chroma samples times `chromaScale` and an output of `wide`
   * @param alphaOf alpha of a sample, 0 to 1; undefined where the picture has none
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
    // The half that rounds is added with the constant.
    new Float32Array(buffer, place, MATRIX_VALUES).set(
      matrix.map((value, i) => value + (i % 4 === 3 ? 0.5 : 0)),
    );
    const most = shape.wide ? 65_535 : 255;
    const codes = new Uint16Array(buffer, table, ALPHA_CODES);
    if (alphaOf) codes.set(codes.map((_, sample) => Math.round(most * alphaOf(sample))));
  }

  /**
   * One row of pixels, opaque. Reads and writes up to ROW_SLACK bytes beyond rows.
   * @param y, out addresses
   * @param chroma undefined of grey pictures
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
