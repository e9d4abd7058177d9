import { decodingFault, limitFault, unsupportedFault } from '../../faults.ts';
import * as Tag from '../../metadata/tiff/tags.ts';
import type { Work } from '../../scheduling/work.ts';
import { type Chunks, chunksOf } from './chunks.ts';
import { Directory, type TagValues } from './directory.ts';
import { type PageColour, pageColourOf } from './photometric.ts';
import { Compression, otherCompressions, SampleFormat } from './tags.ts';

/** How the pixels of a TIFF's first page are stored; every field was validated. */
export interface Page {
  /** The whole file. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly littleEndian: boolean;
  /** Bits of a sample, the same for all samples: 1 to 64. */
  readonly bits: number;
  /** Samples of a pixel, 1 to MAX_SAMPLES. */
  readonly samples: number;
  readonly format: 'unsigned' | 'signed' | 'float';
  /**
   * The values that are black and white (TIFF 6.0 section 20), where they are stated and samples are signed,
   * real numbers or of 32 bits and more: those of other samples are statistics.
   */
  readonly range: SampleRange | undefined;
  readonly compression: number;
  /** 1 none, 2 horizontal differencing, 3 floating point. */
  readonly predictor: 1 | 2 | 3;
  /** Each sample is stored in planes of its own. */
  readonly planar: boolean;
  /** The bits of every stored byte are in reverse order. */
  readonly reversed: boolean;
  readonly t4Options: number;
  /** Where the file has the tables that all JPEG chunks share. */
  readonly jpegTables: TagValues | undefined;
  readonly chunks: Chunks;
  readonly colour: PageColour;
  /** An ICC profile says what the samples mean. */
  readonly profiled: boolean;
}

export interface SampleRange {
  readonly black: number;
  readonly white: number;
}

/** Far more than cameras, scanners and multispectral sensors write (hyperspectral cubes are not photos). */
const MAX_SAMPLES = 32;

const readCompressions: ReadonlySet<number> = new Set(
  Object.values(Compression).filter((code) => code !== Compression.OldJpeg),
);

/**
 * Reads the first page's description and checks it against the file. Yields work on the way.
 * @throws Fault 'decoding' | 'unsupported' | 'limit'
 */
export function* readPage(bytes: Uint8Array): Generator<Work, Page> {
  const directory = new Directory(bytes);
  const width = directory.number(Tag.ImageWidth, 0);
  const height = directory.number(Tag.ImageLength, 0);
  if (!(isCount(width) && isCount(height)))
    throw decodingFault(`The TIFF's first page is ${width} × ${height} pixels`);

  const bitsOfSamples = directory.numbers(Tag.BitsPerSample, MAX_SAMPLES);
  const samples = directory.number(Tag.SamplesPerPixel, Math.max(1, bitsOfSamples.length));
  if (!isCount(samples)) throw decodingFault(`The TIFF has ${samples} samples for each pixel`);
  if (samples > MAX_SAMPLES) {
    throw limitFault(`The TIFF has ${samples} samples for each pixel; at most ${MAX_SAMPLES} are read`);
  }
  const bits = bitsOfSamples[0] ?? 1;
  if (!(isCount(bits) && bits <= 64))
    throw decodingFault(`The TIFF has samples of ${bits} bits; 1 to 64 are possible`);
  if (bitsOfSamples.slice(0, samples).some((other) => other !== bits)) {
    throw unsupportedFault(
      `The TIFF has samples of ${bitsOfSamples.join(', ')} bits; only equal ones are read`,
    );
  }
  const compression = directory.number(Tag.Compression, Compression.None);
  if (!readCompressions.has(compression)) {
    const name = otherCompressions[compression] ?? `code ${compression}`;
    throw unsupportedFault(`The TIFF is compressed with ${name}, which is not read here`);
  }
  const format = formatOf(directory);
  const planar = samples > 1 && directory.number(Tag.PlanarConfiguration, 1) === 2;
  const colour = pageColourOf(directory, { bits, samples, planar, compression });
  const shape = { width, height, bits, samples, planar, compression, ...colour };
  const page: Page = {
    bytes,
    width,
    height,
    littleEndian: directory.file.littleEndian,
    bits,
    samples,
    format,
    range: rangeOf(directory, format, bits, samples),
    compression,
    predictor: predictorOf(directory, bits, format, compression),
    planar,
    reversed: directory.number(Tag.FillOrder, 1) === 2,
    t4Options: directory.number(Tag.T4Options, 0),
    jpegTables: directory.values(Tag.JPEGTables),
    chunks: yield* chunksOf(directory, shape),
    colour,
    profiled: directory.values(Tag.ICCProfile) !== undefined,
  };
  checkCombination(page);
  return page;
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;

function formatOf(directory: Directory): Page['format'] {
  const code = directory.number(Tag.SampleFormat, SampleFormat.Unsigned);
  if (code === SampleFormat.Unsigned || code === SampleFormat.Undefined) return 'unsigned';
  if (code === SampleFormat.Signed) return 'signed';
  if (code === SampleFormat.Float) return 'float';
  throw unsupportedFault(`The TIFF has samples of format ${code}; integers and real numbers are read`);
}

function rangeOf(
  directory: Directory,
  format: Page['format'],
  bits: number,
  samples: number,
): SampleRange | undefined {
  const isOpen = format !== 'unsigned' || bits >= 32;
  if (!isOpen || bits % 8 !== 0) return undefined;
  // common ends of all samples, so that colours stay
  const black = Math.min(...directory.numbers(Tag.SMinSampleValue, samples));
  const white = Math.max(...directory.numbers(Tag.SMaxSampleValue, samples));
  return Number.isFinite(white - black) && white > black ? { black, white } : undefined;
}

/**
 * The predictor belongs to LZW and deflate (TIFF 6.0 section 14); with other compression the tag means
 * nothing.
 */
function predictorOf(
  directory: Directory,
  bits: number,
  format: Page['format'],
  compression: number,
): Page['predictor'] {
  const differencing: readonly number[] = [Compression.Lzw, Compression.Deflate, Compression.OldDeflate];
  const predictor = directory.number(Tag.Predictor, 1);
  if (!differencing.includes(compression) || predictor === 1) return 1;
  if (predictor === 2) {
    if (bits === 8 || bits === 16 || bits === 32 || bits === 64) return 2;
    throw unsupportedFault(`The TIFF has differences of ${bits}-bit samples; 8, 16, 32 and 64 bits are read`);
  }
  if (predictor === 3) {
    if (format === 'float') return 3;
    throw decodingFault('The TIFF has the predictor of real numbers on samples that are none');
  }
  throw unsupportedFault(`The TIFF has predictor ${predictor}; 1, 2 and 3 are read`);
}

function checkCombination({ bits, samples, format, compression, planar, colour }: Page): void {
  if (format === 'float' && ![16, 24, 32, 64].includes(bits)) {
    throw unsupportedFault(`The TIFF has real numbers of ${bits} bits; 16, 24, 32 and 64 are read`);
  }
  const fax: readonly number[] = [Compression.FaxRle, Compression.FaxGroup3, Compression.FaxGroup4];
  if (fax.includes(compression) && (bits !== 1 || (samples > 1 && !planar))) {
    throw decodingFault(
      `The TIFF has fax compression on ${samples} samples of ${bits} bits; it is for one of 1 bit`,
    );
  }
  if (compression === Compression.Jpeg && bits !== 8) {
    throw unsupportedFault(`The TIFF has JPEG compression with samples of ${bits} bits; 8 are read`);
  }
  if (compression === Compression.Jpeg && !planar && samples !== colour.components) {
    throw unsupportedFault(`The TIFF has JPEG compression of ${samples} samples, more than its colour takes`);
  }
}
