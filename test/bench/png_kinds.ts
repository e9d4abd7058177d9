import sharp from 'sharp';
import { noisePicture, type Picture, photoPicture } from '../fixtures/pictures.ts';

/** A kind of picture that is no photograph, or no longer one. */
export interface PngKind {
  readonly name: string;
  /** What the length is compared for: text, screens and palettes alone are held to the tighter aim. */
  readonly flat: boolean;
  readonly picture: Picture;
}

const WIDTH = 1600;
const HEIGHT = 1100;
const WORDS =
  'The quick brown fox jumps over the lazy dog while a careful clerk files every page of record'.split(' ');

const rect = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
const line = (x: number, y: number, size: number, fill: string, words: string) =>
  `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}" fill="${fill}">${words}</text>`;

/** Words by a fixed rule, no two lines alike. */
const words = (seed: number, count: number) =>
  Array.from({ length: count }, (_, i) => WORDS[(seed * 7 + i * i * 3 + i * seed) % WORDS.length]).join(' ');

const page = (fill: string) =>
  Array.from({ length: 54 }, (_, i) => line(60, 50 + i * 19, 15, fill, `${i} ${words(i, 18)}`)).join('');

const PANELS = [
  rect(0, 0, WIDTH, 60, '#1e3a5f'),
  rect(0, 60, 320, 1040, '#f3e9d2'),
  rect(340, 80, 600, 480, '#c8e6c9'),
  rect(960, 80, 620, 480, '#ffd6a5'),
  rect(340, 580, 1240, 500, '#5b2a86'),
];
const PANEL_TEXT = [
  line(20, 40, 26, '#ffffff', words(3, 9)),
  ...Array.from({ length: 44 }, (_, i) => line(14, 90 + i * 23, 14, '#7a1f1f', words(i, 5))),
  ...Array.from({ length: 22 }, (_, i) => line(352, 104 + i * 21, 15, '#0b5d1e', words(i + 5, 10))),
  ...Array.from({ length: 22 }, (_, i) => line(972, 104 + i * 21, 15, '#1d2f9c', words(i + 9, 10))),
  ...Array.from({ length: 24 }, (_, i) => line(352, 606 + i * 20, 15, '#ffe066', words(i + 2, 21))),
];

const CODE_COLOURS = ['#c678dd', '#e5c07b', '#98c379', '#61afef', '#abb2bf', '#5c6370'];
const code = Array.from({ length: 52 }, (_, i) =>
  Array.from({ length: 5 }, (_, j) =>
    line(
      40 + ((i * 3) % 4) * 30 + j * 190,
      34 + i * 20,
      15,
      CODE_COLOURS[(i * 5 + j * 3) % 6]!,
      words(i + j, 3),
    ),
  ).join(''),
).join('');

const chart = [
  ...Array.from({ length: 11 }, (_, i) => rect(100, 80 + i * 90, 1400, 1, '#d0d0d0')),
  ...Array.from({ length: 24 }, (_, i) => {
    const height = 60 + ((i * 397) % 800);
    return rect(120 + i * 57, 980 - height, 34, height, i % 3 ? '#4472c4' : '#ed7d31');
  }),
  ...Array.from({ length: 4 }, (_, j) => {
    const points = Array.from(
      { length: 60 },
      (_, i) => `${110 + i * 23},${500 + 380 * Math.sin(i / (5 + j) + j)}`,
    );
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${CODE_COLOURS[j]}" stroke-width="3"/>`;
  }),
  ...Array.from({ length: 12 }, (_, i) => line(110 + i * 116, 1030, 18, '#333', words(i, 1))),
].join('');

const GRADIENTS = `<linearGradient id="g"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#084"/></linearGradient>
<linearGradient id="s" x2="0" y2="1"><stop offset="0" stop-color="#3b82f6"/><stop offset="1" stop-color="#dbeafe"/></linearGradient>`;

async function drawn(content: string, background: string, size = [WIDTH, HEIGHT]): Promise<Picture> {
  const [width, height] = size as [number, number];
  const svg = `<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg">${GRADIENTS}${
    background === 'none' ? '' : rect(0, 0, width, height, background)
  }${content}</svg>`;
  return {
    width,
    height,
    pixels: new Uint8Array(await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer()),
  };
}

/** Each pixel by a rule of its place. */
function pointwise(width: number, height: number, colour: (x: number, y: number) => number): Picture {
  const words = new Uint32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) words[y * width + x] = colour(x, y) | (255 << 24);
  return { width, height, pixels: new Uint8Array(words.buffer) };
}

const wordsOf = ({ pixels }: Picture) => new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
const grey = (level: number) => level * 0x010101;

/** Levels of a picture's green, spread by Bayer's ordered dithering over so many. */
function dithered(of: Picture, levels: number): Picture {
  const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
  const source = wordsOf(of);
  return pointwise(of.width, of.height, (x, y) => {
    const level = (source[y * of.width + x]! >> 8) & 255;
    const step = Math.min(
      levels - 1,
      Math.floor((level / 255) * (levels - 1) + (bayer[(y % 4) * 4 + (x % 4)]! + 0.5) / 16),
    );
    return grey(Math.round((step * 255) / (levels - 1)));
  });
}

async function ofPalette(of: Picture, colours: number, dither: number): Promise<Picture> {
  const { width, height, pixels } = of;
  const file = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .png({ palette: true, colours, dither })
    .toBuffer();
  return { width, height, pixels: new Uint8Array(await sharp(file).ensureAlpha().raw().toBuffer()) };
}

/** Countries: the nearest of some points, in so many colours, with a border. */
function map(colours: number): Picture {
  const { pixels: random } = noisePicture(90, 1, 4);
  const points = Array.from({ length: 90 }, (_, i) => [
    (random[i * 4]! / 255) * WIDTH,
    (random[i * 4 + 1]! / 255) * HEIGHT,
  ]);
  const { pixels: palette } = noisePicture(colours, 1, 5);
  const fills = new Uint32Array(palette.buffer).map((word) => word & 0xffffff);
  return pointwise(WIDTH, HEIGHT, (x, y) => {
    const [wx, wy] = [x + 22 * Math.sin(y / 41), y + 22 * Math.sin(x / 37)];
    let [least, second, at] = [1e9, 1e9, 0];
    points.forEach(([px, py], i) => {
      const away = Math.hypot(wx - px!, wy - py!);
      if (away < least) [second, least, at] = [least, away, i];
      else if (away < second) second = away;
    });
    return second - least < 3 ? 0 : fills[at % colours]!;
  });
}

/** Sprites of a few colours, each pixel three times as large. */
function sprites(): Picture {
  const { pixels } = noisePicture(64, 64, 6);
  const { pixels: palette } = noisePicture(14, 1, 8);
  const fills = new Uint32Array(palette.buffer);
  return pointwise(960, 720, (x, y) => {
    const [sx, sy] = [Math.floor(x / 3), Math.floor(y / 3)];
    const tile = (Math.floor(sx / 16) * 31 + Math.floor(sy / 16) * 17) % 13;
    const [tx, ty] = [Math.min(sx % 16, 15 - (sx % 16)), sy % 16];
    return fills[(pixels[((tile * 5 + ty) % 64) * 256 + ((tx + tile * 4) % 64) * 4]! >> 4) % 14]! & 0xffffff;
  });
}

function averaged(of: Picture, block: number): Picture {
  const source = wordsOf(of);
  return pointwise(
    of.width,
    of.height,
    (x, y) => source[(y - (y % block)) * of.width + (x - (x % block))]! & 0xffffff,
  );
}

/** All kinds; drawn by code, so that every machine with the same fonts has the same. */
export async function pngKinds(): Promise<PngKind[]> {
  const text = await drawn(page('#222'), '#fafafa');
  const photo = photoPicture(1024, 768, 11);
  const screen = await drawn(
    rect(900, 0, 700, 300, '#3b82f6') + rect(900, 900, 600, 150, 'url(#g)') + page('#222'),
    '#fafafa',
  );
  const kinds: [name: string, flat: boolean, picture: Picture][] = [
    ['text, grey', true, text],
    [
      'text, black on white',
      true,
      pointwise(WIDTH, HEIGHT, (x, y) => (text.pixels[(y * WIDTH + x) * 4]! > 140 ? 0xffffff : 0)),
    ],
    ['text on colours', true, await drawn([...PANELS, ...PANEL_TEXT].join(''), '#ffffff')],
    ['screen, gradient', true, screen],
    ['screen, code', true, await drawn(code, '#282c34')],
    ['screen, chart', true, await drawn(chart, '#ffffff')],
    ['screen, sky', true, await drawn(rect(0, 0, WIDTH, 600, 'url(#s)') + page('#123'), '#ffffff')],
    ['map, 3 colours', true, map(2)],
    ['map, 12 colours', true, map(11)],
    ['sprites, 14 colours', true, sprites()],
    ['photo, 1 bit', true, dithered(photo, 2)],
    ['photo, 4 greys', true, dithered(photo, 4)],
    ['photo, 256 colours', true, await ofPalette(photo, 256, 1)],
    ['photo, 64, undithered', true, await ofPalette(photo, 64, 0)],
    [
      'logo, alpha',
      true,
      await drawn(
        `<circle cx="300" cy="300" r="260" fill="#e63946"/><path d="M80 500 L300 60 L520 500 Z" fill="#f1faee" opacity="0.8"/>${line(90, 560, 60, '#1d3557', 'Record')}`,
        'none',
        [600, 600],
      ),
    ],
    [
      'scan, grey',
      false,
      pointwise(WIDTH, HEIGHT, (x, y) =>
        grey(
          Math.max(
            0,
            Math.min(
              255,
              text.pixels[(y * WIDTH + x) * 4]! - ((x * 7919 + y * 104729 + ((x * y) >> 3)) % 11),
            ),
          ),
        ),
      ),
    ],
    ['photo', false, photo],
    ['photo, mosaic', false, averaged(photo, 16)],
  ];
  return kinds.map(([name, flat, picture]) => ({ name, flat, picture }));
}
