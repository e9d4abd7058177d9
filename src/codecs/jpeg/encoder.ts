import {
  type JpegEncodeOptions,
  JpegEncodeStatus,
  JpegSampling,
  JpegWriter,
  TOKENS_AT_ONCE,
} from '../../core/jpeg/encode.ts';
import { limitFault } from '../../faults.ts';
import { encodeInto, type OutputBuffer } from '../../memory/output_buffer.ts';
import { type TimeSlice, uninterrupted } from '../../scheduling/time_slice.ts';
import { rowsWork } from '../../scheduling/work.ts';
import { paced, pacedStrips } from '../../strips.ts';
import type { Chroma, Encoder, Raster, Size } from '../types.ts';
import { encodingBytes, FULL_CHROMA_QUALITY, predictedOutputBytes, tokenBytes } from './encoder_cost.ts';
import { type ChromaSampling, type StoredSamples, samplesOf } from './planes.ts';

/**
 * Halved chroma becomes whole when more than one in this many quads is sharp. A quad is 2 × 2 pixels whose
 * chroma would be averaged; it is sharp if its Cb or its Cr samples differ by SHARP_EDGE or more of 255, and
 * counts twice if both do. Text and shapes in saturated colours have 0.3 % and more of such quads,
 * photographs of 12 megapixels none, small sharpened ones up to 0.2 %.
 */
const QUADS_PER_SHARP_QUAD = 400;
const SHARP_EDGE = 64;

/**
 * As SHARP_EDGE, if the source's chroma was halved: interpolation has made its edges about half as steep
 * (docs/decisions/0026-chroma-by-the-source.md).
 */
const SHARP_EDGE_AGAIN = 32;

/** How many bytes of tokens take as long to write as a pixel of an ordinary job. */
const TOKENS_PER_PIXEL = 4;

/** T.81 B.2.2: sizes are 16 bits. */
const LARGEST_EDGE = 65_535;

/**
 * Writes baseline JPEG (ITU-T T.81) with a JFIF header (T.871) and nothing else beside the picture: tables of
 * our own scaled the IJG's way, the accurate integer DCT, Huffman tables optimised for the image. A grey
 * raster becomes one component; alpha is flattened onto white.
 *
 * If a raster offers stored samples (planes.ts) in the sampling to be written, these are read instead of
 * pixels: JPEG to JPEG without changes between keeps its YCbCr. The same goes for samples that a resize has
 * made.
 *
 * Unless chosen, chroma is whole from quality 90 on, and halved below that unless sharp. The source is read
 * once, and again only if chroma turns out to be sharp. The output lies in a memory of its own.
 */
export const jpegEncoder: Encoder = {
  format: 'jpeg',
  mediaType: 'image/jpeg',
  extension: 'jpg',
  reads: 1,
  pixelTime: 6,
  times: { plain: 1.5, dense: 12 },

  cost(size, quality, outputBytes = predictedOutputBytes(size, quality)) {
    // Encoding may start over in 4:4:4.
    const samplings = [JpegSampling.halved, JpegSampling.full];
    const bytes = samplings.map((sampling) => encodingBytes(size, sampling, quality, outputBytes));
    return { inCores: Math.max(...bytes), elsewhere: 0 };
  },

  async encode(source, quality, maxOutputBytes, raiseLimit, slice = uninterrupted, chroma) {
    const { width, height } = source;
    if (Math.max(width, height) > LARGEST_EDGE) {
      throw limitFault(
        `Expected at most ${LARGEST_EDGE} pixels along each edge of a JPEG but the image is ${width} × ${height}`,
      );
    }
    const expected = predictedOutputBytes({ width, height, chroma }, quality);
    const write = (output: OutputBuffer) => writeFile(source, quality, chroma, output, slice);
    return encodeInto('JPEG', maxOutputBytes, raiseLimit, expected, write);
  },
};

const SAMPLINGS: Readonly<Record<ChromaSampling, JpegSampling>> = {
  grey: JpegSampling.grey,
  '4:4:4': JpegSampling.full,
  '4:2:0': JpegSampling.halved,
};

/** The sampling for content without sharp colours. */
function samplingFor({ grey }: Raster, quality: number, chroma: Chroma | undefined): JpegSampling {
  if (grey) return JpegSampling.grey;
  const isWhole = chroma ? chroma === 'whole' : quality >= FULL_CHROMA_QUALITY;
  return isWhole ? JpegSampling.full : JpegSampling.halved;
}

/** Accepts chroma however sharp it is. */
const ANY_CHROMA = { sharpLimit: -1, sharpEdge: SHARP_EDGE };

/** Writes the whole file, in the sampling that source and content ask for. */
async function writeFile(
  source: Raster,
  quality: number,
  chroma: Chroma | undefined,
  output: OutputBuffer,
  slice: TimeSlice,
): Promise<void> {
  const sampling = samplingFor(source, quality, chroma);
  const samples = samplesOf(source);
  if (samples && SAMPLINGS[samples.sampling] === sampling) {
    const choices = { sampling, quality, chroma, ...ANY_CHROMA };
    await writeSampled(source, choices, output, pushStored(source, samples, slice), slice);
    return;
  }
  const push = samples?.mayBeHalved
    ? pushStored(source, samples, slice)
    : (writer: JpegWriter) => pushPixels(writer, source, slice);
  const { width, height } = source;
  const sharpness = {
    sharpLimit: Math.floor((width * height) / 4 / QUADS_PER_SHARP_QUAD),
    sharpEdge: chroma === 'halved-again' ? SHARP_EDGE_AGAIN : SHARP_EDGE,
  };
  const isBound = sampling === JpegSampling.halved && chroma !== 'halved';
  const choices = { sampling, quality, chroma, ...(isBound ? sharpness : ANY_CHROMA) };
  if (await writeSampled(source, choices, output, push, slice)) return;
  output.restart();
  const whole = { sampling: JpegSampling.full, quality, chroma, ...ANY_CHROMA };
  await writeSampled(source, whole, output, push, slice);
}

type Choices = Pick<JpegEncodeOptions, 'sampling' | 'quality' | 'sharpLimit' | 'sharpEdge'> & {
  /** The chroma that was asked for, by which memory is predicted. */
  readonly chroma: Chroma | undefined;
};

/**
 * Writes the whole file in one sampling.
 * @returns false if it would halve chroma that the content needs whole
 * @throws whatever the source throws; OutputLimitFault
 */
async function writeSampled(
  source: Raster,
  { chroma, ...choices }: Choices,
  output: OutputBuffer,
  push: Push,
  slice: TimeSlice,
): Promise<boolean> {
  const { width, height } = source;
  const { quality } = choices;
  const { core } = source;
  using _scratch = core.region();
  const tokens = tokenBytes({ width, height, chroma }, quality);
  const writer = new JpegWriter(core, { ...choices, width, height, tokenBytes: tokens });
  core.sink = (piece) => output.append(piece);
  try {
    if ((await push(writer)) === JpegEncodeStatus.wantsFullChroma) return false;
    await writeTokens(writer, 0, slice);
    return writer.finish() === JpegEncodeStatus.ok;
  } finally {
    core.sink = undefined;
  }
}

type Push = (writer: JpegWriter) => Promise<JpegEncodeStatus>;

const pushStored =
  (size: Size, samples: StoredSamples, slice: TimeSlice): Push =>
  (writer) =>
    pushSamples(writer, samples, size, slice);

/**
 * Writes all rows from samples. These are either laid out as in the file, so that nothing is converted and no
 * chroma sampled anew, or their whole chroma is halved for it.
 */
async function pushSamples(
  writer: JpegWriter,
  { sampling, bands }: StoredSamples,
  { width, height }: Size,
  slice: TimeSlice,
): Promise<JpegEncodeStatus> {
  const isHalved = sampling === '4:4:4' && writer.sampling === JpegSampling.halved;
  let y = 0;
  for await (const { rows, planes } of paced(bands(), slice)) {
    const written = writeTokens(writer, rows, slice);
    if (written) await written;
    const status = isHalved ? writer.pushWhole(rows, planes) : writer.pushPlanes(rows, planes);
    if (status !== JpegEncodeStatus.ok) return status;
    y += rows;
    const pause = slice.spend(rowsWork(rows, width));
    if (pause) await pause;
  }
  // Without this check a raster that ends early would give a file that seems complete.
  if (y !== height) throw new Error(`The raster ended after ${y} of ${height} rows`);
  return JpegEncodeStatus.ok;
}

async function pushPixels(writer: JpegWriter, source: Raster, slice: TimeSlice): Promise<JpegEncodeStatus> {
  for await (const { pixels, rows } of pacedStrips(source, slice)) {
    const written = writeTokens(writer, rows, slice);
    if (written) await written;
    const status = writer.push(pixels, rows, !source.opaque);
    if (status !== JpegEncodeStatus.ok) return status;
  }
  return JpegEncodeStatus.ok;
}

/** Writes tokens in parts, to make room for rows or at the end. */
function writeTokens(writer: JpegWriter, rows: number, slice: TimeSlice): Promise<void> | undefined {
  const write = async () => {
    do {
      const pause = slice.spend(TOKENS_AT_ONCE / TOKENS_PER_PIXEL);
      if (pause) await pause;
    } while (writer.writeTokens(rows) > 0);
  };
  return writer.writeTokens(rows) > 0 ? write() : undefined;
}
