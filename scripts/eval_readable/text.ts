import sharp from 'sharp';

/** Darkness of a rendered text, 0 to 255 per pixel, with a table of its sums. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  /** (width + 1) × (height + 1): the sum of all pixels above and to the left (an integral image). */
  readonly sums: Float64Array;
  readonly pixels: Uint8Array;
}

/** One black line of text on white, set by Pango. @param size of the letters in pixels */
export async function renderText(text: string, font: string, size: number): Promise<Ink> {
  // At 72 dots per inch a point is a pixel.
  const { data, info } = await sharp({ text: { text, font: `${font} ${size}`, dpi: 72 } })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return inkOf(new Uint8Array(data), info.width, info.height);
}

/** @param pixels darkness, 0 to 255 */
export function inkOf(pixels: Uint8Array, width: number, height: number): Ink {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0, row = 0; x < width; x++) {
      row += pixels[y * width + x]!;
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row;
    }
  }
  return { width, height, sums, pixels };
}

/** The sum of the darkness within columns [left, right) and rows [top, bottom), which may lie outside. */
export function inkWithin(
  { width, height, sums }: Ink,
  left: number,
  top: number,
  right: number,
  bottom: number,
) {
  const clampX = (x: number) => Math.min(width, Math.max(0, x));
  const clampY = (y: number) => Math.min(height, Math.max(0, y));
  const at = (x: number, y: number) => sums[clampY(y) * (width + 1) + clampX(x)]!;
  return at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
}

const first =
  `Anna Amir Bela Carla Chen Clara David Derya Elena Emma Erik Fatima Felix Greta Hanna Ibrahim Ines
  Jakob Jana Jonas Karim Klara Lea Lena Lukas Maria Marta Milan Mina Nadia Nora Omar Paula Petra Rosa
  Samir Sofia Tara Tomas Yusuf`.split(/\s+/);
const last = `Adler Bauer Becker Berger Braun Conrad Dietz Ebert Engel Fischer Frank Fuchs Haas Hahn Horn
  Jung Kaiser Keller Klein Koch Krause Lang Lorenz Maier Moser Neumann Otto Peters Pohl Richter Roth
  Sauer Schulz Stein Thoma Ullrich Vogel Wagner Weber Zimmer`.split(/\s+/);

/** Full names, 1,600 of them. */
export const names = first.flatMap((one) => last.map((other) => `${one} ${other}`));

/** The numbers of a plate whose letters are known: 10,000 of them. */
export const plates = Array.from(
  { length: 10_000 },
  (_, number) => `K AB ${String(number).padStart(4, '0')}`,
);
