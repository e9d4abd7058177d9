import type { Core } from '../../core/instance.ts';
import { decodeByLibavif, type LibavifFrame } from '../../core/libavif.ts';
import { Scratch } from '../../core/scratch.ts';
import { decodingFault, limitFault, OutOfMemoryFault, unsupportedFault } from '../../faults.ts';
import { bytesOf, type ImageFile } from '../../memory/image_file.ts';
import { type Av1Sequence, av1Sequence } from '../../metadata/avif/av1_sequence.ts';
import { firstTemporalUnit } from '../../metadata/avif/av1_temporal_unit.ts';
import type { AvifPicture, CodedPicture } from '../../metadata/avif/coded_picture.ts';
import { Cursor } from '../../metadata/cursor.ts';
import type {
  Av1Coding,
  Av1Format,
  AvifPictures,
  CodePoints,
  FileFacts,
  PredictedLayers,
} from '../../metadata/facts.ts';
import type { DecodedRaster, Size, StoredRaster, Strip } from '../types.ts';
import { type CodedItem, itemFileHead } from './item_file.ts';
import { colourMatrix } from './matrix.ts';
import { framesOf, libavifBytes, MAX_FRAMES, STRIP_ROWS, stripBytes } from './predicted_cost.ts';

export { loadLibavif } from '../../core/libavif.ts';

/**
 * MatrixCoefficients (H.273 table 4) that libavif converts; for others it assumes BT.601, as this decoder
 * does.
 */
const CONVERTED: ReadonlySet<number> = new Set([0, 1, 2, 4, 5, 6, 7, 8, 9, 12]);
const IDENTITY = 0;
const UNSPECIFIED = 2;

/**
 * Decodes a picture whose shown layer is predicted from lower ones, whole and in one piece, with libavif and
 * libaom: our own decoder reads only pictures coded without prediction from others. Only the bitstreams are
 * passed on, in a new file, cut to one temporal unit of at most MAX_FRAMES frames and one sequence header.
 * The output has 8 bits a sample.
 * @param core that the file may lie in
 * @param release gives back what was reserved in the core
 * @throws Fault 'decoding' | 'unsupported' | 'limit'
 */
export function openPredictedLayers(
  core: Core,
  file: ImageFile,
  facts: FileFacts,
  picture: AvifPicture,
  release: () => void,
): DecodedRaster {
  let frame: LibavifFrame | undefined;
  const close = () => {
    frame?.[Symbol.dispose]();
    frame = undefined;
    release();
  };
  try {
    frame = decode(bytesOf(file), facts, picture);
    if (frame.width !== facts.width || frame.height !== facts.height) throw wrongSize(facts, frame);
    return frameRaster(core, frame, facts.avif!, close);
  } catch (error) {
    close();
    if (error instanceof RangeError) throw new OutOfMemoryFault('There is no memory left to read this AVIF');
    throw error;
  }
}

function decode(
  bytes: Uint8Array,
  facts: FileFacts,
  { colour, alpha, premultiplied }: AvifPicture,
): LibavifFrame {
  const { width, height, colorimetry } = facts;
  const pictures = facts.avif!;
  const predicted = pictures.predicted!;
  const coded = itemOf(bytes, colour, pictures.colour, predicted);
  if (alpha && !pictures.alpha) throw decodingFault('The alpha of this AVIF has no sequence header');
  const codedAlpha = alpha && pictures.alpha && itemOf(bytes, alpha, pictures.alpha, predicted);
  if (width > coded.format.width || height > coded.format.height) throw wrongSize(facts, coded.format);
  const codePoints = convertible(coded.format, colorimetry?.codePoints ?? coded.format.codePoints);
  const head = itemFileHead({ width, height, colour: coded, alpha: codedAlpha, premultiplied, codePoints });
  const parts = [head, ...coded.pieces, ...(codedAlpha?.pieces ?? [])];
  const frame = decodeByLibavif(parts, libavifBytes(pictures, predicted));
  if (!frame) throw decodingFault('The AVIF is truncated or corrupt: its layers could not be decoded');
  return frame;
}

const wrongSize = (promised: Size, found: Size) =>
  decodingFault(
    `The AVIF header promises ${promised.width} × ${promised.height} pixels but its image data has ${found.width} × ${found.height}`,
  );

/**
 * The code points, with a matrix that libavif converts.
 * @throws Fault 'unsupported' if there is none
 */
function convertible(format: Av1Format, { primaries, transfer, matrix, fullRange }: CodePoints): CodePoints {
  colourMatrix({ ...format, primaries, matrix, fullRange }, 1, 255);
  if (matrix === IDENTITY && !format.monochrome && (format.subX === 1 || format.subY === 1)) {
    throw unsupportedFault('Expected an AVIF in RGB to have all samples but its layers lack some');
  }
  return { primaries, transfer, matrix: CONVERTED.has(matrix) ? matrix : UNSPECIFIED, fullRange };
}

/** The bytes of a bitstream; a copy if it lies in pieces. */
function streamOf(bytes: Uint8Array, { tiles }: CodedPicture): Uint8Array {
  const { extents } = tiles[0]!;
  const pieces = extents.map(({ start, end }) => bytes.subarray(start, end));
  if (pieces.length === 1) return pieces[0]!;
  const stream = new Uint8Array(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    stream.set(piece, at);
    at += piece.length;
  }
  return stream;
}

const lengthOf = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, { length }) => sum + length, 0);

/**
 * The part of a bitstream that is decoded.
 * @throws Fault 'decoding' | 'limit' if it is more than was measured
 */
function itemOf(
  bytes: Uint8Array,
  picture: CodedPicture,
  measured: Av1Coding,
  predicted: PredictedLayers,
): CodedItem & Coded {
  const stream = streamOf(bytes, picture);
  const { pieces, frames, defect } = firstTemporalUnit(stream);
  const format = av1Sequence(Cursor.unlimited(stream), 0, stream.length);
  const isLarger = format && (format.width > measured.width || format.height > measured.height);
  if (frames > framesOf(predicted) || isLarger) {
    throw limitFault(`The layers of this AVIF have ${frames} frames or more: expected ${MAX_FRAMES} at most`);
  }
  if (defect) throw decodingFault(`The AV1 data of this AVIF ${defect}`);
  if (!format) throw decodingFault('The AV1 data of this AVIF have no sequence header');
  const { operatingPoint, layer } = picture.tiles[0]!;
  return { pieces, format, bytes: lengthOf(pieces), operatingPoint, layer };
}

interface Coded {
  readonly pieces: readonly Uint8Array[];
  readonly format: Av1Sequence;
}

/** Copies of a frame's rows, since consumers may write into them. */
function frameRaster(
  core: Core,
  frame: LibavifFrame,
  pictures: AvifPictures,
  close: () => void,
): DecodedRaster {
  return { ...columnsOf(core, frame, pictures, 0, frame.width), [Symbol.dispose]: close };
}

/** The columns [x, x + width) of a frame. */
function columnsOf(
  core: Core,
  frame: LibavifFrame,
  pictures: AvifPictures,
  x: number,
  width: number,
): StoredRaster {
  const { height, pixels } = frame;
  return {
    ...{ width, height, core, opaque: pictures.alpha === undefined, grey: pictures.colour.monochrome },
    columns: (from, count) => columnsOf(core, frame, pictures, x + from, count),
    *strips(): Generator<Strip> {
      using scratch = new Scratch(core, [stripBytes(frame)]);
      for (let y = 0; y < height; y += STRIP_ROWS) {
        const rows = Math.min(STRIP_ROWS, height - y);
        const strip = core.view(scratch.places[0]!, rows * width * 4);
        for (let row = 0; row < rows; row++) {
          const at = ((y + row) * frame.width + x) * 4;
          strip.set(pixels.subarray(at, at + width * 4), row * width * 4);
        }
        yield { y, rows, pixels: strip };
      }
    },
  };
}
