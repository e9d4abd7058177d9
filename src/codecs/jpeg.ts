import { type Core, createCore, residenceOf } from '../../wasm/core.ts';
import { type JpegColour, JpegFile, type JpegScale } from '../../wasm/jpeg_decode.ts';
import { limitFault } from '../faults.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { Decoder, Raster, Strip, Want } from './types.ts';

export interface JpegOptions extends Want {
  /** What three components mean; TIFF's photometric interpretation says it for the JPEG data inside. Default: the markers. */
  readonly colour?: JpegColour;
  /** A core to decode in, for many small files one after the other; by default one is made and dropped with the raster. */
  readonly core?: Core;
}

/**
 * Opens a JPEG file (ITU-T T.81 baseline, extended sequential or progressive with 8 bits a sample) as rows. Bytes that live
 * in a core (`allocResident`) are read where they are; others are copied into one, once.
 * Shares one decoder between the raster and those made by its `columns`: only one of them can be read at a time.
 * @throws Fault 'decoding' | 'unsupported' | 'limit'
 */
export function openJpeg(bytes: Uint8Array, options: JpegOptions = {}): Raster & Disposable {
  const residence = residenceOf(bytes);
  const core = residence?.core ?? options.core ?? createCore();
  const start = core.exports.mark();
  const at = residence?.at ?? copyInto(core, bytes);
  const file = new JpegFile(core, at, residence?.length ?? bytes.length, options.colour);
  const { width, height } = file.reserve(scaleFor(file.width, options.minWidth));
  const end = core.exports.mark();
  const grey = file.components === 1;
  return {
    ...columnsOf(file, 0, width, height, grey),
    columns: (x, count) => columnsOf(file, x, count, height, grey),
    [Symbol.dispose]() {
      // Memory reserved by others after this raster was opened must stay.
      if (core.exports.mark() === end) core.exports.release(start);
    },
  };
}

function copyInto(core: Core, bytes: Uint8Array): number {
  try {
    const at = core.alloc(bytes.length);
    core.view(at, bytes.length).set(bytes);
    return at;
  } catch (error) {
    if (error instanceof RangeError) throw limitFault('There is no memory left to read this JPEG');
    throw error;
  }
}

/** The largest factor that leaves at least `minWidth` columns; full size where nothing is said. */
function scaleFor(width: number, minWidth: number | undefined): JpegScale {
  if (minWidth === undefined) return 1;
  const scales: readonly JpegScale[] = [8, 4, 2];
  return scales.find((scale) => Math.ceil(width / scale) >= minWidth) ?? 1;
}

function columnsOf(file: JpegFile, x: number, width: number, height: number, grey: boolean): Raster {
  return {
    width,
    height,
    opaque: true,
    grey,
    strips: (): Iterable<Strip> => file.rows(x, width),
  };
}

/** JPEG by rows in the image core. */
export const jpegDecoder: Decoder = {
  format: 'jpeg',
  cost: (facts, want) => jpegDecodeCost(facts, want),
  open: async (bytes, _facts, want) => openJpeg(bytes, want),
};

function jpegDecodeCost(facts: FileFacts, _want: Want): number {
  return facts.width * 200;
}
