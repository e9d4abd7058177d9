import type { ColumnRange } from '../../core/av1/columns.ts';
import type { Av1Format } from '../../metadata/facts.ts';
import type { Work } from '../types.ts';

/** Rows of one plane in a core: address of the first sample that is read, and bytes from row to row. */
export interface PlanePlace {
  readonly at: number;
  readonly stride: number;
}

/**
 * Rows [y, y + rows) of luma and the chroma rows that belong to them, 16 bits a sample, valid until the next
 * pull. If chroma has half the rows, `y` is even, and `rows` is even except at the picture's end.
 */
export interface PlaneRows {
  readonly y: number;
  readonly rows: number;
  /** Y, U, V, or Y alone. */
  readonly planes: readonly PlanePlace[];
}

/** Which planes there are, and how large chroma's are. */
export type PlaneFormat = Pick<Av1Format, 'monochrome' | 'subX' | 'subY'>;

/** A decoded AV1 picture as rows of its planes, read any number of times. Reads must not be interleaved. */
export interface PlanePicture extends Av1Format {
  /** @param range the columns that are read; it begins at a whole chroma sample. Absent: all */
  rows(range?: ColumnRange): Iterable<PlaneRows | Work>;
}
