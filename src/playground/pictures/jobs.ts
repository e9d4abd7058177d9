// Types alone: beside the page's geometry come rules of the pipeline, which a worker would load with it.
import type { Size } from '../geometry.ts';
import type { Pixels } from '../stage/block_means.ts';
import { readPixels } from './read_pixels.ts';
import { sizeWithin } from './size_within.ts';
import { isTransparent } from './transparency.ts';

/**
 * What is done with whole pictures, in a worker: the browser decodes beside any thread, but scales and draws
 * in the one that asked.
 */

/** Longest edge of the copy in pixels: sharp enough for a screen, at most 26 MB. */
const SHOWN_EDGE = 2560;
/** And of the one whose pixels are counted: the finest blocks of a photo have seven across, at most 7 MB. */
const COUNTED_EDGE = 1280;
/** Most pixels of a converted picture: within the 50 megapixels that the pipeline takes. */
const MAX_PIXELS = 48e6;
/** Quality of a JPEG that is made on the way; it is encoded once more when it is cleaned. */
const QUALITY = 0.95;

/** Copies of a picture. */
export interface Copies {
  readonly shown: ImageBitmap;
  readonly pixels: Pixels;
  readonly isTransparent: boolean;
}

/** The size of pixels that blocks are counted in. */
export const countedSize = (size: Size): Size => within(size, COUNTED_EDGE) ?? size;

export const jobs = {
  /**
   * Copies to draw from, turned as the browser turns it; null where that is not the picture of this size.
   * @throws DOMException where this browser can't decode it
   */
  async copies(file: Blob, size: Size): Promise<Copies | null> {
    const shown = await createImageBitmap(file, {
      imageOrientation: 'from-image',
      ...resizedWithin(size, SHOWN_EDGE),
    });
    const { width, height } = shown;
    // Some browsers measure before they turn the picture.
    if (Math.abs((width * size.height) / (height * size.width) - 1) > 0.02) {
      shown.close();
      return null;
    }
    const pixels = readPixels(shown, countedSize(shown));
    return { shown, pixels, isTransparent: isTransparent(pixels) };
  },

  /** A copy of this height. @throws DOMException where this browser can't decode it */
  thumbnail: (file: Blob, height: number): Promise<ImageBitmap> =>
    createImageBitmap(file, { resizeHeight: height, resizeQuality: 'medium' }),

  /**
   * The picture in a format that the pipeline takes: upright, within its limit of pixels, without metadata.
   * @param share of the pixels that are kept at most, 0 to 1: less makes a smaller file
   * @throws DOMException where this browser can't decode it
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

/** The size with its longer side this long; undefined where it is no longer. */
function within({ width, height }: Size, edge: number): Size | undefined {
  const scale = edge / Math.max(width, height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return scale < 1 ? { width: scaled(width), height: scaled(height) } : undefined;
}
