import type { Raster, StoredRaster, Strip, Strip16, Work } from '../../codecs/types.ts';
import type { Core } from '../../core/instance.ts';
import { mapStrips } from '../../strips.ts';
import { derive } from '../derive.ts';

/** Converts pieces of rows, four samples a pixel, to RGBA in the core. */
export interface PieceConverter {
  /** Most rows of a piece. */
  readonly pieceRows: number;
  /**
   * The result may lie in the samples' own memory; it is valid until the next call. If a row is long, its
   * work may come in parts.
   */
  convert(samples: Uint8Array | Uint16Array): Uint8Array | Generator<Work, Uint8Array>;
  /** Called after the last piece. */
  [Symbol.dispose]?(): void;
}

/** The form in which a conversion reads a decoded image. */
type StoredForm = '8-bit' | '16-bit' | 'cmyk';

interface ConvertedShape {
  readonly form: StoredForm;
  /** Whether the result is grey. */
  readonly grey: boolean;
  /** A converter for one read of rows of this width; its results lie in this core. */
  open(width: number, core: Core): PieceConverter;
}

/** The image with every pixel converted. */
export function converted(source: StoredRaster, shape: ConvertedShape): Raster {
  const stored = shape.form === 'cmyk' ? source.cmyk! : source;
  return convertedRaster(stored, source.opaque, shape);
}

function convertedRaster(source: StoredRaster, opaque: boolean, shape: ConvertedShape): Raster {
  const { width } = source;
  const read = () => (shape.form === '16-bit' ? source.strips16!() : source.strips());
  const columns =
    source.columns &&
    ((x: number, count: number) => convertedRaster(source.columns!(x, count), opaque, shape));
  const strips = () => convertedStrips(read, width, () => shape.open(width, source.core));
  return derive(source, { opaque, grey: shape.grey, strips, columns });
}

function* convertedStrips(
  read: () => Iterable<Strip | Strip16 | Work>,
  width: number,
  open: () => PieceConverter,
): Generator<Strip | Work> {
  const stride = width * 4;
  const converter = open();
  try {
    yield* mapStrips(read(), function* (strip: Strip | Strip16) {
      const { y, rows } = strip;
      const samples = 'samples' in strip ? strip.samples : strip.pixels;
      for (let row = 0; row < rows; row += converter.pieceRows) {
        const count = Math.min(converter.pieceRows, rows - row);
        const piece = samples.subarray(row * stride, (row + count) * stride);
        const made = converter.convert(piece);
        yield { y: y + row, rows: count, pixels: made instanceof Uint8Array ? made : yield* made };
      }
    });
  } finally {
    converter[Symbol.dispose]?.();
  }
}
