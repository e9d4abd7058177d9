import { isHeic } from '../photos/heic.ts';
import { inWorker } from './in_worker.ts';

/** Formats of photographs, which have no transparency. */
const OPAQUE = /^image\/(?:jpe?g|pjpeg|bmp|x-ms-bmp|tiff)$/;

/**
 * Converts a file with this browser to one that the pipeline accepts: upright, within its limit of pixels,
 * without any metadata.
 * @param share most of the pixels to keep, as a fraction of 1: less makes a smaller file
 * @throws Error if this browser can't decode it either
 */
export async function convertHere(file: File, share = 1): Promise<File> {
  const isOpaque = OPAQUE.test(file.type) || /\.jpe?g$/i.test(file.name) || isHeic(file);
  const type = isOpaque ? 'image/jpeg' : 'image/png';
  const blob = await inWorker('converted', file, type, share);
  const stem = file.name.replace(/\.[^.]*$/, '') || 'photo';
  return new File([blob], `${stem}.${isOpaque ? 'jpg' : 'png'}`, { type });
}
