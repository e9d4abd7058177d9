import type { Raster, Strip, Work } from '../codecs/types.ts';

/** What a step changes of its source. */
interface Changes extends Partial<Pick<Raster, 'width' | 'height' | 'opaque' | 'grey'>> {
  readonly strips: () => Iterable<Strip | Work>;
  readonly columns?: ((x: number, width: number) => Raster) | undefined;
}

/**
 * The raster that a step makes of its source: of its size, core and traits, but for what changes. Ways of
 * reading a part of the source, and its stored samples, are not passed on: what a step has hidden must not
 * come back by another way.
 */
export function derive(source: Raster, { columns, ...changes }: Changes): Raster {
  const { width, height, opaque, grey, core } = source;
  return { width, height, opaque, grey, core, ...changes, ...(columns && { columns }) };
}
