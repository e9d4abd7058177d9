import { bandWork, type PassWork } from '../codecs/avif/bands.ts';
import { decoders } from '../codecs/registry.ts';
import { imageName, limitFault } from '../faults.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { bandRows, columnBands, swapsSides, uprightSize } from '../pixels/orient.ts';
import { MAX_WORK, ROW_WORK, rowsWork, SPAN_WORK, type Work } from '../scheduling/work.ts';

/**
 * The work of processing all pixels and all bytes of a file the given numbers of times; either may be a
 * fraction.
 */
function readingCost(
  facts: FileFacts,
  inputBytes: number,
  times: { readonly pixels: number; readonly bytes: number },
): Work {
  const { reading } = decoders[facts.format];
  const { byteWork = 0, mostPixelWork = Number.POSITIVE_INFINITY } = reading;
  const pixels = rowsWork(facts.height, facts.width) * times.pixels;
  const parts = partsOf(facts).work * times.pixels;
  const work = pixels * reading.pixelWork(facts) + inputBytes * times.bytes * byteWork;
  return Math.min(work, pixels * mostPixelWork) + parts;
}

const ONCE = { pixels: 1, bytes: 1 };

const MEGABYTE = 1024 * 1024;

/**
 * Bytes of upright rows that are held while an image is rotated. More bytes mean fewer bands, and fewer reads
 * where each band is a read of its own; fewer bytes leave memory for an output as large as a PNG of 50
 * megapixels. Columns of an AVIF are cheap to read, but they hold as much again beside a band of 8 MB.
 */
export function usualBandBytes(facts: FileFacts): number {
  if (decoders[facts.format].reading.cheapBands) return 12 * MEGABYTE;
  return (readsColumns(facts) ? 8 : 16) * MEGABYTE;
}

/** Whether each band is a set of columns that can be decoded without the others. */
const readsColumns = ({ orientation, avif }: FileFacts): boolean =>
  swapsSides(orientation) &&
  avif?.colour.bands !== undefined &&
  (!avif.alpha || avif.alpha.bands !== undefined);

/**
 * The most such bytes, for jobs that would otherwise read too often: the default budget has no room for more.
 */
const MOST_BAND_BYTES = 40 * MEGABYTE;
/**
 * How much larger the bands for detection may be than those for the result, which need room for the output.
 */
const BESIDE_DETECTION = 8 * MEGABYTE;

/** How often a job reads its source. */
export interface SourceReads {
  /** To detect faces: the whole picture, then the crops of a zoom pass. */
  readonly detection: number;
  /** For the second detection and the encoder; twice as many where coarse mosaics need two reads. */
  readonly result: number;
  /** Runs of blocks that each read for the result hides, over all rows. Absent: none. */
  readonly spans?: number;
  /** Work beside all these reads. Absent: none. */
  readonly beside?: Work;
}

/** What it takes to read the upright picture in this many bands of this many rows. */
function passWork({ format, width, orientation, avif }: FileFacts, bands: number, rows: number): PassWork {
  const alike = (times: number): PassWork => {
    const work = { pixels: times, bytes: times };
    return { first: work, later: work };
  };
  const { cheapBands, rowByRow } = decoders[format].reading;
  if (cheapBands) return alike(1);
  if (avif && bands > 1 && swapsSides(orientation)) {
    return bandWork(avif, columnBands(width, orientation, rows), width);
  }
  // Each band reads the whole, or down to the band's last row. Upside down: the first band ends with the last
  // row, the last band with the first rows.
  const isFlipped = orientation === 3 || orientation === 4;
  return alike(isFlipped && rowByRow ? (bands + 1) / 2 : bands);
}

/** Bytes of upright rows that are held while a turned image is read; 0 where nothing is held. */
export interface BandBytes {
  readonly detection: number;
  readonly result: number;
}

/** These bands, and the work of the job that reads in them. */
export interface AffordableBands extends BandBytes {
  readonly work: Work;
}

/**
 * How a picture is read in bands: the number of bands that hold this many bytes, and the work of reading
 * them.
 */
function bandsOfReading(facts: FileFacts, inputBytes: number) {
  const { width, height, orientation } = facts;
  // A mirrored image needs no band: its rows are mirrored in place.
  const isTurned = orientation > 2;
  const upright = uprightSize(width, height, orientation);
  const rowsOf = (bands: number) => Math.ceil(upright.height / bands);
  return {
    bytesOf: (bands: number) => (isTurned ? rowsOf(bands) * upright.width * 4 : 0),
    bandsOf: (bytes: number) =>
      isTurned ? Math.ceil(upright.height / bandRows(upright.width, upright.height, bytes)) : 1,
    costOf(passes: number, bands: number): Work {
      if (passes === 0) return 0;
      const { first, later } = passWork(facts, bands, rowsOf(bands));
      const again = passes - 1;
      return readingCost(facts, inputBytes, {
        pixels: first.pixels + again * later.pixels,
        bytes: first.bytes + again * later.bytes,
      });
    },
  };
}

/**
 * Refuses a job that would hold the isolate for too long: for about half of the CPU time that a deployment
 * allows a request. An upright image of 50 megapixels stays far below MAX_WORK. A rotated one of a format
 * that is read anew for each band comes near it with faces, and exceeds it when coarse blocks double its
 * reads. So do pictures of some ten million rows.
 * @param inputBytes length of the file
 * @returns the work and the bands: the usual ones if these make few enough reads. Otherwise the bands for the
 * result are no larger than necessary, and those for detection, which no output has to fit beside, are the
 * largest; for columns only a little larger than those for the result, as larger ones save less
 * @throws Fault 'limit'
 */
export function affordableBands(
  facts: FileFacts,
  inputBytes: number,
  { detection, result, spans = 0, beside = 0 }: SourceReads,
): AffordableBands {
  const { format, width, height } = facts;
  const { bytesOf, bandsOf, costOf } = bandsOfReading(facts, inputBytes);
  const hiding = result * spans * SPAN_WORK + beside;
  const cost = (bandsToDetect: number, bands: number) =>
    costOf(detection, bandsToDetect) + costOf(result, bands) + hiding;
  const affordable = (toDetect: number, bands: number): AffordableBands | undefined => {
    const work = cost(toDetect, bands);
    if (work > MAX_WORK) return undefined;
    return { detection: bytesOf(toDetect), result: bytesOf(bands), work };
  };
  const usual = bandsOf(usualBandBytes(facts));
  const inUsual = affordable(usual, usual);
  if (inUsual) return inUsual;
  const fewest = bandsOf(MOST_BAND_BYTES);
  for (let bands = usual; bands >= fewest; bands--) {
    const toDetect = readsColumns(facts) ? bandsOf(bytesOf(bands) + BESIDE_DETECTION) : fewest;
    const inFewer = affordable(toDetect, bands);
    if (inFewer) return inFewer;
  }
  const once = readingCost(facts, inputBytes, ONCE) || 1;
  const least = cost(fewest, fewest);
  if (once * (detection + result) + hiding > MAX_WORK) {
    throw limitFault(
      `${mostOf(facts, spans)} of a ${imageName(facts)}, read ${detection + result} times for these ops, are ` +
        `${(least / MAX_WORK).toFixed(1)} times the work that a call may take: send less of it at once`,
    );
  }
  const megapixels = ((width * height) / 1e6).toFixed(1);
  throw limitFault(
    `A turned ${format.toUpperCase()} of ${megapixels} megapixels would have to be read ` +
      `${Math.ceil(least / once)} times for these ops, at most ${Math.floor(MAX_WORK / once)} are ` +
      'allowed: send it upright, smaller or as JPEG, or with a lower strength',
  );
}

/** The work for a file's strips and tiles, and their name for messages. */
const partsOf = (facts: FileFacts) => decoders[facts.format].work?.(facts) ?? { work: 0, parts: '' };

/** Names what most of the work of reading an upright picture goes into. */
function mostOf(facts: FileFacts, spans: number): string {
  const { width, height } = facts;
  const { work, parts: names } = partsOf(facts);
  const parts: readonly (readonly [Work, string])[] = [
    [work, names],
    [width * height, `${width * height} pixels`],
    [height * ROW_WORK, `${height} rows`],
    [spans * SPAN_WORK, `${spans} runs of blocks`],
  ];
  return parts.reduce((most, part) => (part[0] > most[0] ? part : most))[1];
}
