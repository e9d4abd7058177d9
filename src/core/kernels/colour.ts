import {
  CHANNEL_TABLE_BYTES,
  CODES_16,
  FRACTION_BITS,
  LIGHT_STEPS,
} from '../../../wasm/assembly/colour/constants.ts';
import { addressOf, type Core } from '../instance.ts';
import { Scratch } from '../scratch.ts';
import { scratchBytes } from '../sizes.ts';

export { CODES_16, LIGHT_STEPS };

const FRACTION = 1 << FRACTION_BITS;
/** The largest linear light: keeps sums of three inside 32 bits. More light is far outside of any gamut. */
const MAX_LIGHT = 8;
/**
 * The size of a piece in bytes of RGBA: large enough for few calls, small enough for the processor's cache.
 */
const PIECE_BYTES = 131_072;

/** Three curves and a matrix, as functions of numbers 0 to 1. */
interface MatrixColour {
  /** Linear light of each channel's code; equal curves should be the same function. */
  readonly curves: readonly [red: LightCurve, green: LightCurve, blue: LightCurve];
  /** Row by row: linear red, green, blue of the output from the input's. */
  readonly matrix: readonly number[];
  /** The output's code of linear light 0, 1/LIGHT_STEPS … 1. */
  readonly codes: Uint8Array;
}

/** Linear light, 0 to 1, of a code 0 to 1. */
export type LightCurve = (code: number) => number;

/** Rows of a piece, at least one. */
const pieceRows = (width: number) => Math.max(1, Math.floor(PIECE_BYTES / 4 / width));

/**
 * In the order of allocation: codes; then for 8 bits the tables, for 16 bits pixels, samples, matrix, curves.
 */
function sizesOf(width: number, curves16: number): number[] {
  if (curves16 === 0) return [LIGHT_STEPS + 1, 3 * CHANNEL_TABLE_BYTES];
  // As many for narrow rows, so that all bands of a rotation hold the same, including the last and narrowest.
  const pixels = Math.max(PIECE_BYTES / 4, width);
  const tables = new Array<number>(curves16).fill(CODES_16 * 4);
  return [LIGHT_STEPS + 1, pixels * 4, pixels * 8, 48, ...tables];
}

/** The most bytes that a converter reserves in the core of its rows. */
export const matrixConverterBytes = (width: number, is16Bit: boolean): number =>
  scratchBytes(sizesOf(width, is16Bit ? 3 : 0));

/** Converts the rows of one raster: those of 8 bits in place, those of 16 bits into rows of 8 bits. */
export class MatrixConverter implements Disposable {
  readonly #scratch: Scratch;
  readonly #core: Core;
  readonly #codes: number;
  readonly #pixels: number;
  readonly #samples16: number;
  readonly #tables: readonly number[];
  readonly #columns: number;

  /** The most rows that one call takes. */
  readonly pieceRows: number;

  /**
   * @param core that the rows lie in
   * @param is16Bit the samples will have 16 bits, otherwise 8
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(core: Core, width: number, colour: MatrixColour, is16Bit: boolean) {
    const curves = [...new Set(colour.curves)];
    this.#scratch = new Scratch(core, sizesOf(width, is16Bit ? curves.length : 0));
    this.#core = core;
    const { places } = this.#scratch;
    this.pieceRows = pieceRows(width);
    this.#codes = places[0]!;
    this.#core.view(this.#codes, LIGHT_STEPS + 1).set(colour.codes);
    const { buffer } = this.#core.exports.memory;
    if (is16Bit) {
      this.#pixels = places[1]!;
      this.#samples16 = places[2]!;
      this.#columns = places[3]!;
      fillColumns(new Float32Array(buffer, this.#columns, 12), colour.matrix);
      const tables = places.slice(4);
      curves.forEach((curve, index) => {
        fillTable16(new Float32Array(buffer, tables[index]!, CODES_16), curve);
      });
      this.#tables = colour.curves.map((curve) => tables[curves.indexOf(curve)]!);
    } else {
      this.#pixels = 0;
      this.#samples16 = 0;
      this.#columns = 0;
      this.#tables = [places[1]!];
      fillTables(new Int32Array(buffer, places[1]!, (3 * CHANNEL_TABLE_BYTES) / 4), colour);
    }
  }

  /**
   * Converts up to `pieceRows` rows of RGBA, of as many bits as the converter was made for. The result is
   * valid until the next call.
   */
  convert(samples: Uint8Array | Uint16Array): Uint8Array {
    return samples instanceof Uint16Array ? this.#convert16(samples) : this.#convert(samples);
  }

  /** Frees the memory, including what `convert` returned for 16-bit samples. */
  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }

  #convert(pixels: Uint8Array): Uint8Array {
    const at = addressOf(this.#core, pixels);
    this.#core.exports.colourPixels(at, pixels.length >>> 2, this.#tables[0]!, this.#codes);
    return pixels;
  }

  #convert16(samples: Uint16Array): Uint8Array {
    const { exports } = this.#core;
    new Uint16Array(exports.memory.buffer, this.#samples16, samples.length).set(samples);
    const [red, green, blue] = this.#tables as [number, number, number];
    const count = samples.length >>> 2;
    exports.colourPixels16(
      this.#samples16,
      this.#pixels,
      count,
      red,
      green,
      blue,
      this.#columns,
      this.#codes,
    );
    return this.#core.view(this.#pixels, count * 4);
  }
}

const bound = (light: number) => (light > 0 ? Math.min(1, light) : 0);

function fillTables(tables: Int32Array, { curves, matrix }: MatrixColour): void {
  for (let channel = 0; channel < 3; channel++) {
    for (let code = 0; code < 256; code++) {
      const light = bound(curves[channel]!(code / 255));
      const at = (channel * 256 + code) * 4;
      for (let result = 0; result < 3; result++) {
        const factor = Math.max(-MAX_LIGHT, Math.min(MAX_LIGHT, matrix[result * 3 + channel]!));
        // The half for rounding is added once, with red.
        const half = channel === 0 ? FRACTION / 2 : 0;
        tables[at + result] = Math.round(light * factor * LIGHT_STEPS * FRACTION) + half;
      }
    }
  }
}

function fillColumns(columns: Float32Array, matrix: readonly number[]): void {
  for (let channel = 0; channel < 3; channel++) {
    for (let result = 0; result < 3; result++) {
      columns[channel * 4 + result] = matrix[result * 3 + channel]! * LIGHT_STEPS;
    }
  }
}

function fillTable16(table: Float32Array, curve: LightCurve): void {
  for (let code = 0; code < CODES_16; code++) table[code] = bound(curve(code / 65_535));
}
