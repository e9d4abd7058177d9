import {
  SAMPLING_FULL,
  SAMPLING_GREY,
  SAMPLING_HALVED,
  STATUS_OK,
  STATUS_WANTS_FULL_CHROMA,
} from '../../../wasm/assembly/jpeg/encode/constants.ts';
import { addressOf, type Core, noCoreMemory } from '../instance.ts';

/** Components and chroma sampling. */
export const JpegSampling = {
  grey: SAMPLING_GREY,
  /** 4:4:4 */
  full: SAMPLING_FULL,
  /** 4:2:0 */
  halved: SAMPLING_HALVED,
} as const;
export type JpegSampling = (typeof JpegSampling)[keyof typeof JpegSampling];

/** The result of a call. */
export const JpegEncodeStatus = {
  ok: STATUS_OK,
  wantsFullChroma: STATUS_WANTS_FULL_CHROMA,
} as const;
export type JpegEncodeStatus = (typeof JpegEncodeStatus)[keyof typeof JpegEncodeStatus];

/**
 * The most bytes of tokens that are kept before the Huffman tables are made. This holds all tokens of a
 * photograph of 12 megapixels at quality 80, and two thirds at 92, where twice as much would make the file
 * 0.2 % shorter.
 */
export const TOKEN_BUDGET = 4 << 20;

/** Bytes of tokens that are written between two turns: about 3 ms. */
export const TOKENS_AT_ONCE = 1 << 20;

export interface JpegEncodeOptions {
  readonly width: number;
  readonly height: number;
  readonly sampling: JpegSampling;
  /** 1 to 100 */
  readonly quality: number;
  /** Sharp quads (wasm/assembly/jpeg/encode/downsample.ts) allowed under `halved`; -1 for any number. */
  readonly sharpLimit: number;
  /** From this difference of Cb or Cr within a quad on, the quad is sharp, 1 to 255. */
  readonly sharpEdge: number;
  /** Memory for tokens until their Huffman tables are made. */
  readonly tokenBytes: number;
}

/** A view is empty once its memory has grown. */
const missingSamples = (rows: number) => new Error(`${rows} rows of samples were promised but are not there`);

/** Rows of one component's samples. */
export interface SamplePlane {
  readonly samples: Uint8Array;
  /** Bytes from row to row. */
  readonly stride: number;
}

/**
 * A JPEG while it is written. The file goes to the core's sink in pieces, the last by `finish`. All memory is
 * reserved at the beginning, and freed with the region that was open then, so that nothing moves while rows
 * are pushed. Rows and samples lie in the same core and are read in place.
 */
export class JpegWriter {
  readonly #core: Core;
  readonly #encoder: number;
  readonly #stride: number;
  readonly #width: number;
  readonly sampling: JpegSampling;

  /** @throws Fault 'limit' when the core's memory cannot grow that far */
  constructor(core: Core, options: JpegEncodeOptions) {
    const { width, height, sampling, quality, sharpLimit, sharpEdge, tokenBytes } = options;
    const { exports } = core;
    this.#core = core;
    this.#encoder =
      exports.jpegEncodeBegin(width, height, sampling, quality, sharpLimit, sharpEdge, tokenBytes) >>> 0;
    if (this.#encoder === 0) throw noCoreMemory();
    this.#stride = width * 4;
    this.#width = width;
    this.sampling = sampling;
  }

  /**
   * Takes the next rows, RGBA.
   * @param pixels changed if they are flattened
   * @param flatten lay them over white
   * @returns the first status that is not ok; nothing may be pushed after it
   * @throws whatever the sink throws
   */
  push(pixels: Uint8Array, rows: number, flatten: boolean): JpegEncodeStatus {
    // A view is empty once its memory has grown.
    if (pixels.length < rows * this.#stride) throw new Error(`${rows} rows were promised but are not there`);
    const at = addressOf(this.#core, pixels);
    return this.#core.exports.jpegEncodePush(this.#encoder, at, rows, flatten ? 1 : 0) as JpegEncodeStatus;
  }

  /**
   * Takes the next MCU row as samples instead of pixels: 8 rows of luma, 16 if chroma is halved; fewer only
   * at the image's end. Samples beyond the image's right and lower edges are not used but overwritten: there
   * must be memory for whole MCUs.
   * @param planes one for each component, rows `stride` bytes apart
   * @returns as `push`
   */
  pushPlanes(rows: number, planes: readonly SamplePlane[]): JpegEncodeStatus {
    const { exports } = this.#core;
    const halved = this.sampling === JpegSampling.halved;
    planes.forEach(({ samples, stride }, component) => {
      const count = component > 0 && halved ? (rows + 1) >> 1 : rows;
      const width = component > 0 && halved ? (this.#width + 1) >> 1 : this.#width;
      if (samples.length < (count - 1) * stride + width) {
        throw missingSamples(count);
      }
      exports.jpegEncodeReadPlane(this.#encoder, component, addressOf(this.#core, samples), stride);
    });
    return exports.jpegEncodePlanes(this.#encoder, rows) as JpegEncodeStatus;
  }

  /**
   * Takes the next rows, whose chroma has as many samples as luma; halves it as that of pixels.
   * @param planes luma, Cb and Cr, of the same stride
   * @returns as `push`
   */
  pushWhole(rows: number, planes: readonly SamplePlane[]): JpegEncodeStatus {
    const stride = planes[0]!.stride;
    const [luma, blue, red] = planes.map(({ samples }) => {
      if (samples.length < (rows - 1) * stride + this.#width) throw missingSamples(rows);
      return addressOf(this.#core, samples);
    }) as [number, number, number];
    const { exports } = this.#core;
    return exports.jpegEncodeWhole(this.#encoder, rows, luma, blue, red, stride) as JpegEncodeStatus;
  }

  /**
   * Writes `TOKENS_AT_ONCE` bytes of the kept tokens if the next rows will hardly fit beside them. Rows may
   * be pushed even while tokens remain, but that writes all of them at once, which takes long.
   * @param rows that will be pushed next; 0 when all have been, before `finish`
   * @returns bytes of tokens still to be written
   * @throws whatever the sink throws
   */
  writeTokens(rows: number): number {
    return this.#core.exports.jpegEncodeWriteTokens(this.#encoder, rows, TOKENS_AT_ONCE) >>> 0;
  }

  /** Ends the image; all its rows must have been pushed. @throws whatever the sink throws */
  finish(): JpegEncodeStatus {
    return this.#core.exports.jpegEncodeFinish(this.#encoder) as JpegEncodeStatus;
  }
}
