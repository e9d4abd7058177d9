import sharp from 'sharp';
import { photoPicture } from '../fixtures/pictures.ts';

/** Sizes that benchmarks use: width × height of 4:3 photographs, by megapixels. */
export const photoSizes: Readonly<Record<number, readonly [number, number]>> = {
  1: [1152, 864],
  2: [1632, 1224],
  12: [4000, 3000],
  24: [5664, 4248],
  50: [8160, 6120],
};

/** Sensor noise of the made photographs, in levels. */
const GRAIN = 7;

/**
 * Raw RGB of a made photograph: smooth forms, fine texture and grain, about as compressible as a camera's.
 */
async function rawPhoto(width: number, height: number, grainLevels: number): Promise<Buffer> {
  const { pixels } = photoPicture(1024, 768, 11);
  const forms = await sharp(pixels, { raw: { width: 1024, height: 768, channels: 4 } })
    .removeAlpha()
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  const grain = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: grainLevels },
    },
  })
    .raw()
    .toBuffer();
  for (let i = 0; i < forms.length; i++) forms[i] = Math.max(0, Math.min(255, forms[i]! + grain[i]! - 128));
  return forms;
}

export type PhotoKind = 'jpeg' | 'progressive' | 'png' | 'webp' | 'avif';

/**
 * A made photograph as a file.
 * @param grain levels of noise; less makes a PNG of many megapixels small enough to be sent
 */
export async function photoFile(megapixels: number, kind: PhotoKind, grain = GRAIN): Promise<Buffer> {
  const [width, height] = photoSizes[megapixels]!;
  const photo = sharp(await rawPhoto(width, height, grain), { raw: { width, height, channels: 3 } });
  if (kind === 'png') return photo.png({ compressionLevel: 3 }).toBuffer();
  if (kind === 'avif') return photo.avif({ quality: 60, effort: 1, chromaSubsampling: '4:2:0' }).toBuffer();
  // At effort 1 libwebp's modes of 50 megapixels do not fit into a file.
  if (kind === 'webp') return photo.webp({ quality: 90, effort: megapixels > 24 ? 2 : 1 }).toBuffer();
  return photo.jpeg({ quality: 90, progressive: kind === 'progressive' }).toBuffer();
}
