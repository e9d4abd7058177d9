import { type Core, createCore } from '../../core/instance.ts';
import { type JpegColour, JpegFile } from '../../core/jpeg/decode.ts';
import { bytesOf, type ImageFile } from '../../memory/image_file.ts';
import { CoreBytes } from '../../memory/owned_bytes.ts';
import { inTurns, uninterrupted } from '../../scheduling/time_slice.ts';
import { mapStrips, rowsBetween } from '../../strips.ts';
import type { DecodedRaster, Decoder, Raster, Size, Strip, Want, Work } from '../types.ts';
import { eighthsFor, jpegDecodeCost } from './cost.ts';
import { offerComponents, offerSamples } from './planes.ts';
import { storedComponents, storedSamples } from './stored_samples.ts';

interface JpegOptions extends Want {
  /**
   * What three components mean; for JPEG data inside a TIFF, its photometric interpretation says so. Default:
   * the markers.
   */
  readonly colour?: JpegColour;
  /**
   * Bands of columns or rows will be read one after the other, as in rotation: checkpoints make that faster,
   * for up to 512 KB.
   */
  readonly checkpoints?: boolean;
  /**
   * A core to decode in, for many small files one after the other. Default: one is made, and dropped with the
   * raster.
   */
  readonly core?: Core;
}

/**
 * Opens a JPEG file (ITU-T T.81 baseline, extended sequential or progressive with 8 bits a sample) as rows;
 * yields work on the way. A file that lies in a core is read in place; others are copied into one, once.
 *
 * Pixels equal libjpeg-turbo's at its defaults (accurate integer IDCT, triangle upsampling). CMYK and YCCK
 * become RGB by R = C' × K' / 255, where C' and K' are the light that each ink lets through; for a profile,
 * `cmyk` has them unchanged.
 *
 * The raster and those made by its `columns` share one decoder: starting to read one ends a read of another.
 * @throws Fault 'decoding' | 'unsupported' | 'limit'
 */
export function* openingJpeg(
  file: ImageFile,
  options: JpegOptions = {},
): Generator<Work, DecodedRaster, void> {
  if (file instanceof CoreBytes) return yield* openingIn(file.core, file.at, file.length, options);
  const bytes = bytesOf(file);
  if (options.core) return yield* openingCopy(options.core, bytes, options);
  const core = createCore(bytes.length + (options.reserveBytes ?? 0));
  try {
    const raster = yield* openingCopy(core, bytes, options);
    raster[Symbol.dispose] = () => core[Symbol.dispose]();
    return raster;
  } catch (error) {
    core[Symbol.dispose]();
    throw error;
  }
}

/** Disposing of the raster also frees the copy, unless memory was reserved after it. */
function openingCopy(core: Core, bytes: Uint8Array, options: JpegOptions) {
  const start = core.exports.mark();
  const at = core.alloc(bytes.length);
  core.view(at, bytes.length).set(bytes);
  return openingIn(core, at, bytes.length, options, start);
}

function* openingIn(
  core: Core,
  at: number,
  length: number,
  options: JpegOptions,
  start = core.exports.mark(),
): Generator<Work, DecodedRaster, void> {
  const file = yield* JpegFile.opening(core, at, length, options.colour);
  const eighths = eighthsFor(file.width, options);
  const { checkpoints, forResizing, componentsOnly } = options;
  const { width, height } = file.reserve(eighths, checkpoints, forResizing, componentsOnly);
  const end = core.exports.mark();
  const raster = {
    ...columnsOf(file, 0, width, height),
    ...(file.colour === 'cmyk' && { cmyk: columnsOf(file, 0, width, height, true) }),
    [Symbol.dispose]() {
      // Memory reserved by others after this raster was opened must stay.
      if (!core.disposed && core.exports.mark() === end) core.exports.release(start);
    },
  };
  const samples = storedSamples(file, width, height);
  if (samples) offerSamples(raster, samples);
  const components = storedComponents(file);
  if (components) offerComponents(raster, components);
  return raster;
}

/** The columns [x, x + width) of the file at its scale, as RGBA or as CMYK. */
function columnsOf(file: JpegFile, x: number, width: number, height: number, cmyk = false): Raster {
  const isWhole = x === 0 && width === file.outputWidth;
  return {
    width,
    height,
    opaque: !cmyk,
    grey: file.components === 1,
    core: file.core,
    strips: () => scaledStrips(file, x, width, cmyk),
    columns(from, count) {
      requireInside('Columns', from, count, width);
      return columnsOf(file, x + from, count, height, cmyk);
    },
    ...(isWhole && {
      rows(from: number, count: number) {
        requireInside('Rows', from, count, height);
        return rowsOf(file, from, { width, height: count }, from + count === height, cmyk);
      },
    }),
  };
}

/** Entropy decoding is about half of the work on a pixel, and all of it on a pixel that is skipped. */
const ENTROPY_SHARE = 0.5;

function* scaledStrips(file: JpegFile, x: number, width: number, cmyk: boolean): Generator<Strip | Work> {
  // Until it is known where bands begin in the data, all columns beside this band are skipped.
  const passed = file.isIndexed ? 0 : file.outputWidth - width;
  yield* mapStrips(file.rows(x, width, cmyk), function* (strip: Strip) {
    yield strip;
    if (passed > 0) yield strip.rows * passed * ENTROPY_SHARE;
  });
}

/** The rows [y, y + height) of the file at its scale; with the last of them it is read to its end. */
function rowsOf(
  file: JpegFile,
  y: number,
  { width, height }: Size,
  withLast: boolean,
  cmyk: boolean,
): Raster {
  return {
    width,
    height,
    opaque: !cmyk,
    grey: file.components === 1,
    core: file.core,
    strips: () => rowsBetween(file.rows(0, width, cmyk, y), width, y, y + height, withLast),
  };
}

function requireInside(what: string, from: number, count: number, size: number): void {
  const inside = Number.isInteger(from) && Number.isInteger(count) && from >= 0 && count >= 1;
  if (!inside || from + count > size) {
    throw new RangeError(`${what} ${from} to ${from + count} of an image of ${size}`);
  }
}

/** JPEG by rows in the image core. */
export const jpegDecoder: Decoder = {
  format: 'jpeg',
  reading: {
    pixelTime: 4,
    times: ({ progressive }) => (progressive ? { pixel: 4, byte: 16 } : { pixel: 1.5, byte: 6 }),
    denseFrom: 1.6,
    pixelWork: () => 0.5,
    // Checkpoints are kept, so that bands of a turned picture do not start over.
    cheapBands: true,
    steady: true,
    halvesChroma({ jpeg }) {
      const [luma, ...others] = jpeg?.sampling ?? [];
      return (
        luma !== undefined &&
        others.length === 2 &&
        others.every(([across, down]) => across * 2 <= luma[0] && down * 2 <= luma[1])
      );
    },
    surelyOpaque: ({ colour }) => colour === 'ycbcr' || colour === 'grey',
  },
  cost: jpegDecodeCost,
  open(file, facts, want, slice = uninterrupted) {
    if (file instanceof CoreBytes && want.reserveBytes !== undefined) {
      const { inCores } = jpegDecodeCost(facts, want);
      file.moveToRoomier(file.length + inCores + want.reserveBytes);
    }
    return inTurns(openingJpeg(file, { ...want, checkpoints: facts.orientation >= 3 }), slice);
  },
};
