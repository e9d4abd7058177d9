import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { corpusFolder } from '../fixtures/corpus.ts';
import type { Picture } from '../fixtures/pictures.ts';
import { seededRandom } from '../fixtures/random.ts';
import { photoFile } from './photos.ts';

/** Camera pictures, shrunk by factors that leave nothing of the blocks they were stored in. */
const CAMERA = [
  ['street, phone', 'jpeg-camera/metadata-extractor-images__Apple_iPhone_6.jpg', 0.37],
  ['room, phone', 'jpeg-camera/metadata-extractor-images__Samsung_SM-G935L_Galaxy_S7_Edge_.jpg', 0.29],
  ['compact', 'jpeg-camera/metadata-extractor-images__Trust_PowerCam_Zoom_LCD_710.JPG', 0.7],
  ['cup', 'nofaces/scikit-image__coffee.png', 1],
  ['dogs', 'nofaces/dlib__dogs.jpg', 0.81],
  ['retina', 'nofaces/scikit-image__retina.jpg', 0.63],
  ['group of people', 'faces/face-api.js__bbt1.jpg', 0.72],
  ['portrait', 'faces/face_recognition__obama1.jpg', 0.67],
] as const;

const [WIDTH, HEIGHT] = [1024, 768];

const drawn = (content: string, background: string): Sharp =>
  sharp(
    Buffer.from(`<svg width="${WIDTH}" height="${HEIGHT}" xmlns="http://www.w3.org/2000/svg">
      <rect width="100%" height="100%" fill="${background}"/>${content}</svg>`),
  );

const lines = (fill: (line: number) => string) =>
  Array.from(
    { length: 30 },
    (_, i) =>
      `<text x="30" y="${40 + i * 25}" font-family="sans-serif" font-size="${13 + (i % 4) * 4}" fill="${fill(i)}">
      Line ${i * 7919} of a page, figures ${i * 31}.${i} and words of several lengths, ${i * i * 97}</text>`,
  ).join('');

/** Every pixel by a function of its place: red, green, blue. */
function painted(colour: (x: number, y: number) => readonly [number, number, number]): Sharp {
  const rgb = new Uint8ClampedArray(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) rgb.set(colour(x, y), (y * WIDTH + x) * 3);
  return sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
}

/** Roughly normal, of a deviation of one. */
const grainOf = (random: () => number) => () =>
  (random() + random() + random() + random() - 2) * Math.sqrt(3);

function foliage(): Sharp {
  return painted((x, y) => {
    const ridge = 330 + 60 * Math.sin(x / 170) + 25 * Math.sin(x / 41 + 1);
    if (y < ridge) return [90 + y / 6, 140 + y / 9, 215 + y / 26];
    const leaf = Math.sin(x * 0.9 + Math.sin(y * 0.31) * 5) * Math.cos(y * 0.7 + Math.sin(x * 0.23) * 4);
    const shade = 60 + 35 * leaf + 25 * Math.sin(x / 37) * Math.cos(y / 29);
    return [shade * 0.7 + 10, shade + 25, shade * 0.35 + 8];
  });
}

/** A clear evening with the grain of a good camera. */
function sky(): Sharp {
  const grain = grainOf(seededRandom(3));
  return painted((x, y) => {
    const part = y / HEIGHT + 0.05 * Math.sin(x / 300);
    const noise = 1.5 * grain();
    return [60 + 170 * part ** 2 + noise, 110 + 90 * part + noise, 190 - 30 * part + noise];
  });
}

/** Lamps and their glow over dark forms, with the grain of a long exposure. */
function night(): Sharp {
  const random = seededRandom(5);
  const grain = grainOf(random);
  const lamps = Array.from({ length: 40 }, () => [random() * WIDTH, random() * HEIGHT, 2 + random() * 5]);
  return painted((x, y) => {
    let glow = 0;
    for (const [left, top, size] of lamps as [number, number, number][])
      glow += size / (1 + ((x - left) ** 2 + (y - top) ** 2) / size ** 2);
    const forms = 14 + 8 * Math.sign(Math.sin(x / 53) * Math.cos(y / 71));
    const light = forms + 45 * glow;
    return [light + 5 * grain(), 0.8 * light + 5 * grain(), 0.45 * light + 8 + 6 * grain()];
  });
}

/** Cheeks and a shadow: smooth, warm, hardly any grain. */
function skin(): Sharp {
  const grain = grainOf(seededRandom(8));
  return painted((x, y) => {
    const light =
      0.75 + 0.25 * Math.cos(Math.hypot(x - 400, y - 380) / 260) - 0.12 * Math.exp(-(((x - 700) / 60) ** 2));
    const pores = 2 * Math.sin(x * 0.8) * Math.sin(y * 0.9 + Math.sin(x * 0.1)) + 1.2 * grain();
    return [222 * light + pores, 172 * light + pores, 146 * light + pores];
  });
}

const made = async (): Promise<readonly (readonly [string, Sharp])[]> => [
  ['made photograph', sharp(await photoFile(1, 'png'))],
  ['sky and foliage, made', foliage()],
  ['sky, made', sky()],
  ['night, made', night()],
  ['skin, made', skin()],
  [
    'page, made',
    drawn(
      lines((i) => (i % 5 ? '#222' : '#b0121b')),
      '#fdfdf8',
    ),
  ],
  [
    'red text on blue, made',
    drawn(
      lines(() => '#ff1a1a'),
      '#1028c0',
    ),
  ],
];

/** Pictures of many kinds of about a megapixel at most; those of the corpus where it is. */
export async function jpegKinds(): Promise<readonly { name: string; picture: Picture }[]> {
  const camera = await Promise.all(
    CAMERA.map(async ([name, file, part]) => {
      const path = join(corpusFolder, file);
      if (!existsSync(path)) return [];
      const { width = 0 } = await sharp(path).metadata();
      return [[name, sharp(path).resize(Math.round(width * part))] as const];
    }),
  );
  const pictures = [...camera.flat(), ...(await made())];
  return Promise.all(
    pictures.map(async ([name, image]) => {
      const raw = image.toColourspace('srgb').removeAlpha().ensureAlpha().raw();
      const { data, info } = await raw.toBuffer({ resolveWithObject: true });
      return { name, picture: { width: info.width, height: info.height, pixels: new Uint8Array(data) } };
    }),
  );
}
