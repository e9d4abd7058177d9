import { type ColumnRange, ColumnReadings, lumaColumns } from '../../core/av1/columns.ts';
import type { Av1Coding, AvifPictures } from '../../metadata/facts.ts';
import type { ColumnBand } from '../types.ts';

/** Columns on either side of a pixel that chroma's interpolation sees: a chroma sample covers two. */
const BESIDE = 2;

/** The columns of planes that are read for these columns of pixels: whole chroma samples. */
export function planeColumns({ x, width }: ColumnBand, pictureWidth: number): ColumnRange {
  return {
    from: Math.max(0, x - BESIDE - (x & 1)),
    to: Math.min(pictureWidth, x + width + BESIDE + ((x + width) & 1)),
  };
}

/** The tiles of a grid's row that hold these columns: [first, end). */
export const tilesFor = ({ from, to }: ColumnRange, tileWidth: number) => ({
  first: Math.floor(from / tileWidth),
  end: Math.ceil(to / tileWidth),
});

/**
 * How many times a picture's pixels are decoded, and its bytes at most: a few columns may have all of them.
 */
export interface BandWork {
  readonly pixels: number;
  readonly bytes: number;
}

/** What it takes to read a picture in bands of columns: the first time, and each later time. */
export interface PassWork {
  readonly first: BandWork;
  readonly later: BandWork;
}

/** @param bands of a picture of this width, in the order of reading */
export function bandWork(
  { colour, alpha }: AvifPictures,
  bands: readonly ColumnBand[],
  width: number,
): PassWork {
  const ranges = bands.map((band) => planeColumns(band, width));
  const decoders = [colour, ...(alpha ? [alpha] : [])].map((coding) => decodedBy(coding, ranges));
  const pass = () =>
    workOf(
      ranges.map((range) => hull(decoders.map((decode) => decode(range)))),
      width,
    );
  return { first: pass(), later: pass() };
}

/** Gives for each read in turn the luma columns that it decodes: of a grid, those of whole tiles. */
function decodedBy(
  { columns, rows, width, bands }: Av1Coding,
  ranges: readonly ColumnRange[],
): (range: ColumnRange) => ColumnRange {
  if (columns > 1 || rows > 1) {
    return (range) => {
      const { first, end } = tilesFor(range, width);
      return { from: first * width, to: end * width };
    };
  }
  if (!bands) return () => ({ from: 0, to: Number.POSITIVE_INFINITY });
  const readings = new ColumnReadings(bands, ranges);
  return (range) => {
    const reading = readings.of(range);
    readings.begin(reading);
    readings.done(reading);
    return lumaColumns(bands, reading);
  };
}

const hull = (ranges: readonly ColumnRange[]): ColumnRange => ({
  from: Math.min(...ranges.map(({ from }) => from)),
  to: Math.max(...ranges.map(({ to }) => to)),
});

function workOf(decoded: readonly ColumnRange[], width: number): BandWork {
  const ends = decoded.map(({ from, to }) => ({ from, to: Math.min(width, to) }));
  // The number that overlap is largest where one begins.
  const over = (column: number) => ends.filter(({ from, to }) => from <= column && column < to).length;
  return {
    pixels: ends.reduce((sum, { from, to }) => sum + (to - from), 0) / width,
    bytes: Math.max(...ends.map(({ from }) => over(from))),
  };
}
