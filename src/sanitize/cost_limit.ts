import { bandWork, type PassWork } from '../codecs/avif/bands.ts';
import { decoders } from '../codecs/registry.ts';
import { imageName, limitFault } from '../faults.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { bandRows, columnBands, swapsSides, uprightSize } from '../pixels/orient.ts';
import { MAX_WORK, ROW_WORK, rowsWork, SPAN_WORK, type Work } from '../work.ts';

/** What reading some of a file takes: so many times all its pixels, and all its bytes. */
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
 * Bytes of upright rows that are held while an image is rotated. More means fewer bands, and fewer reads
 * where each band is a read of its own; less leaves memory for an output as large as a PNG of 50 megapixels.
 * Columns of an AVIF are cheap to read, but hold as much beside a band of 8 MB.
 */
export function usualBandBytes(facts: FileFacts): number {
  if (decoders[facts.format].reading.cheapBands) return 12 * MEGABYTE;
  return (readsColumns(facts) ? 8 : 16) * MEGABYTE;
}

/** Whether bands are columns that are decoded by themselves. */
const readsColumns = ({ orientation, avif }: FileFacts): boolean =>
  swapsSides(orientation) &&
  avif?.colour.bands !== undefined &&
  (!avif.alpha || avif.alpha.bands !== undefined);

/**
 * And at most, where these make more reads than a job may have: beside more the default budget has no room.
 */
const MOST_BAND_BYTES = 40 * MEGABYTE;
/** By how much bands to detect may be larger than those of the result, beside which an output grows. */
const BESIDE_DETECTION = 8 * MEGABYTE;

/** How often a job reads its source. */
export interface SourceReads {
  /** To detect faces: the whole picture, then the crops of a zoom pass. */
  readonly detection: number;
  /** To detect again and to encode; twice as often where coarse mosaics need two reads. */
  readonly result: number;
  /** Runs of blocks that each reading for the result hides, over all rows. Absent: none. */
  readonly spans?: number;
  /** Work beside all these reads. Absent: none. */
  readonly beside?: Work;
}

/** What reading the upright picture takes by so many bands of so many rows. */
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
  // Each band is a read of the whole, or down to the band's last row. Upside down: the first band ends with
  // the last row, the last one with the first rows.
  const isFlipped = orientation === 3 || orientation === 4;
  return alike(isFlipped && rowByRow ? (bands + 1) / 2 : bands);
}

/** Bytes of upright rows that are held while a turned image is read; 0 where nothing is held. */
export interface BandBytes {
  readonly detection: number;
  readonly result: number;
}

/** And what the job takes that reads in such bands. */
export interface AffordableBands extends BandBytes {
  readonly work: Work;
}

/** How a picture is read in bands: how many there are of so many bytes, and what reading it takes. */
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
 * Refuses a job that would hold the isolate for too long: about half of the CPU that a deployment allows a
 * request. Every upright image of 50 megapixels stays far below MAX_WORK. A rotated one of a format that is
 * read anew for each band comes near it with faces, and exceeds it when coarse blocks double its reads. So do
 * pictures of some ten million rows.
 * @param inputBytes length of the file
 * @returns the work and the bands: the usual ones where these make few enough reads. Else the result takes
 * no larger ones than it has to, and detection, beside which there is no output, the largest ones; of columns
 * a little larger ones, as larger ones spare less
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

/** Strips and tiles of a file. */
const partsOf = (facts: FileFacts) => decoders[facts.format].work?.(facts) ?? { work: 0, parts: '' };

/** What most of the work of reading a picture upright is for, in words. */
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
