import type { Size } from '../codecs/types.ts';
import { arraysCost } from '../faces/bump_allocator.ts';
import type { DetectorMemory } from '../faces/detector_memory.ts';
import { MULTIPLICATION_TIME, PAUSE_AFTER } from '../faces/network/network.ts';
import type { Span } from '../faces/network/rows.ts';
import { inputSize } from '../faces/tensor.ts';
import type { TimeSlice } from '../scheduling/time_slice.ts';
import { CELL, StepCounter } from './flat.ts';
import { mapKinds, readingModel } from './model.ts';
import type { ReadingMaps } from './read_maps.ts';
import type { ReadingNetwork, ReadingPass } from './reading_network.ts';

/** Rows that wait until it is known which parts of them to read: that also depends on cells below. */
const WAITING_ROWS = 2 * CELL;

/** Cells to the side of and below a busy cell that are read, too; above it only one. */
const NEAR = 2;

/** Rows of the maps that are read together, and how many of them the next ones share: */
const MAP_ROWS = 160;
/** a line of up to 64 pixels is complete in one of the two. */
const SHARED_ROWS = 16;

/** Memory of a view of this size, in bytes. */
export function viewCost(network: ReadingNetwork, size: Size) {
  const input = inputSize(size);
  return {
    inCore: arraysCost(WAITING_ROWS * size.width * 3, network.workspaceBytes(input)),
    elsewhere: 2 * mapValues(input, MAP_ROWS) * Float32Array.BYTES_PER_ELEMENT,
  };
}

const mapValues = ({ width }: Size, rows: number) => (width / readingModel.stride) * rows * mapKinds.length;

/** Shows the network a picture whose rows arrive one by one. */
export class ReadingView {
  readonly #size: Size;
  readonly #input: Size;
  readonly #slice: TimeSlice;
  readonly #onMaps: (maps: ReadingMaps, top: number) => Promise<void>;
  readonly #waiting: Uint8Array;
  readonly #counter: StepCounter;
  /** For each row of cells, from left to right, whether a cell can contain letters. */
  readonly #busy: boolean[][] = [];
  /** For each row of cells, the spans to read. */
  readonly #spans: (readonly Span[])[] = [];
  readonly #maps: Float32Array;
  #pass!: ReadingPass;
  #came = 0;
  #shown = 0;
  /** The first row of the collected maps, and the number of rows. */
  #top = 0;
  #gathered = 0;
  #spent = 0;

  private constructor(
    memory: DetectorMemory,
    size: Size,
    onMaps: (maps: ReadingMaps, top: number) => Promise<void>,
    slice: TimeSlice,
  ) {
    this.#size = size;
    this.#input = inputSize(size);
    this.#onMaps = onMaps;
    this.#slice = slice;
    this.#waiting = memory.bytes(WAITING_ROWS * size.width * 3);
    this.#counter = new StepCounter(size.width);
    this.#maps = new Float32Array(mapValues(this.#input, MAP_ROWS));
  }

  /**
   * @param isSparse leaves out places that can't contain a letter
   * @param onMaps takes maps from the row `top` on, in pixels of the view, and must not use them after it
   * resolves
   */
  static async open(
    network: ReadingNetwork,
    memory: DetectorMemory,
    size: Size,
    isSparse: boolean,
    onMaps: (maps: ReadingMaps, top: number) => Promise<void>,
    slice: TimeSlice,
  ): Promise<ReadingView> {
    const view = new ReadingView(memory, size, onMaps, slice);
    const bytes = network.workspaceBytes(view.#input);
    view.#pass = await network.begin({ core: memory.core, at: memory.take(bytes), bytes }, view.#input, {
      spend: (multiplications) => {
        view.#spent += multiplications;
      },
      ...(isSparse && { spans: (y, width, height) => view.#spansOf(y, width, height) }),
    });
    return view;
  }

  /**
   * Takes the next row of interleaved RGB. If `isDue` is then true, `advance` must be called before the next
   * row.
   */
  push(row: Uint8Array): void {
    const { width, height } = this.#size;
    const at = (this.#came % WAITING_ROWS) * width * 3;
    this.#waiting.set(row, at);
    this.#counter.add(this.#waiting, at);
    this.#came++;
    const isLast = this.#came === height;
    if (!isLast && this.#came % CELL !== 0) return;
    this.#busy.push(this.#counter.take());
    if (this.#busy.length > 1) this.#spans.push(this.#spansAround(this.#busy.length - 2));
    if (isLast) this.#spans.push(this.#spansAround(this.#busy.length - 1));
  }

  get isDue(): boolean {
    return this.#shown < this.#spans.length * CELL;
  }

  /** Shows the network the rows that are due, and reads its results. */
  async advance(): Promise<void> {
    const { width, height } = this.#size;
    while (this.isDue) {
      const at = (this.#shown % WAITING_ROWS) * width * 3;
      this.#pass.push(this.#waiting.subarray(at, this.#shown < height ? at + 3 * width : at));
      this.#shown++;
      for (let row = this.#pass.next(); row; row = this.#pass.next()) {
        this.#maps.set(row, this.#gathered++ * row.length);
        const isLast = this.#top + this.#gathered === this.#input.height / readingModel.stride;
        if (isLast || this.#gathered === MAP_ROWS) await this.#readMaps(row.length);
        await this.#rest();
      }
      await this.#rest();
    }
  }

  async #readMaps(rowLength: number): Promise<void> {
    const values = this.#maps.subarray(0, this.#gathered * rowLength);
    const width = rowLength / mapKinds.length;
    await this.#onMaps({ width, height: this.#gathered, values }, this.#top * readingModel.stride);
    this.#maps.copyWithin(0, (this.#gathered - SHARED_ROWS) * rowLength, values.length);
    this.#top += this.#gathered - SHARED_ROWS;
    this.#gathered = SHARED_ROWS;
  }

  #rest(): Promise<void> | undefined {
    if (this.#spent < PAUSE_AFTER) return undefined;
    const nanoseconds = this.#spent * MULTIPLICATION_TIME;
    this.#spent = 0;
    return this.#slice.spendTime(nanoseconds);
  }

  /**
   * The cells of a row that are busy or close to a busy one: the network needs the surroundings of letters.
   */
  #spansAround(row: number): readonly Span[] {
    const rows = this.#busy.slice(Math.max(0, row - NEAR), row + 2);
    const isNear = (cell: number) =>
      rows.some((busy) => busy.slice(Math.max(0, cell - NEAR), cell + NEAR + 1).includes(true));
    const spans: Span[] = [];
    const cells = this.#input.width / CELL;
    for (let cell = 0; cell < cells; cell++) {
      if (!isNear(cell)) continue;
      const last = spans.at(-1);
      if (last?.to === cell) spans[spans.length - 1] = { from: last.from, to: cell + 1 };
      else spans.push({ from: cell, to: cell + 1 });
    }
    return spans;
  }

  /** The spans to read in a row of a map of the picture. */
  #spansOf(y: number, width: number, height: number): readonly Span[] {
    const perCell = (width * CELL) / this.#input.width;
    const row = Math.floor((y * this.#input.height) / (height * CELL));
    return this.#spans[row]!.map(({ from, to }) => ({ from: from * perCell, to: to * perCell }));
  }
}
