import type { Size } from '../geometry.ts';
import type { Pixels } from '../stage/block_means.ts';

/** A picture's pixels at another size; all transparent if the browser lacks the memory. */
export function readPixels(image: CanvasImageSource, { width, height }: Size): Pixels {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) return { data: new Uint8ClampedArray(width * height * 4), width, height };
  context.imageSmoothingQuality = 'medium';
  context.drawImage(image, 0, 0, width, height);
  return { data: context.getImageData(0, 0, width, height).data, width, height };
}
