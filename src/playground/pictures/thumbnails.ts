import { inWorker } from './in_worker.ts';

/** Height of a thumbnail in pixels: twice that of its button, for high-density screens. */
const HEIGHT = 128;

/** Each drawing waits for the previous one, so that the shown picture never waits for more than one. */
let last: Promise<unknown> = Promise.resolve();

/** Draws a small copy of a photo. @returns whether this browser can decode it */
export function drawThumbnail(file: Blob, canvas: HTMLCanvasElement): Promise<boolean> {
  const drawn = last.then(async () => {
    // The photo was removed from the list while it waited.
    if (!canvas.isConnected) return false;
    try {
      const bitmap = await inWorker('thumbnail', file, HEIGHT);
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      // Drawn, because a canvas that displays the bitmap directly loses its orientation on the screen.
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      bitmap.close();
      return true;
    } catch {
      return false;
    }
  });
  last = drawn;
  return drawn;
}
