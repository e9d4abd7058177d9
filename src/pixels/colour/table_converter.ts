import type { Work } from '../../codecs/types.ts';
import { ROW_SLACK } from '../../core/constants.ts';
import type { Core } from '../../core/instance.ts';
import { Scratch } from '../../core/scratch.ts';
import type { Samples, TableConversion } from './conversion.ts';
import type { PieceConverter } from './converted.ts';
import { openingTransform, PIECE_PIXELS, type Transform } from './lcms.ts';

export { loadLcms } from './lcms_instance.ts';

/**
 * Opens the profile in LittleCMS; undefined if LittleCMS can't use it. Yields where so much work follows that
 * others should have a turn before. Uses of one transform's converters must not be interleaved.
 */
export function* tableConverters(
  { profile, samples }: TableConversion,
  is16Bit: boolean,
): Generator<void, ((width: number, core: Core) => PieceConverter) | undefined> {
  const transform = yield* openingTransform(profile, samples, is16Bit ? 2 : 1);
  return transform && ((width, core) => new TableConverter(transform, samples, width, core));
}

class TableConverter implements PieceConverter {
  readonly #transform: Transform;
  readonly #samples: Samples;
  readonly #scratch: Scratch;

  readonly pieceRows: number;

  constructor(transform: Transform, samples: Samples, width: number, core: Core) {
    this.#transform = transform;
    this.#samples = samples;
    this.pieceRows = Math.max(1, Math.floor(PIECE_PIXELS / width));
    this.#scratch = new Scratch(core, [this.pieceRows * width * 4 + ROW_SLACK]);
  }

  *convert(samples: Uint8Array | Uint16Array): Generator<Work, Uint8Array> {
    const { core, places } = this.#scratch;
    const pixels = core.view(places[0]!, samples.length);
    for (let at = 0; at < samples.length; at += PIECE_PIXELS * 4) {
      if (at > 0) yield PIECE_PIXELS;
      const piece = samples.subarray(at, at + PIECE_PIXELS * 4);
      pixels.set(this.#transform.convert(piece), at);
    }
    this.#writeAlpha(samples, pixels);
    return pixels;
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }

  #writeAlpha(samples: Uint8Array | Uint16Array, pixels: Uint8Array): void {
    const shift = samples instanceof Uint16Array ? 8 : 0;
    if (this.#samples === 'cmyk') for (let at = 3; at < samples.length; at += 4) pixels[at] = 255;
    else for (let at = 3; at < samples.length; at += 4) pixels[at] = samples[at]! >> shift;
  }
}
