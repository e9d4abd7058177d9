import { type Size, sizeWithin } from '../geometry.ts';
import { isTransparent } from './transparency.ts';

/**
 * What is done with whole pictures, in a worker: the browser decodes beside any thread, but scales and draws
 * in the one that asked.
 */

/** Longest edges of the copies in pixels: sharp enough for a screen, at most 26 MB; and for coarse blocks. */
const SHOWN_EDGE = 2560;
const SMALL_EDGE = 640;
/** Most pixels of a converted picture: within the 50 megapixels that the pipeline takes. */
const MAX_PIXELS = 48e6;
/** Quality of a JPEG that is made on the way; it is encoded once more when it is cleaned. */
const QUALITY = 0.95;

/** Copies of a picture. */
export interface Copies {
  readonly shown: ImageBitmap;
  readonly small: ImageBitmap;
  readonly isTransparent: boolean;
}

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
    const small = await createImageBitmap(shown, resizedWithin(shown, SMALL_EDGE));
    return { shown, small, isTransparent: isTransparent(small) };
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

function resizedWithin({ width, height }: Size, edge: number): ImageBitmapOptions {
  const scale = edge / Math.max(width, height);
  return scale < 1 ? { resizeWidth: Math.round(width * scale), resizeQuality: 'medium' } : {};
}
