import type { OutputBuffer } from '../../memory/output_buffer.ts';
import { RIFF_HEADER_BYTES } from '../../metadata/webp/riff.ts';
import type { Size } from '../types.ts';

const CHUNK_HEADER_BYTES = 8;
/** VP8X: flags and reserved bits, then width − 1 and height − 1 in 24 bits each (RFC 9649 section 2.7). */
const EXTENDED_BYTES = 10;
const ALPHA_FLAG = 0x10;

const padded = (length: number) => length + (length & 1);

/**
 * The chunks of a lossy WebP (RFC 9649 section 2) while they are written: VP8X and ALPH if there is alpha,
 * then VP8. A frame's first partition precedes its coefficients but is known only after them, so it is
 * inserted at the end. Nothing else is in the file.
 */
export class WrittenFile {
  readonly #output: OutputBuffer;
  readonly #size: Size;
  readonly #alphaBytes: number;
  /** Where the next piece of alpha goes. */
  #alphaAt: number;
  readonly #frameAt: number;

  /**
   * @param alphaBytes the exact length of the alpha to come; 0 if there is none
   * @throws whatever `output` throws; so do all methods
   */
  constructor(output: OutputBuffer, size: Size, alphaBytes: number) {
    this.#output = output;
    this.#size = size;
    this.#alphaBytes = alphaBytes;
    const start = output.leave(containerBytes(alphaBytes));
    this.#frameAt = output.length;
    this.#alphaAt = start + RIFF_HEADER_BYTES + 2 * CHUNK_HEADER_BYTES + EXTENDED_BYTES;
  }

  /** Takes a piece of the alpha. */
  readonly alpha = (piece: Uint8Array): void => {
    this.#output.replace(this.#alphaAt, this.#alphaAt + piece.length, piece);
    this.#alphaAt += piece.length;
  };

  /** Takes a piece of the frame after its beginning. */
  readonly frame = (piece: Uint8Array): void => this.#output.append(piece);

  /** @param beginning of the frame: its header and first partition */
  finish(beginning: Uint8Array): void {
    const output = this.#output;
    output.insert(this.#frameAt, beginning);
    const frameBytes = output.length - this.#frameAt;
    if (frameBytes & 1) output.append(new Uint8Array(1));
    const { width, height } = this.#size;
    const put = (at: number, bytes: Uint8Array) => output.replace(at, at + bytes.length, bytes);
    put(0, chunkHeader('RIFF', output.length - CHUNK_HEADER_BYTES));
    put(CHUNK_HEADER_BYTES, fourCc('WEBP'));
    put(this.#frameAt - CHUNK_HEADER_BYTES, chunkHeader('VP8 ', frameBytes));
    if (this.#alphaBytes === 0) return;
    put(RIFF_HEADER_BYTES, chunkHeader('VP8X', EXTENDED_BYTES));
    put(RIFF_HEADER_BYTES + CHUNK_HEADER_BYTES, extendedHeader(width, height));
    put(RIFF_HEADER_BYTES + CHUNK_HEADER_BYTES + EXTENDED_BYTES, chunkHeader('ALPH', this.#alphaBytes));
    if (this.#alphaBytes & 1) put(this.#frameAt - CHUNK_HEADER_BYTES - 1, new Uint8Array(1));
  }
}

/** Bytes before the frame. */
export function containerBytes(alphaBytes: number): number {
  const alpha = alphaBytes > 0 ? 2 * CHUNK_HEADER_BYTES + EXTENDED_BYTES + padded(alphaBytes) : 0;
  return RIFF_HEADER_BYTES + alpha + CHUNK_HEADER_BYTES;
}

const fourCc = (name: string) => new TextEncoder().encode(name);

function chunkHeader(name: string, length: number): Uint8Array {
  const header = new Uint8Array(CHUNK_HEADER_BYTES);
  header.set(fourCc(name));
  new DataView(header.buffer).setUint32(4, length, true);
  return header;
}

function extendedHeader(width: number, height: number): Uint8Array {
  const header = new Uint8Array(EXTENDED_BYTES);
  const view = new DataView(header.buffer);
  header[0] = ALPHA_FLAG;
  // The upper bytes are 0: edges have at most 14 bits.
  view.setUint16(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  return header;
}
