import type { Raster } from '../codecs/types.ts';
import { hasTransparentRows } from '../core/kernels/kernels.ts';
import { changedStrips } from '../strips.ts';
import { derive } from './derive.ts';

/** An image, and what was noticed while it was read. */
export interface NoticedRaster {
  readonly raster: Raster;
  /** Whether any pixel read so far is not opaque; final once all are read. */
  readonly isTransparent: boolean;
}

/** Checks the alpha of an image on its way: many pictures have an alpha channel that hides nothing. */
export function noticeTransparent(source: Raster): NoticedRaster {
  let isTransparent = false;
  const strips = () =>
    changedStrips(source.strips(), ({ pixels }) => {
      isTransparent ||= hasTransparentRows(source.core, pixels);
    });
  return {
    raster: source.opaque ? source : derive(source, { strips }),
    get isTransparent() {
      return isTransparent;
    },
  };
}
