import type { OutputBuffer } from '../../memory/output_buffer.ts';
import { PNG_SIGNATURE } from '../../metadata/png/chunks.ts';
import { crc32 } from '../../metadata/png/crc.ts';
import type { Size } from '../types.ts';
import { ColourType } from './header.ts';
import type { IndexMeaning } from './indices.ts';
import type { Layout } from './layout.ts';
import { MAX_PALETTE_BYTES, paletteChunks } from './palette.ts';

/**
 * Writes the chunks of a PNG: IHDR; PLTE and tRNS if the pixels are indices; IDAT; IEND. The palette precedes
 * the image data but is known only after it, so space is left for it. IHDR is rewritten then as well: indices
 * that are all levels of grey become grey samples.
 */
export class WrittenFile {
  readonly #output: OutputBuffer;
  readonly #size: Size;
  readonly #depth: number;
  readonly #headerAt: number;
  readonly #paletteAt: number;

  /** @throws whatever `output` throws; so do all methods */
  constructor(output: OutputBuffer, size: Size, layout: Layout, depth: number) {
    this.#output = output;
    this.#size = size;
    this.#depth = depth;
    this.#headerAt = PNG_SIGNATURE.length;
    output.append(PNG_SIGNATURE);
    this.#append('IHDR', imageHeader(size, layout, depth));
    this.#paletteAt = output.length;
    if (layout === 'indexed') output.append(new Uint8Array(MAX_PALETTE_BYTES));
  }

  /** Takes a piece of the deflated image data. */
  data(piece: Uint8Array): void {
    this.#append('IDAT', piece);
  }

  /** @param indices their meaning, if the pixels are indices */
  finish(indices?: IndexMeaning): void {
    this.#append('IEND', new Uint8Array(0));
    if (!indices) return;
    const { grey, palette } = indices;
    const { colours, alphas } = paletteChunks(grey ? new Uint8Array(0) : palette);
    const joined = [
      ...chunk('IHDR', imageHeader(this.#size, grey ? 1 : 'indexed', this.#depth)),
      ...(grey ? [] : chunk('PLTE', colours)),
      ...(alphas.length > 0 ? chunk('tRNS', alphas) : []),
    ];
    const head = new Uint8Array(joined.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of joined) {
      head.set(part, at);
      at += part.length;
    }
    this.#output.replace(this.#headerAt, this.#paletteAt + MAX_PALETTE_BYTES, head);
  }

  #append(type: string, data: Uint8Array): void {
    for (const part of chunk(type, data)) this.#output.append(part);
  }
}

function* chunk(type: string, data: Uint8Array): Generator<Uint8Array> {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, data.length);
  head.set(new TextEncoder().encode(type), 4);
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, crc32(data, 0, data.length, crc32(head, 4)));
  yield head;
  yield data;
  yield tail;
}

/** Colour types by layout (ISO/IEC 15948 section 11.2.2); alpha is bit 2. */
const COLOUR_TYPES: Readonly<Record<Layout, number>> = {
  indexed: ColourType.palette,
  1: ColourType.grey,
  2: ColourType.grey | 4,
  3: ColourType.rgb,
  4: ColourType.rgb | 4,
};

function imageHeader({ width, height }: Size, layout: Layout, depth: number): Uint8Array {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Compression, filter and interlace methods are 0.
  data.set([depth, COLOUR_TYPES[layout]], 8);
  return data;
}
