import type { Raster, Strip, Work } from '../codecs/types.ts';

/** What a step changes in its source. */
interface Changes extends Partial<Pick<Raster, 'width' | 'height' | 'opaque' | 'grey'>> {
  readonly strips: () => Iterable<Strip | Work>;
  readonly columns?: ((x: number, width: number) => Raster) | undefined;
}

/**
 * The raster that a step makes from its source, with the source's size, core and traits except for `changes`.
 * `columns`, `rows` and stored samples of the source are not passed on: they would bypass the step.
 */
export function derive(source: Raster, { columns, ...changes }: Changes): Raster {
  const { width, height, opaque, grey, core } = source;
  return { width, height, opaque, grey, core, ...changes, ...(columns && { columns }) };
}
