import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

sharp.concurrency(1);

/**
 * A picture with its labels: `open(turns)` decodes it upright, then turns it clockwise by quarter turns, and gives
 * { raster, faces, ignored } in the pixels of that raster.
 */

/** Held-out pictures, labelled by hand or by agreement of two other detectors; undefined where they are absent. */
export function heldOut(folder) {
  const labels = join(folder, 'labels.json');
  if (!existsSync(labels)) return undefined;
  const { images } = JSON.parse(readFileSync(labels, 'utf8'));
  return images.map(({ f, w, h, faces, ignore }) => ({
    ...picture(() => sharp(join(folder, 'images', f)), w, h, faces.map(fromEdges), ignore.map(fromEdges)),
    leastOverlap: 0.5,
  }));
}

/** Corpus pictures with labels read off by eye to ±3 % of the picture, hence the lenient overlap. */
export function corpus(folder) {
  const manifest = join(folder, 'manifest.json');
  if (!existsSync(manifest)) return undefined;
  const { files } = JSON.parse(readFileSync(manifest, 'utf8'));
  return files
    .filter(({ faces, file }) => faces && !file.includes('alpha0'))
    .map(({ file, oriented_width, oriented_height, faces }) => ({
      ...picture(
        () => sharp(join(folder, file)).rotate(),
        oriented_width,
        oriented_height,
        faces.map(([x, y, w, h]) => ({ x, y, w, h })),
        [],
      ),
      leastOverlap: 0.3,
    }));
}

/**
 * Contact sheets of 4000 × 3000 pixels: held-out pictures with faces, each shrunk so that its median face is `height`
 * high, side by side on grey. They stand in for 12-megapixel photos of distant people.
 */
export function sheets(pictures, height, most) {
  const size = { width: 4000, height: 3000 };
  const made = [];
  let sheet = { cells: [], x: 0, y: 0, deep: 0 };
  for (const source of pictures.filter(({ faces }) => faces.length > 0)) {
    const tall = source.faces.map(({ h }) => h).sort((a, b) => a - b)[source.faces.length >> 1];
    const scale = height / tall;
    if (scale > 1) continue;
    const width = Math.round(source.width * scale);
    const deep = Math.round(source.height * scale);
    if (sheet.x + width > size.width) sheet = { ...sheet, x: 0, y: sheet.y + sheet.deep, deep: 0 };
    if (sheet.y + deep > size.height) {
      made.push(sheet.cells);
      if (made.length === most) break;
      sheet = { cells: [], x: 0, y: 0, deep: 0 };
    }
    sheet.cells.push({ source, scale, left: sheet.x, top: sheet.y, width, height: deep });
    sheet = { ...sheet, x: sheet.x + width, deep: Math.max(sheet.deep, deep) };
  }
  if (made.length < most && sheet.cells.length > 0) made.push(sheet.cells);
  return made.map((cells) => sheetOf(cells, size));
}

function sheetOf(cells, size) {
  const place = (kind) =>
    cells.flatMap(({ source, scale, left, top }) =>
      source[kind].map((box) => ({
        x: left + box.x * scale,
        y: top + box.y * scale,
        w: box.w * scale,
        h: box.h * scale,
      })),
    );
  const draw = async () => {
    const inputs = await Promise.all(
      cells.map(async ({ source, width, height, left, top }) => ({
        input: await source
          .decode()
          .resize(width, height, { fit: 'fill' })
          .png({ compressionLevel: 0 })
          .toBuffer(),
        left,
        top,
      })),
    );
    const canvas = sharp({ create: { ...size, channels: 3, background: '#808080' } }).composite(inputs);
    return sharp(await canvas.png({ compressionLevel: 0 }).toBuffer());
  };
  const whole = picture(draw, size.width, size.height, place('faces'), place('ignored'));
  return { ...whole, leastOverlap: 0.5 };
}

function picture(decode, width, height, faces, ignored) {
  return {
    decode,
    width,
    height,
    faces,
    ignored,
    async open(turns = 0) {
      const pipeline = (await decode())
        .flatten({ background: '#ffffff' })
        .toColourspace('srgb')
        .removeAlpha();
      const upright = await pipeline.raw().toBuffer({ resolveWithObject: true });
      const { data, info } =
        turns === 0
          ? upright
          : await sharp(upright.data, { raw: upright.info })
              .rotate(90 * turns)
              .raw()
              .toBuffer({ resolveWithObject: true });
      const turned = (box) => turnBox(box, turns, { width, height });
      return {
        raster: rasterOf(data, info.width, info.height),
        faces: faces.map(turned),
        ignored: ignored.map(turned),
      };
    },
  };
}

const fromEdges = ([left, top, right, bottom]) => ({ x: left, y: top, w: right - left, h: bottom - top });

function turnBox({ x, y, w, h }, turns, { width, height }) {
  if (turns === 0) return { x, y, w, h };
  return turnBox({ x: height - y - h, y: x, w: h, h: w }, turns - 1, { width: height, height: width });
}

/** Rows of RGBA out of decoded RGB, 64 at a time. */
function rasterOf(rgb, width, height) {
  return {
    width,
    height,
    opaque: true,
    grey: false,
    *strips() {
      const pixels = new Uint8Array(64 * width * 4).fill(255);
      for (let y = 0; y < height; y += 64) {
        const rows = Math.min(64, height - y);
        for (let from = y * width * 3, to = 0; to < rows * width * 4; from += 3, to += 4) {
          pixels[to] = rgb[from];
          pixels[to + 1] = rgb[from + 1];
          pixels[to + 2] = rgb[from + 2];
        }
        yield { y, rows, pixels: pixels.subarray(0, rows * width * 4) };
      }
    },
  };
}
