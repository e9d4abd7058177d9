// Types only: the page's geometry imports rules of the pipeline, which a worker would load with it.
import type { Size } from '../geometry.ts';
import type { Pixels } from '../stage/block_means.ts';
import { readPixels } from './read_pixels.ts';
import { sizeWithin } from './size_within.ts';
import { isTransparent } from './transparency.ts';

/**
 * Jobs on whole pictures, run in a worker: browsers decode in the background for every thread, but scale and
 * draw in the thread that asked.
 */

/** Longest edge of the shown copy in pixels: sharp enough for a screen, at most 26 MB. */
const SHOWN_EDGE = 2560;
/**
 * Longest edge of the copy whose pixels are read: the finest blocks of a photo are seven pixels wide in it;
 * at most 7 MB.
 */
const COUNTED_EDGE = 1280;
/** Most pixels of a converted picture: within the 50 megapixels that the pipeline takes. */
const MAX_PIXELS = 48e6;
/** Quality of an intermediate JPEG; cleaning encodes it once more. */
const QUALITY = 0.95;

/** Copies of a picture. */
export interface Copies {
  readonly shown: ImageBitmap;
  readonly pixels: Pixels;
  readonly isTransparent: boolean;
}

/** The size of the copy whose pixels are read for blocks. */
export const countedSize = (size: Size): Size => within(size, COUNTED_EDGE) ?? size;

export const jobs = {
  /**
   * Copies to draw from, oriented by the browser; null if that is not the picture of this size.
   * @throws DOMException if this browser can't decode it
   */
  async copies(file: Blob, size: Size): Promise<Copies | null> {
    const shown = await createImageBitmap(file, {
      imageOrientation: 'from-image',
      ...resizedWithin(size, SHOWN_EDGE),
    });
    const { width, height } = shown;
    // Some browsers report the size before they turn the picture.
    if (Math.abs((width * size.height) / (height * size.width) - 1) > 0.02) {
      shown.close();
      return null;
    }
    const pixels = readPixels(shown, countedSize(shown));
    return { shown, pixels, isTransparent: isTransparent(pixels) };
  },

  /** A copy of this height. @throws DOMException if this browser can't decode it */
  thumbnail: (file: Blob, height: number): Promise<ImageBitmap> =>
    createImageBitmap(file, { resizeHeight: height, resizeQuality: 'medium' }),

  /**
   * The picture in a format that the pipeline accepts: upright, within its limit of pixels, without metadata.
   * @param share most of the pixels to keep, as a fraction of 1: less makes a smaller file
   * @throws DOMException if this browser can't decode it
   */
  async converted(file: Blob, type: string, share: number): Promise<Blob> {
    const full = await createImageBitmap(file);
    const { width, height } = sizeWithin(full, Math.min(MAX_PIXELS, full.width * full.height * share));
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d')!;
    context.imageSmoothingQuality = 'high';
    context.drawImage(full, 0, 0, width, height);
    full.close();
    return canvas.convertToBlob({ type, quality: QUALITY });
  },
};

export type Jobs = typeof jobs;

function resizedWithin(size: Size, edge: number): ImageBitmapOptions {
  const smaller = within(size, edge);
  return smaller ? { resizeWidth: smaller.width, resizeQuality: 'medium' } : {};
}

/** The size scaled so that its longer side is `edge`; undefined if it is not longer than that. */
function within({ width, height }: Size, edge: number): Size | undefined {
  const scale = edge / Math.max(width, height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return scale < 1 ? { width: scaled(width), height: scaled(height) } : undefined;
}
