import { type Core, createCore } from '../../wasm/core.ts';
import { JpegEncodeStatus, JpegLayout, JpegWriter, TOKEN_BUDGET } from '../../wasm/jpeg_encode.ts';
import { limitFault, OutputRoomFault } from '../faults.ts';
import { encodingBytes, predictedOutputBytes } from './jpeg_encoder_cost.ts';
import { type ChromaSampling, type StoredSamples, samplesOf } from './planes.ts';
import type { Encoder, Raster } from './types.ts';

/** From this quality on chroma is kept whole (4:4:4); below it is halved both ways (4:2:0) where the content bears it. */
export const FULL_CHROMA_QUALITY = 90;

/**
 * Below FULL_CHROMA_QUALITY the content asks for 4:4:4 when more than one in so many quads (2 × 2 pixels whose chroma would be
 * averaged) is sharp: its Cb or its Cr samples differ by 64 or more of 255, counted in both. Text and shapes in saturated
 * colours have 0.3 % and more of such quads, photographs of 12 megapixels none, small sharpened ones up to 0.2 %.
 */
const QUADS_A_SHARP_ONE = 400;

/** T.81 B.2.2: sizes are 16 bits. */
const LARGEST_EDGE = 65_535;

/**
 * Writes baseline JPEG (ITU-T T.81) with a JFIF header (T.871) and nothing else beside the picture: Annex K tables scaled the
 * IJG's way, the accurate integer DCT, Huffman tables optimised for the image. A grey raster becomes one component; alpha is
 * flattened onto white.
 *
 * A raster that offers its stored samples (planes.ts) in the layout that is to be written is read by these: JPEG to JPEG with
 * nothing changed between keeps its YCbCr.
 *
 * The source is read once. Only where it turns out below quality 90 that the content asks for 4:4:4 does reading start again.
 * `bytes` lies in the core's memory and keeps that from others until it is given back (core_bytes.ts): its `buffer` is larger
 * than the file.
 */
export const jpegEncoder: Encoder = {
  format: 'jpeg',
  mediaType: 'image/jpeg',
  extension: 'jpg',

  cost(size, quality) {
    return encodingBytes(size, layoutFor({ grey: false }, quality), predictedOutputBytes(size, quality));
  },

  async encode(source, quality, givenRoom, moreRoom) {
    // All there is, from the start: the core cannot ask, and nobody else runs before it is done.
    const room = moreRoom?.() ?? givenRoom;
    const { width, height } = source;
    if (Math.max(width, height) > LARGEST_EDGE) {
      throw limitFault(
        `Expected at most ${LARGEST_EDGE} pixels along each edge of a JPEG but the image is ${width} × ${height}`,
      );
    }
    const samples = samplesOf(source);
    const expected = this.cost(source, quality);
    const write = (layout: JpegLayout) =>
      inCore(expected, (core) => written(core, source, layout, quality, room));
    if (samples && LAYOUTS[samples.sampling] === layoutFor(source, quality)) {
      const bytes = inCore(expected, (core) => writtenFromSamples(core, source, samples, quality, room));
      return { bytes: bytes! };
    }
    if (source.grey) return { bytes: write(JpegLayout.grey)! };
    if (quality < FULL_CHROMA_QUALITY) {
      const bytes = write(JpegLayout.halved);
      if (bytes) return { bytes };
    }
    return { bytes: write(JpegLayout.full)! };
  },
};

/** Runs in a core of its own, which is given back where no file comes of it. */
function inCore(
  expectedBytes: number,
  write: (core: Core) => Uint8Array<ArrayBuffer> | null,
): Uint8Array<ArrayBuffer> | null {
  const core = createCore(expectedBytes);
  let bytes: Uint8Array<ArrayBuffer> | null = null;
  try {
    bytes = write(core);
  } finally {
    if (!bytes) core[Symbol.dispose]();
  }
  return bytes;
}

const LAYOUTS: Readonly<Record<ChromaSampling, JpegLayout>> = {
  grey: JpegLayout.grey,
  '4:4:4': JpegLayout.full,
  '4:2:0': JpegLayout.halved,
};

/** The layout that content of no sharp colours gets. */
function layoutFor({ grey }: Pick<Raster, 'grey'>, quality: number): JpegLayout {
  if (grey) return JpegLayout.grey;
  return quality < FULL_CHROMA_QUALITY ? JpegLayout.halved : JpegLayout.full;
}

/** The whole file from samples that are laid out as it is: nothing is converted, no chroma is sampled anew. */
function writtenFromSamples(
  core: Core,
  { width, height }: Raster,
  samples: StoredSamples,
  quality: number,
  room: number,
): Uint8Array<ArrayBuffer> {
  const layout = LAYOUTS[samples.sampling];
  const options = { width, height, layout, quality, sharpLimit: -1, tokenBudget: TOKEN_BUDGET, room };
  const writer = new JpegWriter(core, options);
  let y = 0;
  for (const { rows, planes } of samples.bands()) {
    requireOk(writer.pushPlanes(rows, planes), room);
    y += rows;
  }
  requireAll(y, height);
  requireOk(writer.finish(), room);
  return writer.output();
}

/** The whole file, or null when `layout` halves chroma that the content asks to be kept. */
function written(
  core: Core,
  source: Raster,
  layout: JpegLayout,
  quality: number,
  room: number,
): Uint8Array<ArrayBuffer> | null {
  const { width, height, opaque } = source;
  const sharpLimit = layout === JpegLayout.halved ? Math.floor((width * height) / 4 / QUADS_A_SHARP_ONE) : -1;
  const options = { width, height, layout, quality, sharpLimit, tokenBudget: TOKEN_BUDGET, room };
  const writer = new JpegWriter(core, options);
  let y = 0;
  for (const { pixels, rows } of source.strips()) {
    const status = writer.push(pixels, rows, !opaque);
    if (status === JpegEncodeStatus.wantsFullChroma) return null;
    requireOk(status, room);
    y += rows;
  }
  requireAll(y, height);
  const status = writer.finish();
  if (status === JpegEncodeStatus.wantsFullChroma) return null;
  requireOk(status, room);
  return writer.output();
}

function requireOk(status: JpegEncodeStatus, room: number): void {
  if (status === JpegEncodeStatus.noRoom) {
    throw new OutputRoomFault(`The JPEG would be larger than the ${room} bytes there is room for`);
  }
  if (status !== JpegEncodeStatus.ok) throw limitFault('The JPEG needs more memory than there is');
}

/** A raster that ends early would leave a file that seems whole. */
function requireAll(rows: number, height: number): void {
  if (rows !== height) throw new Error(`The raster ended after ${rows} of ${height} rows`);
}
