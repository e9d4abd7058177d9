import sharp from 'sharp';
import { drawPeople, type FaceBox, rotatePicture } from '../fixtures/drawn_face.ts';
import { exifSegment } from '../fixtures/jpeg_writer/segments.ts';
import type { Picture } from '../fixtures/raster.ts';
import { ascii, child, long, rational, short, writeTiffStructure } from '../fixtures/tiff_structure.ts';

/** Upright size of the photo, and the faces in it. */
export const photoSize = { width: 900, height: 640 };
export const people: readonly FaceBox[] = [
  { x: 150, y: 150, w: 130, h: 170 },
  { x: 580, y: 190, w: 120, h: 158 },
];

/** The photo, upright. */
export const uprightPicture = (): Picture => drawPeople(photoSize.width, photoSize.height, people);

const gps = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '48/1 51/1 3000/100',
  GPSLongitudeRef: 'E',
  GPSLongitude: '2/1 17/1 4000/100',
};

/** The photo as a phone held sideways stores it: rotated, orientation 6, with GPS and camera data. */
export async function phoneJpeg(quality = 95): Promise<Buffer> {
  // Orientation 6 means "rotate 90° clockwise to display", so it is stored rotated by 270°.
  const stored = rotatePicture(rotatePicture(rotatePicture(uprightPicture())));
  return sharp(stored.pixels, { raw: { width: stored.width, height: stored.height, channels: 4 } })
    .removeAlpha()
    .withExif({ IFD0: { Make: 'Example', Model: 'Phone 7', Orientation: '6' }, IFD3: gps })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: 'Example', Model: 'Phone 7' }, IFD3: gps })
    .jpeg({ quality, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** The faces of a class in two rows, from left to right, and the size of its photo. */
export const classSize = { width: 2025, height: 760 };
export const classFaces: readonly FaceBox[] = Array.from({ length: 26 }, (_, at) => ({
  x: 30 + 75 * at,
  y: at % 2 === 0 ? 80 : 400,
  w: 90,
  h: 118,
}));

/** A class photo from a phone: two rows of people, and GPS. */
export async function classJpeg(): Promise<Buffer> {
  const { pixels } = drawPeople(classSize.width, classSize.height, classFaces);
  return sharp(pixels, { raw: { ...classSize, channels: 4 } })
    .removeAlpha()
    .withExif({ IFD0: { Make: 'Example', Model: 'Phone 7' }, IFD3: gps })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** The photo in a format that browsers don't display. */
export async function tiff(): Promise<Buffer> {
  const { width, height, pixels } = uprightPicture();
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .tiff()
    .toBuffer();
}

/** Bytes before the content of `heic`. */
export const HEIC_HEAD = 24;

/** A file that says of itself that it is HEIC (ISO/IEC 14496-12, section 4.3) and holds this content. */
export function heic(content: Buffer): Buffer {
  const head = Buffer.alloc(HEIC_HEAD);
  head.writeUInt32BE(HEIC_HEAD, 0);
  head.write('ftypheic\0\0\0\0mif1heic', 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** How much of the second person is seen above the board of `boardPhoto`, as a share of the face. */
export const SEEN_ABOVE_BOARD = 0.366;

/** The photo with the second person behind a board: what is seen is found with a confidence of about 0.48. */
export async function boardPhoto(): Promise<Buffer> {
  const picture = uprightPicture();
  const { x, y, w, h } = people[1]!;
  for (let row = Math.floor(y + h * SEEN_ABOVE_BOARD) + 1; row < y + h + 10; row++) {
    const start = (row * picture.width + x - 20) * 4;
    for (let at = start; at < start + (w + 40) * 4; at++) if (at % 4 !== 3) picture.pixels[at] = 120;
  }
  return sharp(picture.pixels, { raw: { width: picture.width, height: picture.height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** The middle of the photo, of its shape, which still has a thumbnail of the whole photo. */
export async function middleJpeg(): Promise<Buffer> {
  const { width, height, pixels } = uprightPicture();
  const whole = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  const part = { left: 135, top: 96, width: width * 0.7, height: height * 0.7 };
  const thumbnail = await whole.clone().resize(160).jpeg({ quality: 80 }).toBuffer();
  const exif = writeTiffStructure([
    [ascii(271, 'Example')],
    [short(259, 6), { tag: 513, type: 4, data: [thumbnail] }, long(514, thumbnail.length)],
  ]);
  const picture = await whole.extract(part).jpeg().toBuffer();
  return Buffer.concat([picture.subarray(0, 2), exifSegment(exif), picture.subarray(2)]);
}

/** The part of the photo that `croppedJpeg` shows, from its left edge: one person of two. */
export const croppedSize = { width: 320, height: photoSize.height };

/**
 * The photo cropped, stored sideways (orientation 6), which still has a thumbnail of the whole photo; with
 * the place, the time, the author, the camera and its serial number.
 */
export async function croppedJpeg(): Promise<Buffer> {
  const whole = uprightPicture();
  const stored = (picture: Picture) => {
    const turned = rotatePicture(rotatePicture(rotatePicture(picture)));
    const { width, height } = turned;
    return sharp(turned.pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  };
  const part = await sharp(whole.pixels, { raw: { ...photoSize, channels: 4 } })
    .extract({ left: 0, top: 0, ...croppedSize })
    .raw()
    .toBuffer();
  const picture = await stored({ ...croppedSize, pixels: new Uint8Array(part) })
    .jpeg()
    .toBuffer();
  const thumbnail = await stored(whole).resize(160).jpeg({ quality: 80 }).toBuffer();
  const exif = writeTiffStructure([
    [
      ascii(271, 'Example'),
      ascii(272, 'Phone 7'),
      short(274, 6),
      ascii(315, 'Erika Mustermann'),
      child(34665, [ascii(36867, '2024:05:31 17:02:11'), ascii(36881, '+02:00'), ascii(42033, 'SN-0042')]),
      child(34853, [
        ascii(1, 'S'),
        rational(2, 33, 1, 51, 1, 30, 1),
        ascii(3, 'E'),
        rational(4, 151, 1, 12, 1, 40, 1),
      ]),
    ],
    [short(259, 6), { tag: 513, type: 4, data: [thumbnail] }, long(514, thumbnail.length)],
  ]);
  // behind the start of the image
  return Buffer.concat([picture.subarray(0, 2), exifSegment(exif), picture.subarray(2)]);
}
