import { decodingFault, limitFault } from '../../faults.ts';
import * as Tag from '../../metadata/tiff/tags.ts';
import type { Work } from '../../scheduling/work.ts';
import type { Directory } from './directory.ts';
import { Compression } from './tags.ts';

/** The strips or tiles that a page is cut into. A strip is a chunk as wide as the page. */
export interface Chunks {
  readonly tiled: boolean;
  /**
   * Pixels of a chunk; chunks at the right and bottom edges may extend beyond the page (the last strip does
   * not).
   */
  readonly width: number;
  readonly height: number;
  /** Chunks in a row, and rows of chunks. */
  readonly across: number;
  readonly down: number;
  /** Stored bytes of the largest chunk, with the JPEG tables it needs. */
  readonly largest: number;
  /**
   * The stored bytes of a chunk, all inside the file.
   * @param plane the sample, if planes are separate; else 0
   */
  bytesOf(column: number, row: number, plane: number): Uint8Array;
}

interface ChunkShape {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly samples: number;
  readonly planar: boolean;
  readonly compression: number;
  /** The samples that are shown; separate planes of others are never read. */
  readonly shown: readonly number[];
  readonly subsampling: readonly [horizontal: number, vertical: number];
}

/**
 * Chunks may share stored bytes (writers do that with empty tiles), but all that is read may be at most this
 * many times the file. Otherwise a small file could have its longest chunk read a million times.
 */
const MAX_REUSE = 2;
/** Small files may repeat more: the tables of JPEG data count with every chunk. */
const FREE_REUSE_BYTES = 1 << 20;

/** Tiles may extend beyond the page, but at most this many pixels are unpacked for it. */
const MAX_PADDED_PIXELS = 1 << 27;

/** How many chunks are checked between two yields, and the work of one. */
const CHECKED_AT_ONCE = 16_384;
const CHECKING_WORK = 4;

/**
 * Finds the chunks and checks that each lies inside the file. Yields work on the way.
 * @throws Fault 'decoding' when one does not, naming its first row, or when their sizes make no sense;
 * 'limit'
 */
export function* chunksOf(directory: Directory, shape: ChunkShape): Generator<Work, Chunks> {
  const tileOffsets = directory.values(Tag.TileOffsets);
  const tiled = tileOffsets !== undefined || directory.values(Tag.TileWidth) !== undefined;
  const offsets = tileOffsets ?? directory.values(Tag.StripOffsets);
  const counts = directory.values(Tag.TileByteCounts) ?? directory.values(Tag.StripByteCounts);
  if (offsets === undefined)
    throw decodingFault('The TIFF does not say where its pixels are: no strips and no tiles');

  const rowsPerStrip = directory.number(Tag.RowsPerStrip, shape.height);
  const width = tiled ? directory.number(Tag.TileWidth, 0) : shape.width;
  const height = tiled ? directory.number(Tag.TileLength, 0) : Math.min(rowsPerStrip, shape.height);
  if (!(Number.isSafeInteger(width) && width >= 1 && Number.isSafeInteger(height) && height >= 1)) {
    throw decodingFault(`The TIFF has ${tiled ? 'tiles' : 'strips'} of ${width} × ${height} pixels`);
  }
  const across = Math.ceil(shape.width / width);
  const down = Math.ceil(shape.height / height);
  if (across * width * shape.height > Math.max(MAX_PADDED_PIXELS, shape.width * shape.height)) {
    throw limitFault(
      `The TIFF has tiles ${width} pixels wide on a page ${shape.width} wide: too much of them is unused`,
    );
  }
  const planes = shape.planar ? shape.shown : [0];
  const perPlane = across * down;
  const needed = perPlane * (Math.max(...planes) + 1);
  const what = tiled ? 'tile' : 'strip';
  if (offsets.count < needed || (counts !== undefined && counts.count < needed)) {
    const found = Math.min(offsets.count, counts?.count ?? needed);
    throw decodingFault(`The TIFF needs ${needed} ${what}s for its ${shape.height} rows but lists ${found}`);
  }

  const file = directory.file;
  const tables = directory.values(Tag.JPEGTables)?.count ?? 0;
  const rowBytes = storedBytes(shape, width);
  /**
   * Start and length of a chunk. The length is that listed; if none is, or 0, it reaches to the next chunk,
   * as libtiff estimates it. For uncompressed data it is no more than the chunk's size.
   */
  const range = (index: number) => {
    const start = offsets.at(index);
    const next = index + 1 < needed ? offsets.at(index + 1) : file.length;
    const listed = counts?.at(index) ?? 0;
    const toNext = (next > start ? Math.min(next, file.length) : file.length) - start;
    const length = listed === 0 && start > 0 ? toNext : listed;
    if (shape.compression !== Compression.None) return [start, length] as const;
    const top = Math.floor((index % perPlane) / across) * height;
    const rows = tiled ? height : Math.min(height, shape.height - top);
    return [start, Math.min(length, rowBytes * Math.ceil(rows / shape.subsampling[1]))] as const;
  };
  let total = 0;
  let largest = 0;
  for (const plane of planes) {
    for (let index = plane * perPlane; index < (plane + 1) * perPlane; index++) {
      const [start, length] = range(index);
      if (!(start >= 0 && length >= 1 && start + length <= file.length)) {
        const row = Math.floor((index % perPlane) / across) * height;
        const place = `bytes ${start} to ${start + length} of a file of ${file.length}`;
        throw decodingFault(`The TIFF's ${what} ${index}, which begins at row ${row}, lies at ${place}`);
      }
      total += length + tables;
      largest = Math.max(largest, length + tables);
      if (index % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) yield CHECKED_AT_ONCE * CHECKING_WORK;
    }
  }
  if (total > MAX_REUSE * file.length + FREE_REUSE_BYTES) {
    throw limitFault(
      `The TIFF's ${what}s add up to ${total} bytes, far more than the ${file.length} of the file`,
    );
  }
  return {
    tiled,
    width,
    height,
    across,
    down,
    largest,
    bytesOf(column, row, plane) {
      const [start, length] = range((plane * down + row) * across + column);
      return file.bytes.subarray(start, start + length);
    },
  };
}

/**
 * Bytes of one stored row of a chunk; with subsampled colour (TIFF 6.0 section 21), of one row of data units,
 * which hold several rows of pixels.
 */
export function storedBytes(
  {
    bits,
    samples,
    planar,
    subsampling: [horizontal, vertical],
  }: Pick<ChunkShape, 'bits' | 'samples' | 'planar' | 'subsampling'>,
  width: number,
): number {
  if (horizontal * vertical > 1) return Math.ceil(width / horizontal) * (horizontal * vertical + 2);
  return Math.ceil((width * (planar ? 1 : samples) * bits) / 8);
}
