import type { Component, Components, SampleBand, StoredSamples } from '../codecs/jpeg/planes.ts';
import type { Raster, Size, Work } from '../codecs/types.ts';
import type { Core } from '../core/instance.ts';
import type { RowTaps } from '../core/kernels/resizer.ts';
import {
  GROUP_ROWS,
  SampleResizer,
  type SamplesShape,
  sampleResizerBytes,
} from '../core/kernels/sample_resizer.ts';
import { rowsWork } from '../scheduling/work.ts';
import { type FilterTable, LanczosFilter, LOBES, lanczosTaps, maxTaps } from './lanczos.ts';

/** The samples of components of one size, and the size that they are resized to. */
interface Grid extends Component {
  readonly to: Size;
}

/**
 * Resizes a raster's components separately, by the filter of `resize`, to as many samples of chroma as of
 * luma. The encoder reads these instead of pixels, which are never made.
 * @param source that the components are of
 * @param room bytes that may be reserved in its core
 * @returns undefined if that takes more memory
 */
export function resizeSamples(
  { core, grey }: Raster,
  components: Components,
  to: Size,
  room: number,
): StoredSamples | undefined {
  const grids = gridsOf(components.sizes, to);
  const shape = shapeOf(components.sizes, grids, to);
  if (sampleResizerBytes(shape) > room) return undefined;
  return {
    sampling: grey ? 'grey' : '4:4:4',
    mayBeHalved: true,
    bands: () => resizedBands(core, components, grids, shape, to),
  };
}

const isSame = (a: Component, b: Component) =>
  a.shown.width === b.shown.width && a.shown.height === b.shown.height;

const gridsOf = (sizes: readonly Component[], to: Size): readonly Grid[] =>
  sizes
    .filter((size, index) => sizes.findIndex((other) => isSame(other, size)) === index)
    .map((size) => ({ ...size, to }));

function shapeOf(sizes: readonly Component[], grids: readonly Grid[], to: Size): SamplesShape {
  return {
    width: to.width,
    grids: grids.map(({ width, height }) => ({
      tapsAcross: maxTaps(width, to.width),
      tapsDown: maxTaps(height, to.height),
    })),
    components: sizes.map((size) => {
      const grid = grids.findIndex((other) => isSame(other, size));
      return { fromWidth: size.width, heldRows: heldRows(grids[grid]!, grids), grid };
    }),
  };
}

/**
 * The rows of a grid that are held while a group is made: those of its taps, and those that have arrived
 * before the last one of another grid, whose taps may reach further.
 */
function heldRows(grid: Grid, grids: readonly Grid[]): number {
  const step = stepDown(grid);
  const rows = step * (GROUP_ROWS - 1 + rowsAhead(grid) + Math.max(...grids.map(rowsAhead)));
  const atOnce = Math.max(...grids.map(({ height }) => grid.height / height));
  return Math.min(grid.height, Math.ceil(rows + atOnce + 2));
}

const stepDown = ({ shown, to }: Grid) => shown.height / to.height;

/** How many output rows a row's taps reach beyond its centre. */
const rowsAhead = (grid: Grid) => LOBES * Math.max(1, 1 / stepDown(grid)) + 0.5 / stepDown(grid);

function* resizedBands(
  core: Core,
  components: Components,
  grids: readonly Grid[],
  shape: SamplesShape,
  to: Size,
): Generator<SampleBand | Work> {
  const across: FilterTable[] = [];
  for (const { width, shown } of grids) across.push(yield* lanczosTaps(width, to.width, shown.width));
  using resizer = new SampleResizer(core, shape, across);
  const groups = grids.map((grid) => new GroupTaps(grid));
  let y = 0;
  let group = groups.map((taps) => taps.of(y));
  const { components: shapes } = shape;
  /** Whether all rows that the group is made from have arrived. */
  const isReady = () => {
    if (y >= to.height) return false;
    for (let index = 0; index < shapes.length; index++) {
      if (resizer.taken(index) < endOf(group[shapes[index]!.grid]!)) return false;
    }
    return true;
  };
  for (const band of components.bands()) {
    if (typeof band === 'number') {
      yield band;
      continue;
    }
    const most = Math.max(...band.map(({ rows }) => rows));
    for (let row = 1; row <= most; row++) {
      for (let index = 0; index < band.length; index++) {
        const { at, stride, rows } = band[index]!;
        // Takes rows of the same height together, so that none is held for long.
        const end = Math.ceil((row * rows) / most);
        for (let next = Math.ceil(((row - 1) * rows) / most); next < end; next++) {
          resizer.take(index, at + next * stride);
        }
      }
      while (isReady()) {
        const rows = Math.min(GROUP_ROWS, to.height - y);
        yield { rows, planes: resizer.make(group) };
        y += rows;
        if (y < to.height) group = groups.map((taps) => taps.of(y));
      }
    }
    yield rowsWork(most, shapes[0]!.fromWidth);
  }
}

const endOf = (rows: readonly RowTaps[]) => {
  const { start, count } = rows[rows.length - 1]!;
  return start + count;
};

/** The taps of a group's rows on one grid: a tall picture has millions. */
class GroupTaps {
  readonly #rows: number;
  readonly #filter: LanczosFilter;
  readonly #weights: readonly Float32Array[];

  constructor(grid: Grid) {
    this.#rows = grid.to.height;
    this.#filter = new LanczosFilter(grid.height, grid.to.height, grid.shown.height);
    const taps = maxTaps(grid.height, grid.to.height);
    this.#weights = Array.from({ length: GROUP_ROWS }, () => new Float32Array(taps));
  }

  /** The taps of the rows from `y` on; valid until the next call. */
  of(y: number): readonly RowTaps[] {
    return this.#weights.slice(0, this.#rows - y).map((weights, row) => {
      const { start, count } = this.#filter.sample(y + row, weights);
      return { start, count, weights };
    });
  }
}
