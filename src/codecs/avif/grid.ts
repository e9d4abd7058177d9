import type { ColumnRange } from '../../core/av1/columns.ts';
import { ROW_SLACK } from '../../core/constants.ts';
import { type Core, createCore } from '../../core/instance.ts';
import { Scratch } from '../../core/scratch.ts';
import { scratchBytes } from '../../core/sizes.ts';
import { decodingFault, unsupportedFault } from '../../faults.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import type { Work } from '../../scheduling/work.ts';
import { tilesFor } from './bands.ts';
import type { PlaneFormat, PlanePicture, PlanePlace, PlaneRows } from './planes.ts';

/** The work of opening a tile, in pixels: a decoder with its tables, and the headers of a bitstream. */
export const TILE_WORK: Work = 2048;

/** The work of opening all tiles of a picture and its alpha; pure. */
export function gridWork({ avif }: FileFacts): { work: Work; parts: string } {
  const tiles = [avif?.colour, avif?.alpha].reduce(
    (sum, grid) => sum + (grid ? grid.columns * grid.rows : 0),
    0,
  );
  return { work: tiles * TILE_WORK, parts: `${tiles} tiles` };
}

/** How many pixel rows of tiles are joined at a time; even, for whole chroma rows. */
const JOINED_ROWS = 16;

/** A grid of equal tiles. */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** Of the whole; tiles may reach beyond it. */
  readonly width: number;
  readonly height: number;
}

/** Bytes of the joined rows, of Y, then of U and V. */
function joinedSizes(tileWidth: number, columns: number, { monochrome, subX, subY }: PlaneFormat): number[] {
  const plane = (width: number, rows: number) => width * columns * rows * 2 + ROW_SLACK;
  const luma = plane(tileWidth, JOINED_ROWS);
  const chroma = plane((tileWidth + subX) >> subX, JOINED_ROWS >> subY);
  return monochrome ? [luma] : [luma, chroma, chroma];
}

/** Bytes that a grid reserves in the core of its rows while it is read. */
export const gridBytes = (tileWidth: number, columns: number, format: PlaneFormat): number =>
  scratchBytes(joinedSizes(tileWidth, columns, format));

/**
 * A grid as one picture. The tiles of a row of tiles are decoded in lockstep, in a core of their own, whose
 * memory the next row of tiles takes over; their rows are joined in the core of the job.
 */
export class GridPicture implements PlanePicture, Disposable {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly monochrome: boolean;
  readonly subX: number;
  readonly subY: number;
  readonly #core: Core;
  readonly #tiles: Core;
  readonly #grid: Grid;
  readonly #openTile: (core: Core, index: number) => PlanePicture;
  readonly #tileWidth: number;
  readonly #tileHeight: number;

  /**
   * @param core that joined rows will lie in
   * @param openTile opens a tile in a core, and reserves what reading it needs there
   * @param expectedBytes that the tiles' core will probably need
   * @throws Fault 'decoding' if the tiles do not cover the grid, 'unsupported' for tiles of odd sizes, and
   * whatever opening the first tile throws
   */
  constructor(
    core: Core,
    grid: Grid,
    openTile: (core: Core, index: number) => PlanePicture,
    expectedBytes: number,
  ) {
    this.#core = core;
    this.#grid = grid;
    this.#openTile = openTile;
    this.#tiles = createCore(expectedBytes);
    try {
      const start = this.#tiles.exports.mark();
      const { width, height, depth, monochrome, subX, subY } = openTile(this.#tiles, 0);
      this.#tiles.exports.release(start);
      [this.depth, this.monochrome, this.subX, this.subY] = [depth, monochrome, subX, subY];
      [this.width, this.height] = [width * grid.columns, height * grid.rows];
      [this.#tileWidth, this.#tileHeight] = [width, height];
      if (this.width < grid.width || this.height < grid.height) {
        throw decodingFault(
          `The AVIF is a grid of ${grid.width} × ${grid.height} pixels but its tiles cover ${this.width} × ${this.height}`,
        );
      }
      const isOdd =
        (subX & width & 1 & Number(grid.columns > 1)) | (subY & height & 1 & Number(grid.rows > 1));
      if (isOdd && !monochrome) {
        throw unsupportedFault(
          `The AVIF is a grid of tiles of ${width} × ${height} pixels that share chroma samples`,
        );
      }
    } catch (error) {
      this.#tiles[Symbol.dispose]();
      throw error;
    }
  }

  /** Bytes that the tiles' core has needed. */
  get heldBytes(): number {
    return this.#tiles.heldBytes;
  }

  /** Decodes nothing of tiles that hold no column of the range. */
  *rows(range?: ColumnRange): Generator<PlaneRows | Work> {
    const { columns, rows } = this.#grid;
    const { first, end } = range ? tilesFor(range, this.#tileWidth) : { first: 0, end: columns };
    const offset = range ? range.from - first * this.#tileWidth : 0;
    const indices = Array.from({ length: end - first }, (_, index) => first + index);
    using scratch = new Scratch(this.#core, joinedSizes(this.#tileWidth, indices.length, this));
    for (let row = 0; row < rows; row++) {
      const top = row * this.#tileHeight;
      if (top >= this.#grid.height) return;
      const { exports } = this.#tiles;
      const start = exports.mark();
      try {
        const tiles: PlanePicture[] = [];
        for (const column of indices) {
          tiles.push(this.#open(row * columns + column));
          yield TILE_WORK;
        }
        yield* this.#joined(tiles, top, offset, scratch.places);
      } finally {
        if (!this.#tiles.disposed) exports.release(start);
      }
    }
  }

  [Symbol.dispose](): void {
    this.#tiles[Symbol.dispose]();
  }

  /** Opens a tile and checks that it is like the first. */
  #open(index: number): PlanePicture {
    const tile = this.#openTile(this.#tiles, index);
    const isAlike =
      tile.width === this.#tileWidth &&
      tile.height === this.#tileHeight &&
      tile.depth === this.depth &&
      tile.monochrome === this.monochrome &&
      tile.subX === this.subX &&
      tile.subY === this.subY;
    if (!isAlike) throw decodingFault(`Tile ${index + 1} of the AVIF's grid is not like its first tile`);
    return tile;
  }

  /** The rows of tiles, joined side by side. @param offset of the first column that is asked for */
  *#joined(
    tiles: readonly PlanePicture[],
    top: number,
    offset: number,
    places: readonly number[],
  ): Generator<PlaneRows | Work> {
    const readers = tiles.map((tile) => tile.rows()[Symbol.iterator]());
    const batches: PlaneRows[] = [];
    for (let y = 0; y < this.#tileHeight; ) {
      let end = Math.min(y + JOINED_ROWS, this.#tileHeight);
      for (const [column, reader] of readers.entries()) {
        while (!batches[column] || batches[column].y + batches[column].rows <= y) {
          const next = reader.next();
          if (next.done)
            throw decodingFault(`The AVIF image data ends at row ${top + y} of ${this.#grid.height}`);
          if (typeof next.value === 'number') yield next.value;
          else batches[column] = next.value;
        }
        end = Math.min(end, batches[column].y + batches[column].rows);
      }
      const planes = places.map((place, plane) => {
        const { at, stride } = this.#copyRows(batches, plane, y, end, place);
        return { at: at + (plane > 0 ? offset >> this.subX : offset) * 2, stride };
      });
      yield { y: top + y, rows: end - y, planes };
      y = end;
    }
  }

  /** Copies rows [y, end) of luma, or their chroma rows, of all tiles into one place. */
  #copyRows(batches: readonly PlaneRows[], plane: number, y: number, end: number, place: number): PlanePlace {
    const isChroma = plane > 0;
    const shift = isChroma ? this.subY : 0;
    const samples = isChroma ? (this.#tileWidth + this.subX) >> this.subX : this.#tileWidth;
    const stride = samples * batches.length * 2;
    const [first, last] = [y >> shift, (end + shift) >> shift];
    const source = new Uint8Array(this.#tiles.exports.memory.buffer);
    const target = new Uint8Array(this.#core.exports.memory.buffer);
    for (const [column, batch] of batches.entries()) {
      const from = batch.planes[plane]!;
      for (let row = first; row < last; row++) {
        const at = from.at + (row - (batch.y >> shift)) * from.stride;
        target.set(
          source.subarray(at, at + samples * 2),
          place + (row - first) * stride + column * samples * 2,
        );
      }
    }
    return { at: place, stride };
  }
}
