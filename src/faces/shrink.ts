import type { Size } from '../codecs/types.ts';
import { type ArraySource, arraysCost, ownArrays } from './bump_allocator.ts';

/** Takes one finished row of interleaved RGB; the row is reused after. */
export type RowSink = (row: Uint8Array, y: number) => void;

/**
 * Shrinks a picture that comes row by row, by area averaging: every target pixel is the mean of the source
 * area it covers, pixels cut by its border counted by their share. Holds two rows of sums, never the picture.
 * At equal size the picture passes unchanged. Rows are interleaved with 3 channels, or 4 of which the last is
 * alpha: then the picture is composed over white, as for JPEG output, so that hidden colours are not
 * detected.
 */
export class Shrinker {
  readonly #source: Size;
  readonly #target: Size;
  readonly #channels: 3 | 4;
  readonly #sink: RowSink;
  readonly #sums: Float32Array;
  readonly #across: Float32Array;
  readonly #row: Uint8Array;
  readonly #onWhite: Uint8Array | undefined;
  /** Source columns: the target each begins in, and the share (0 to 1) of it that falls into that target. */
  readonly #targets: Int32Array;
  readonly #shares: Float32Array;
  readonly #perPixel: number;
  #sourceY = 0;
  #targetY = 0;

  /** @param memory that its rows of sums are taken of; absent: arrays of its own */
  constructor(
    source: Size,
    target: Size,
    channels: 3 | 4,
    sink: RowSink,
    opaque = true,
    memory: ArraySource = ownArrays,
  ) {
    this.#source = source;
    this.#target = target;
    this.#channels = channels;
    this.#sink = sink;
    this.#sums = memory.floats(target.width * 3);
    this.#across = memory.floats(target.width * 3);
    this.#row = memory.bytes(target.width * 3);
    this.#onWhite = channels === 4 && !opaque ? memory.bytes(source.width * 4) : undefined;
    this.#targets = memory.integers(source.width);
    this.#shares = memory.floats(source.width);
    for (let x = 0; x < source.width; x++) {
      const target0 = Math.floor((x * target.width) / source.width);
      this.#targets[x] = target0 * 3;
      this.#shares[x] = shareBefore(x, target0, source.width, target.width);
    }
    this.#perPixel = (target.width / source.width) * (target.height / source.height);
  }

  /** Bytes held by a shrinker from one size to another, at most. */
  static cost(source: Size, target: Size): number {
    const [from, to] = [source.width * 4, target.width * 3];
    return arraysCost(to * 4, to * 4, to, from, from, from);
  }

  /** Takes the next source row, found at `at` in `pixels`; hands on the target row it completes, if any. */
  push(pixels: Uint8Array, at: number): void {
    const source = this.#source;
    const target = this.#target;
    const y = this.#sourceY++;
    const row = Math.floor((y * target.height) / source.height);
    const share = shareBefore(y, row, source.height, target.height);
    this.#addAcross(pixels, at);
    this.#addDown(share);
    // A row that reaches the target's lower border completes it; what is left of it begins the next.
    if ((y + 1) * target.height >= (row + 1) * source.height) {
      this.#finishRow();
      if (share < 1) this.#addDown(1 - share);
    }
  }

  #addAcross(pixels: Uint8Array, at: number): void {
    const across = this.#across;
    const targets = this.#targets;
    const shares = this.#shares;
    const step = this.#channels;
    let from = at;
    let data = pixels;
    if (this.#onWhite) {
      layOnWhite(pixels, at, this.#onWhite);
      data = this.#onWhite;
      from = 0;
    }
    across.fill(0);
    let to = 0;
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let x = 0; x < targets.length; x++, from += step) {
      const target = targets[x]!;
      if (target !== to) {
        across[to] = red;
        across[to + 1] = green;
        across[to + 2] = blue;
        red = green = blue = 0;
        to = target;
      }
      const r = data[from]!;
      const g = data[from + 1]!;
      const b = data[from + 2]!;
      const share = shares[x]!;
      if (share === 1) {
        red += r;
        green += g;
        blue += b;
      } else {
        across[to] = red + share * r;
        across[to + 1] = green + share * g;
        across[to + 2] = blue + share * b;
        const rest = 1 - share;
        red = rest * r;
        green = rest * g;
        blue = rest * b;
        to = target + 3;
      }
    }
    across[to] = red;
    across[to + 1] = green;
    across[to + 2] = blue;
  }

  #addDown(share: number): void {
    const sums = this.#sums;
    const across = this.#across;
    for (let i = 0; i < sums.length; i++) sums[i] = sums[i]! + share * across[i]!;
  }

  #finishRow(): void {
    const sums = this.#sums;
    const row = this.#row;
    const perPixel = this.#perPixel;
    for (let i = 0; i < row.length; i++) row[i] = sums[i]! * perPixel + 0.5;
    sums.fill(0);
    this.#sink(row, this.#targetY++);
  }
}

/** Of source pixel `index`, the share that lies before the end of target pixel `target`. */
function shareBefore(index: number, target: number, source: number, targets: number): number {
  return Math.min(1, ((target + 1) * source) / targets - index);
}

/** Alpha composition over white; what is fully transparent becomes white. */
function layOnWhite(pixels: Uint8Array, at: number, out: Uint8Array): void {
  for (let i = 0; i < out.length; i += 4) {
    const alpha = pixels[at + i + 3]!;
    for (let c = 0; c < 3; c++) out[i + c] = 255.5 - ((255 - pixels[at + i + c]!) * alpha) / 255;
  }
}
