import { type ColumnRange, decodedColumns } from '../../core/av1_columns.ts';
import type { Av1Layout, AvifLayout } from '../../metadata/facts.ts';

/** Columns that chroma's interpolation sees beside a pixel: a chroma sample stands for two. */
const BESIDE = 2;

/** The columns of planes that are read for the pixels [x, x + width) of a picture: whole chroma samples. */
export function planeColumns(x: number, width: number, pictureWidth: number): ColumnRange {
  return {
    from: Math.max(0, x - BESIDE - (x & 1)),
    to: Math.min(pictureWidth, x + width + BESIDE + ((x + width) & 1)),
  };
}

/** The tiles of a row of a grid that hold these columns: from `first` to before `end`. */
export const tilesFor = ({ from, to }: ColumnRange, tileWidth: number) => ({
  first: Math.floor(from / tileWidth),
  end: Math.ceil(to / tileWidth),
});

/** Luma columns that are decoded for these, once a picture has been read: of a grid, those of whole tiles. */
function decodedFor({ columns, rows, width, bands }: Av1Layout, range: ColumnRange): ColumnRange {
  if (columns > 1 || rows > 1) {
    const { first, end } = tilesFor(range, width);
    return { from: first * width, to: end * width };
  }
  if (!bands) return { from: 0, to: Number.POSITIVE_INFINITY };
  return decodedColumns(bands, range);
}

/** What reading a picture in bands of columns takes, beside reading it whole. */
export interface BandWork {
  /** For how many pictures' pixels all bands together stand, and for how many pictures' bytes at most. */
  readonly pixels: number;
  readonly bytes: number;
  /** What the first band of an opened picture takes more: it decodes all columns. */
  readonly first: { readonly pixels: number; readonly bytes: number };
}

/**
 * @param bands the columns of each band of a picture's pixels, in the order of reading
 * @param width the picture's
 */
export function bandWork(
  { colour, alpha }: AvifLayout,
  bands: readonly { readonly x: number; readonly width: number }[],
  width: number,
): BandWork {
  const decoded = bands.map((band) => {
    const range = planeColumns(band.x, band.width, width);
    const parts = [colour, ...(alpha ? [alpha] : [])].map((layout) => decodedFor(layout, range));
    const from = Math.min(...parts.map((part) => part.from));
    return { from, to: Math.min(width, Math.max(...parts.map((part) => part.to))) };
  });
  const shares = decoded.map(({ from, to }) => (to - from) / width);
  // All bytes of a file may be those of a few columns. Most bands overlap where one begins.
  const bytes = Math.max(
    ...decoded.map(({ from }) => decoded.filter((other) => other.from <= from && from < other.to).length),
  );
  const isGrid = colour.columns > 1 || colour.rows > 1;
  const first = isGrid ? 0 : 1 - shares[0]!;
  return {
    pixels: shares.reduce((sum, share) => sum + share, 0),
    bytes,
    first: { pixels: first, bytes: first > 0 ? 1 : 0 },
  };
}
