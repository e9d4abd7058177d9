import { inWorker } from './in_worker.ts';

/** Height of a thumbnail in pixels: twice that of its button, for screens with small pixels. */
const HEIGHT = 128;

/** Each waits for the one before it, so that the picture that is shown never waits for more than one. */
let last: Promise<unknown> = Promise.resolve();

/** Draws a small copy of a photo. @returns whether this browser can decode it */
export function drawThumbnail(file: Blob, canvas: HTMLCanvasElement): Promise<boolean> {
  const drawn = last.then(async () => {
    // Removed from the list while it waited.
    if (!canvas.isConnected) return false;
    try {
      const bitmap = await inWorker('thumbnail', file, HEIGHT);
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      // Drawn, since a canvas that shows the bitmap itself forgets its orientation on the screen.
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
