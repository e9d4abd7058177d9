import { sizeWithin } from './geometry.ts';

/** Most pixels of a converted picture: within the 50 megapixels that the pipeline takes. */
const MAX_PIXELS = 48e6;
/** Quality of a JPEG that is made on the way; it is encoded once more when it is cleaned. */
const QUALITY = 0.95;
/** Formats of photographs, which have no transparency. */
const OPAQUE = /^image\/(?:jpe?g|pjpeg|bmp|x-ms-bmp|hei[cf]|tiff)$/;

/**
 * The picture that this browser makes of a file, as a file that the pipeline takes: upright, within its limit
 * of pixels, without any metadata.
 * @param share of the pixels that are kept at most, 0 to 1: less makes a smaller file
 * @throws DOMException where this browser can't decode it either
 */
export async function convertHere(file: File, share = 1): Promise<File> {
  const full = await createImageBitmap(file);
  const { width, height } = sizeWithin(full, Math.min(MAX_PIXELS, full.width * full.height * share));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(full, 0, 0, width, height);
  full.close();
  const isOpaque = OPAQUE.test(file.type) || /\.(?:jpe?g|hei[cf])$/i.test(file.name);
  const type = isOpaque ? 'image/jpeg' : 'image/png';
  const blob = await canvas.convertToBlob({ type, quality: QUALITY });
  const stem = file.name.replace(/\.[^.]*$/, '') || 'photo';
  return new File([blob], `${stem}.${isOpaque ? 'jpg' : 'png'}`, { type });
}
