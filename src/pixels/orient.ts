import type { ColumnBand, Orientation, Raster, Strip, Work } from '../codecs/types.ts';
import { FlippedBand } from '../core/kernels/flip.ts';
import { mirrorRows } from '../core/kernels/kernels.ts';
import { RotatedBand } from '../core/kernels/rotate.ts';
import { rowsWork } from '../scheduling/work.ts';
import { changedStrips, mapStrips } from '../strips.ts';
import { narrowColumns } from './columns.ts';
import { derive } from './derive.ts';
import { narrowRows } from './rows.ts';

/** Orientations 5 to 8 (Exif 2.32, tag Orientation) swap width and height: stored columns become rows. */
export const swapsSides = (orientation: Orientation): boolean => orientation >= 5;

/** The upright size of an image stored as width × height. */
export function uprightSize(width: number, height: number, orientation: Orientation) {
  return swapsSides(orientation) ? { width: height, height: width } : { width, height };
}

/** The number of rows of an upright band within `bandBytes`. The source is read once for each band. */
export function bandRows(width: number, height: number, bandBytes: number): number {
  return Math.max(1, Math.min(height, Math.floor(bandBytes / (width * 4))));
}

/**
 * The upright image. Orientation 2 mirrors strips in place. For the others the source is read once for each
 * band of at most `bandBytes` of upright rows (at least one row).
 */
export function orient(source: Raster, orientation: Orientation, bandBytes: number): Raster {
  if (orientation === 1) return source;
  const { width, height } = uprightSize(source.width, source.height, orientation);
  const strips = () => {
    if (orientation === 2) return mirroredStrips(source);
    const rows = bandRows(width, height, bandBytes);
    return swapsSides(orientation)
      ? rotatedBands(source, orientation, rows)
      : flippedBands(source, orientation === 3, rows);
  };
  return derive(source, { width, height, strips });
}

const mirroredStrips = (source: Raster) =>
  changedStrips(source.strips(), ({ pixels }) => mirrorRows(source.core, pixels, source.width));

/** Bottom rows first (orientation 4), each also mirrored for a rotation by 180° (orientation 3). */
function* flippedBands(source: Raster, mirror: boolean, bandHeight: number): Generator<Strip | Work> {
  const { width, height } = source;
  using band = new FlippedBand(source.core, width, bandHeight);
  for (let y = 0; y < height; y += bandHeight) {
    const rows = Math.min(bandHeight, height - y);
    // Upright rows [y, y + rows) are the stored rows from here on, in reverse order.
    const top = height - y - rows;
    yield* taken(narrowRows(source, top, rows), (strip) =>
      band.put(strip.pixels, rows - 1 - strip.y, mirror),
    );
    yield* stripsOf(band, y, rows);
  }
}

/** Reads all of a part into a band; yields only its work. */
function taken(part: Raster, take: (strip: Strip) => void): Iterable<Work> {
  return mapStrips(part.strips(), (strip: Strip): Work[] => {
    take(strip);
    return [rowsWork(strip.rows, part.width)];
  });
}

/** The rows of the strips that a band is passed on in: whoever takes them gives way only between strips. */
const STRIP_ROWS = 16;

function* stripsOf(band: FlippedBand | RotatedBand, y: number, rows: number): Generator<Strip> {
  for (let from = 0; from < rows; from += STRIP_ROWS) {
    const count = Math.min(STRIP_ROWS, rows - from);
    yield { y: y + from, rows: count, pixels: band.rows(from, count) };
  }
}

/**
 * Stored columns become upright rows (orientations 5 to 8): each band reads its columns of every stored row.
 */
function* rotatedBands(
  source: Raster,
  orientation: Orientation,
  bandHeight: number,
): Generator<Strip | Work> {
  const rightToLeft = isRightToLeft(orientation);
  const bottomUp = orientation === 6 || orientation === 7;
  using band = new RotatedBand(source.core, source.height, bandHeight, { rightToLeft, bottomUp });
  let y = 0;
  for (const { x, width } of columnBands(source.width, orientation, bandHeight)) {
    yield* taken(narrowColumns(source, x, width), (strip) => band.put(strip.pixels, strip.y, width));
    yield* stripsOf(band, y, width);
    y += width;
  }
}

const isRightToLeft = (orientation: Orientation): boolean => orientation === 7 || orientation === 8;

/**
 * The bands in which a picture is read for a quarter turn, in order.
 * @param width stored
 * @param bandHeight upright rows of a band, which are stored columns
 */
export function columnBands(width: number, orientation: Orientation, bandHeight: number): ColumnBand[] {
  return Array.from({ length: Math.ceil(width / bandHeight) }, (_, index) => {
    const y = index * bandHeight;
    const rows = Math.min(bandHeight, width - y);
    return { x: isRightToLeft(orientation) ? width - y - rows : y, width: rows };
  });
}
