/** Longer side of the copy that is looked at, in pixels: smaller transparent parts are smoothed into it. */
const LOOKED_AT = 256;
/** Alpha that counts as transparent: smoothing and rounding stay above. */
const OPAQUE_FROM = 250;

/** Whether a picture has transparent parts. */
export function isTransparent(picture: ImageBitmap): boolean {
  const scale = Math.min(1, LOOKED_AT / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) return false;
  context.drawImage(picture, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  for (let at = 3; at < data.length; at += 4) if (data[at]! < OPAQUE_FROM) return true;
  return false;
}
