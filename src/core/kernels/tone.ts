import { CODES_16, LIGHT_STEPS, TONE_STEPS } from '../../../wasm/assembly/colour/constants.ts';
import { addressOf, type Core } from '../instance.ts';
import { Scratch } from '../scratch.ts';
import { scratchBytes } from '../sizes.ts';

/** A tone conversion as numbers; matrices row by row. */
interface ToneColour {
  /** Light of a code 0 to 1, 0 or more. */
  readonly curve: (code: number) => number;
  readonly toSrgb: readonly number[];
  readonly toBt2020: readonly number[];
  /** Luminance of linear BT.2020. */
  readonly luminance: readonly [number, number, number];
  /** Maps light 0 to `peak` to the light shown; everything above the peak is shown as white. */
  readonly toned: (light: number) => number;
  readonly peak: number;
  /** For scene light: the factor that it is multiplied by, from its luminance 0 to 1. */
  readonly sceneGain?: ((luminance: number) => number) | undefined;
  /** The output's code of linear light 0, 1/LIGHT_STEPS … 1. */
  readonly codes: Uint8Array;
}

/**
 * The pixels of a piece, or a row if that is longer: enough for few calls, few enough for the processor's
 * cache.
 */
const PIECE_PIXELS = 32_768;
const COLUMNS_BYTES = 96;

/** In the order of allocation: codes, columns, gains, scene gains, lights; for 16 bits pixels and samples. */
function sizesOf(width: number, is16Bit: boolean): number[] {
  const gains = (TONE_STEPS + 1) * 4;
  const fixed = [LIGHT_STEPS + 1, COLUMNS_BYTES, gains, gains, (is16Bit ? CODES_16 : 256) * 4];
  const pixels = Math.max(PIECE_PIXELS, width);
  return is16Bit ? [...fixed, pixels * 4, pixels * 8] : fixed;
}

/** Bytes that a converter reserves in the core of its rows. */
export const toneConverterBytes = (width: number, is16Bit: boolean): number =>
  scratchBytes(sizesOf(width, is16Bit));

/**
 * Converts the rows of one high dynamic range raster to sRGB: those of 8 bits in place, those of 16 bits into
 * rows of 8 bits.
 */
export class ToneConverter implements Disposable {
  readonly #scratch: Scratch;
  readonly #colour: ToneColour;

  /** The most rows that one call takes. */
  readonly pieceRows: number;

  /**
   * @param core that the rows lie in
   * @param is16Bit the samples will have 16 bits, otherwise 8
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(core: Core, width: number, colour: ToneColour, is16Bit: boolean) {
    this.#scratch = new Scratch(core, sizesOf(width, is16Bit));
    this.#colour = colour;
    this.pieceRows = Math.max(1, Math.floor(PIECE_PIXELS / width));
    const [codes, columns, gains, scene, lights] = this.#scratch.places as [
      number,
      number,
      number,
      number,
      number,
    ];
    const { buffer } = core.exports.memory;
    core.view(codes, LIGHT_STEPS + 1).set(colour.codes);
    fillColumns(new Float32Array(buffer, columns, COLUMNS_BYTES / 4), colour);
    const { toned, peak, sceneGain, curve } = colour;
    const step = peak / TONE_STEPS;
    // Light 0 has the factor of the smallest light: there, curves are straight.
    const gain = (light: number) => toned(light) / light;
    fill(new Float32Array(buffer, gains, TONE_STEPS + 1), (i) => gain(Math.max(1, i) * step));
    if (sceneGain)
      fill(new Float32Array(buffer, scene, TONE_STEPS + 1), (i) => sceneGain((i / TONE_STEPS) ** 2));
    const last = (is16Bit ? CODES_16 : 256) - 1;
    fill(new Float32Array(buffer, lights, last + 1), (code) => Math.max(0, curve(code / last)));
  }

  /**
   * Converts up to `pieceRows` rows of RGBA, of as many bits as the converter was made for. The result is
   * valid until the next call.
   */
  convert(samples: Uint8Array | Uint16Array): Uint8Array {
    const { core, places } = this.#scratch;
    const [codes, columns, gains, scene, lights, pixels, samples16] = places as readonly number[];
    const count = samples.length >>> 2;
    const isWide = samples instanceof Uint16Array;
    if (isWide) new Uint16Array(core.exports.memory.buffer, samples16, samples.length).set(samples);
    const from = isWide ? samples16! : addressOf(core, samples);
    const to = isWide ? pixels! : from;
    const { peak, sceneGain } = this.#colour;
    core.exports.tonePixels(
      from,
      to,
      count,
      isWide ? 1 : 0,
      lights!,
      columns!,
      gains!,
      peak,
      sceneGain ? scene! : 0,
      codes!,
    );
    return isWide ? core.view(to, count * 4) : samples;
  }

  /** Frees the memory, including what `convert` returned for 16-bit samples. */
  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }
}

function fill(table: Float32Array, value: (index: number) => number): void {
  for (let i = 0; i < table.length; i++) table[i] = value(i);
}

/** For each channel of the picture: its part of sRGB in steps, then of BT.2020 and its luminance. */
function fillColumns(columns: Float32Array, { toSrgb, toBt2020, luminance }: ToneColour): void {
  columns.fill(0);
  for (let channel = 0; channel < 3; channel++) {
    for (let result = 0; result < 3; result++) {
      columns[channel * 8 + result] = toSrgb[result * 3 + channel]! * LIGHT_STEPS;
      const wide = toBt2020[result * 3 + channel]!;
      columns[channel * 8 + 4 + result] = wide;
      columns[channel * 8 + 7] = columns[channel * 8 + 7]! + wide * luminance[result]!;
    }
  }
}
