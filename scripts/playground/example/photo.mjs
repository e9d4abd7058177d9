import sharp from 'sharp';
import { drawBust } from './bust.mjs';
import { withExif } from './exif.mjs';
import { LAYERS, SCENE } from './street.mjs';

/** The part of the scene that the photo shows: somebody has cut away the right. */
const PHOTO = { width: 1280, height: 853 };
/** Where the bust stands, and a second one that only the thumbnail still shows. */
const BUSTS = [
  { left: 175, top: 60, width: 400 },
  { left: 1330, top: 260, width: 215, blur: 1.5 },
];
const GRAIN = 5;

/** What its camera says. The place is a square in Munich; the plate, like all in the picture, is made up. */
const FACTS = {
  make: 'Example',
  model: 'Camera 7',
  serial: 'SN-0042',
  author: 'Erika Mustermann',
  date: '2026:05:31 17:02:11',
  offset: '+02:00',
  latitude: 48.1372,
  longitude: 11.5755,
};

/**
 * The example of the page: a street with a bust of stone and a car, drawn by code. It has a place, a camera
 * with a number, an author, and a thumbnail that shows more than the picture. There is no person in it.
 * @returns {Promise<Buffer>} a JPEG
 */
export async function examplePhoto() {
  const [bust] = BUSTS;
  const height = SCENE.height - bust.top;
  const light = drawBust(bust.width, height);
  const png = await sharp(inBytes(light), { raw: { width: bust.width, height, channels: 4 } })
    .png()
    .toBuffer();
  const layers = [];
  for (const { svg, blur } of LAYERS)
    layers.push({ input: await sharp(Buffer.from(svg)).blur(blur).png().toBuffer() });
  const standing = await Promise.all(
    BUSTS.map(async ({ left, top, width, blur }) => {
      const shown = Math.round((width * height) / bust.width);
      const scaled = sharp(png).resize(width, shown);
      const input = await (blur ? scaled.blur(blur) : scaled)
        .extract({ left: 0, top: 0, width, height: Math.min(shown, SCENE.height - top) })
        .png()
        .toBuffer();
      return { input, left, top };
    }),
  );
  const whole = await sharp({ create: { ...SCENE, channels: 3, background: '#888' } })
    .composite([...layers, ...standing])
    .removeAlpha()
    .raw()
    .toBuffer();
  grainy(whole);
  const raw = { raw: { ...SCENE, channels: 3 } };
  const photo = sharp(whole, raw).extract({ left: 0, top: 0, ...PHOTO });
  const thumbnail = sharp(whole, raw).resize(160).jpeg({ quality: 80 });
  return withExif(await photo.jpeg({ quality: 84 }).toBuffer(), FACTS, await thumbnail.toBuffer());
}

/** Linear light as sRGB (IEC 61966-2-1, by the plain power of 2.2), and cover. */
function inBytes(light) {
  const encoded = (value) => Math.max(0, Math.min(1, value)) ** (1 / 2.2);
  return Buffer.from(light.map((value, at) => 255 * (at % 4 === 3 ? value : encoded(value))));
}

/** The noise of a sensor, and darker corners. */
function grainy(pixels) {
  const { width, height } = SCENE;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let hash = Math.imul(x + 1, 0x27d4eb2d) ^ Math.imul(y + 1, 0x165667b1);
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
      const noise = (((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32 - 0.5) * 2 * GRAIN;
      const off = ((x / PHOTO.width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 0.35;
      const at = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel++)
        pixels[at + channel] = Math.max(0, Math.min(255, pixels[at + channel] * (1 - off) + noise));
    }
  }
}
