import type { Samples, TableConversion } from './conversion.ts';
import type { PieceConverter } from './converted.ts';
import { openTransform, PIECE_PIXELS, type Transform } from './lcms.ts';

/**
 * Opens the profile in LittleCMS; undefined when that can't use it. Converters of one transform take turns.
 */
export function tableConverters(
  { profile, samples }: TableConversion,
  deep: boolean,
): ((width: number) => PieceConverter) | undefined {
  const transform = openTransform(profile, samples, deep ? 2 : 1);
  return transform && ((width) => new TableConverter(transform, samples, width));
}

class TableConverter implements PieceConverter {
  readonly #transform: Transform;
  readonly #samples: Samples;
  readonly #pixels: Uint8Array;

  readonly pieceRows: number;

  constructor(transform: Transform, samples: Samples, width: number) {
    this.#transform = transform;
    this.#samples = samples;
    this.pieceRows = Math.max(1, Math.floor(PIECE_PIXELS / width));
    this.#pixels = new Uint8Array(this.pieceRows * width * 4);
  }

  convert(samples: Uint8Array | Uint16Array): Uint8Array {
    for (let at = 0; at < samples.length; at += PIECE_PIXELS * 4) {
      const piece = samples.subarray(at, at + PIECE_PIXELS * 4);
      this.#pixels.set(this.#transform.convert(piece), at);
    }
    this.#writeAlpha(samples);
    return this.#pixels.subarray(0, samples.length);
  }

  #writeAlpha(samples: Uint8Array | Uint16Array): void {
    const pixels = this.#pixels;
    const shift = samples instanceof Uint16Array ? 8 : 0;
    if (this.#samples === 'cmyk') for (let at = 3; at < samples.length; at += 4) pixels[at] = 255;
    else for (let at = 3; at < samples.length; at += 4) pixels[at] = samples[at]! >> shift;
  }
}
