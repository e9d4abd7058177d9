import { addressIn, type Core, noCoreMemory } from './instance.ts';

/** What wasm/assembly/webp/vp8_encode exports. Addresses and sizes in bytes unless said otherwise. */
export interface WebpEncodeExports {
  webpEncodeBytes(width: number, height: number): number;
  webpEncodeFrameLimit(width: number, height: number): number;
  /** @returns the encoder, 0 when the memory cannot grow */
  webpEncodeBegin(width: number, height: number, quality: number): number;
  webpEncodeInput(encoder: number): number;
  webpEncodeInputRows(encoder: number): number;
  webpEncodePush(encoder: number, at: number, rows: number): void;
  webpEncodeSecond(encoder: number): void;
  /** @returns the length of webpEncodeFrame */
  webpEncodeFinish(encoder: number): number;
  webpEncodeFrame(encoder: number): number;
}

export interface WebpEncodeOptions {
  /** 1 to 16383; at most 52 megapixels in all. */
  readonly width: number;
  readonly height: number;
  /** 0 to 100, as libwebp understands it. */
  readonly quality: number;
}

/**
 * One lossy WebP picture being written (RFC 6386 and RFC 9649), from two readings of its pixels: `push` all
 * rows, `startWriting`, `push` all rows again, `finish`. Its coefficients go to the core's sink in pieces; what
 * stands before them in the file is known at the end only. All its memory is reserved at the beginning and
 * freed with the region it was begun in: rows that lie in the same core are read where they are. Alpha is not
 * looked at.
 */
export class WebpWriter {
  readonly #core: Core;
  readonly #encoder: number;
  readonly #input: number;
  readonly #inputRows: number;
  readonly #stride: number;

  /** @throws Fault 'limit' when the core's memory cannot grow that far */
  constructor(core: Core, { width, height, quality }: WebpEncodeOptions) {
    const { exports } = core;
    this.#core = core;
    this.#encoder = exports.webpEncodeBegin(width, height, quality) >>> 0;
    if (this.#encoder === 0) throw noCoreMemory();
    this.#input = exports.webpEncodeInput(this.#encoder) >>> 0;
    this.#inputRows = exports.webpEncodeInputRows(this.#encoder);
    this.#stride = width * 4;
  }

  /**
   * Takes the next rows of a reading, RGBA.
   * @throws whatever the sink throws
   */
  push(pixels: Uint8Array, rows: number): void {
    // A view is empty once its memory has grown: nothing may be read in its place.
    if (pixels.length < rows * this.#stride) throw new Error(`${rows} rows were promised but are not there`);
    const { exports } = this.#core;
    for (let done = 0; done < rows; ) {
      const count = Math.min(this.#inputRows, rows - done);
      const from = done * this.#stride;
      const at = addressIn(this.#core, pixels.subarray(from, from + count * this.#stride), this.#input);
      exports.webpEncodePush(this.#encoder, at, count);
      done += count;
    }
  }

  /** Ends the first reading, all of whose rows must have been pushed, and starts the second. */
  startWriting(): void {
    this.#core.exports.webpEncodeSecond(this.#encoder);
  }

  /**
   * Ends the picture, all of whose rows must have been pushed twice.
   * @returns the frame's beginning, which stands before all that the sink took; a view of the core's memory
   * @throws whatever the sink throws
   */
  finish(): Uint8Array<ArrayBuffer> {
    const { exports } = this.#core;
    const length = exports.webpEncodeFinish(this.#encoder) >>> 0;
    return this.#core.view(exports.webpEncodeFrame(this.#encoder) >>> 0, length);
  }
}

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const EXTENDED_BYTES = 10;
const ALPHA_FLAG = 0x10;

/**
 * The most bytes that stand before a picture's coefficients in its file: what to keep free for them.
 * @param alphaBytes length of the chunk ALPH's payload, if there is one
 */
export function webpHeadLimit(core: Core, width: number, height: number, alphaBytes = 0): number {
  const container = HEADER_BYTES + CHUNK_HEADER_BYTES + (alphaBytes > 0 ? alphaPartBytes(alphaBytes) : 0);
  return container + (core.exports.webpEncodeFrameLimit(width, height) >>> 0);
}

/** VP8X and ALPH. */
const alphaPartBytes = (alphaBytes: number) =>
  2 * CHUNK_HEADER_BYTES + EXTENDED_BYTES + alphaBytes + (alphaBytes & 1);

/**
 * The container of a lossy picture (RFC 9649 section 2): what stands before its frame. Where the frame's length
 * is odd, one zero byte follows it.
 * @param frameBytes of the frame in all, coefficients included
 * @param alpha payload of the chunk ALPH; without it there is neither that nor VP8X
 */
export function webpHead(
  width: number,
  height: number,
  frameBytes: number,
  alpha?: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const alphaPart = alpha ? alphaPartBytes(alpha.length) : 0;
  const head = new Uint8Array(HEADER_BYTES + alphaPart + CHUNK_HEADER_BYTES);
  const view = new DataView(head.buffer);
  const name = (at: number, text: string) => head.set(new TextEncoder().encode(text), at);
  name(0, 'RIFF');
  view.setUint32(4, head.length - CHUNK_HEADER_BYTES + frameBytes + (frameBytes & 1), true);
  name(8, 'WEBP');
  if (alpha) {
    name(12, 'VP8X');
    view.setUint32(16, EXTENDED_BYTES, true);
    head[20] = ALPHA_FLAG;
    view.setUint16(24, width - 1, true);
    view.setUint16(27, height - 1, true);
    name(30, 'ALPH');
    view.setUint32(34, alpha.length, true);
    head.set(alpha, 38);
  }
  name(head.length - 8, 'VP8 ');
  view.setUint32(head.length - 4, frameBytes, true);
  return head;
}
