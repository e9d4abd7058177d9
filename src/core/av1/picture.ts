import { ROW_UNFINISHED, SAMPLES_AT_ONCE } from '../../../wasm/assembly/av1/constants.ts';
import type { Work } from '../../scheduling/work.ts';
import { Guarded } from '../guarded.ts';
import { type Core, createCore } from '../instance.ts';
import {
  type Av1Columns,
  type ColumnRange,
  type ColumnReading,
  ColumnReadings,
  checkpointCount,
  lumaColumns,
} from './columns.ts';
import { av1Fault, OUT_OF_MEMORY } from './faults.ts';

/** Samples of 16 bits inside the core. */
export interface Av1Plane {
  /** Address of the first of its rows. */
  readonly at: number;
  /** Bytes from a row to the next. */
  readonly stride: number;
  /** Samples of a row. */
  readonly width: number;
}

/** Finished rows inside the core, valid until the next ones. */
export interface Av1Rows {
  /** The first row, in luma rows: even. */
  readonly y: number;
  /** The number of luma rows: even, except at a picture's end. Chroma with half the rows has half as many. */
  readonly rows: number;
  /** Y, U and V; only Y in a monochrome picture. */
  readonly planes: readonly Av1Plane[];
}

/** What a picture's sequence header and frame header say. */
export interface Av1Facts {
  /** Luma samples of the output, after superres. */
  readonly width: number;
  readonly height: number;
  /** 8, 10 or 12 bits a sample. */
  readonly depth: number;
  readonly monochrome: boolean;
  /** Whether chroma has half the columns, or rows, of luma. 1 in a monochrome picture. */
  readonly subsamplingX: 0 | 1;
  readonly subsamplingY: 0 | 1;
  /** Colour description of ITU-T H.273; each is 2 if the sequence header does not state it. */
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly fullRange: boolean;
  /** chroma_sample_position (AV1 specification, section 6.4.2): 0 unknown, 1 vertical, 2 colocated. */
  readonly chromaPosition: number;
  /** All bytes that an `Av1Picture` takes in its core, without the file. */
  readonly bytes: number;
  /** Absent if blocks may be copied from anywhere (intra block copy): then all columns are always decoded. */
  readonly columns?: Av1Columns;
}

/**
 * Reads only the headers. The data may be cut anywhere after the frame header.
 * @param data OBUs of an image item, or their beginning
 * @param operatingPoint of `a1op`, 0 if absent
 * @param layer of `lsel`, −1 if absent
 * @throws Fault 'decoding' | 'unsupported' | 'limit' if headers are wrong or not supported
 */
export function av1Facts(data: Uint8Array, operatingPoint = 0, layer = -1): Av1Facts {
  using core = createCore(data.length);
  const at = core.alloc(data.length);
  core.view(at, data.length).set(data);
  const decoder = core.exports.av1Open(at, data.length, operatingPoint, layer, 1) >>> 0;
  if (decoder === 0) throw av1Fault(OUT_OF_MEMORY, 0, 0);
  const code = core.exports.av1Fault(decoder);
  if (code !== 0) throw av1Fault(code, 0, 0);
  return factsOf(core, decoder);
}

function factsOf(core: Core, decoder: number): Av1Facts {
  const { exports } = core;
  const colour = exports.av1Colour(decoder);
  return {
    width: exports.av1Width(decoder),
    height: exports.av1Height(decoder),
    depth: exports.av1BitDepth(decoder),
    monochrome: exports.av1Monochrome(decoder) !== 0,
    subsamplingX: exports.av1SubsamplingX(decoder) ? 1 : 0,
    subsamplingY: exports.av1SubsamplingY(decoder) ? 1 : 0,
    primaries: colour >>> 16,
    transfer: (colour >>> 8) & 0xff,
    matrix: colour & 0xff,
    fullRange: exports.av1FullRange(decoder) !== 0,
    chromaPosition: exports.av1ChromaPosition(decoder),
    bytes: exports.av1Bytes(decoder),
    ...(exports.av1CopiesBlocks(decoder) === 0 && { columns: columnsOf(core, decoder) }),
  };
}

function columnsOf({ exports }: Core, decoder: number): Av1Columns {
  const superblock = exports.av1SuperblockSize(decoder);
  const borders = exports.av1TileColumns(decoder) + 1;
  const tiles = Array.from({ length: borders }, (_, index) => exports.av1TileStart(decoder, index));
  return {
    width: exports.av1Width(decoder),
    codedWidth: exports.av1CodedWidth(decoder),
    superblock,
    tiles,
    bytes: exports.av1ColumnsBytes(decoder, checkpointCount({ superblock, tiles })),
  };
}

/**
 * An AV1 still picture inside a core. Its headers are read and checked; its rows are decoded on demand, any
 * number of times, bit for bit as in the AV1 Bitstream & Decoding Process Specification, including film
 * grain.
 */
export class Av1Picture {
  /** Where the picture is read. */
  readonly core: Core;
  readonly facts: Av1Facts;
  readonly #guard: Guarded;
  readonly #decoder: number;
  /** Set if columns are read by themselves; `#checkpoints`: where the core is told of checkpoints. */
  #columns: ColumnReadings | undefined;
  #checkpoints = 0;

  /**
   * @param at where the `length` bytes of OBUs lie in the core; they must stay there
   * @param operatingPoint of `a1op`, 0 if absent
   * @param layer of `lsel`, −1 if absent
   * @throws Fault 'decoding' | 'unsupported' | 'limit' if headers are wrong or not supported
   */
  constructor(core: Core, at: number, length: number, operatingPoint = 0, layer = -1) {
    this.core = core;
    this.#guard = new Guarded(core, 'AV1 picture', 'AVIF');
    const { exports } = core;
    this.#decoder = this.#guard.run(() => exports.av1Open(at, length, operatingPoint, layer, 0) >>> 0);
    if (this.#decoder === 0) throw this.#guard.drop(av1Fault(OUT_OF_MEMORY, 0, 0));
    this.#throwFault();
    this.facts = factsOf(core, this.#decoder);
  }

  /**
   * Reserves everything that reads need. Call it once, before the first `rows`.
   * @throws Fault 'limit' when the core cannot grow that far
   */
  reserve(): void {
    if (!this.#guard.run(() => this.core.exports.av1Reserve(this.#decoder))) {
      throw this.#guard.drop(av1Fault(OUT_OF_MEMORY, 0, 0));
    }
  }

  /**
   * Reserves what makes reading some columns cheap: after `reserve`, before the first such read. Does nothing
   * for a picture without `facts.columns`.
   * @param ranges what will be read, in this order, perhaps repeatedly
   * @throws Fault 'limit' when the core cannot grow that far
   */
  reserveColumns(ranges: readonly ColumnRange[]): void {
    const { columns } = this.facts;
    if (!columns) return;
    const { exports } = this.core;
    const at = this.#guard.run(
      () => exports.av1ReserveColumns(this.#decoder, checkpointCount(columns)) >>> 0,
    );
    if (at === 0) throw this.#guard.drop(av1Fault(OUT_OF_MEMORY, 0, 0));
    this.#checkpoints = at;
    this.#columns = new ColumnReadings(columns, ranges);
  }

  /** How many luma columns a read of this range would decode if it were the next. */
  columnsRead(range: ColumnRange): number {
    const { width, columns } = this.facts;
    if (!columns || !this.#columns) return width;
    const { from, to } = lumaColumns(columns, this.#columns.of(range));
    return to - from;
  }

  /**
   * Decodes from the top, some superblock rows at a time. Yields work where that takes long. Starting a read
   * ends the one before it.
   * @param range what is wanted: other columns of the rows may hold anything. Absent: all
   * @throws Fault 'decoding' naming the row reached; afterwards the picture can't be read any more
   */
  *rows(range?: ColumnRange): Generator<Av1Rows | Work, void, void> {
    const { exports } = this.core;
    const decoder = this.#decoder;
    const run = this.#guard.reading();
    const columns = run(() => this.#start(range));
    const planes = this.facts.monochrome ? [0] : [0, 1, 2];
    while (true) {
      const rows = run(() => exports.av1Next(decoder));
      if (rows < 0) this.#throwFault();
      if (rows <= 0) return;
      if (rows === ROW_UNFINISHED) {
        yield SAMPLES_AT_ONCE;
        continue;
      }
      if (columns && exports.av1RowsY(decoder) + rows === this.facts.height) this.#columns!.done(columns);
      yield {
        y: exports.av1RowsY(decoder),
        rows,
        planes: planes.map((plane) => ({
          at: exports.av1Plane(decoder, plane) >>> 0,
          stride: exports.av1PlaneStride(decoder, plane) >>> 0,
          width: exports.av1PlaneWidth(decoder, plane),
        })),
      };
    }
  }

  /** The number of coded bytes that were decoded since the last call. */
  takeCodedBytes(): number {
    return this.core.exports.av1TakeCodedBytes(this.#decoder);
  }

  /** @returns the read if it is one of columns only */
  #start(range: ColumnRange | undefined): ColumnReading | undefined {
    const { exports } = this.core;
    if (!range || !this.#columns) {
      exports.av1Start(this.#decoder);
      return undefined;
    }
    const reading = this.#columns.of(range);
    this.#columns.begin(reading);
    const { first, end, needed, kept, next } = reading;
    const checkpoints = [...kept, ...next];
    new Int32Array(exports.memory.buffer, this.#checkpoints, checkpoints.length).set(checkpoints);
    const { from, to } = range;
    exports.av1StartColumns(this.#decoder, first, end, needed.first, needed.end, from, to);
    return reading;
  }

  #throwFault(): void {
    const { exports } = this.core;
    const code = exports.av1Fault(this.#decoder);
    if (code === 0) return;
    throw this.#guard.drop(
      av1Fault(code, exports.av1RowReached(this.#decoder), exports.av1Height(this.#decoder)),
    );
  }
}
