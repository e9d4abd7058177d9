import { type Core, createCore } from '../core/instance.ts';
import type { DecodedRaster, Raster } from './types.ts';

/**
 * The same image with a core for those who read it, where its decoder works in none: the first that has to
 * move its rows moves them there, and the others find them there. Disposing ends both.
 * @param room bytes that they will probably reserve
 */
export function inCore(source: DecodedRaster, room = 0): DecodedRaster {
  if (source.core) return source;
  const core = createCore(room);
  return {
    ...withCore(source, core),
    ...(source.strips16 && { strips16: () => source.strips16!() }),
    ...(source.cmyk && { cmyk: withCore(source.cmyk, core) }),
    [Symbol.dispose]() {
      source[Symbol.dispose]();
      core[Symbol.dispose]();
    },
  };
}

function withCore(raster: Raster, core: Core): Raster {
  const { width, height, opaque, grey } = raster;
  return {
    width,
    height,
    opaque,
    grey,
    core,
    strips: () => raster.strips(),
    ...(raster.columns && { columns: (x, count) => withCore(raster.columns!(x, count), core) }),
    ...(raster.rows && { rows: (y, count) => withCore(raster.rows!(y, count), core) }),
  };
}
