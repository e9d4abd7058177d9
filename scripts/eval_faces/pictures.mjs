import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { withoutDoubles } from './score.ts';

sharp.concurrency(1);

/**
 * A picture with its labels: `open(turns)` decodes it upright, then turns it clockwise by quarter turns, and
 * gives { raster, faces, ignored } in the pixels of that raster.
 */

/**
 * Held-out pictures, labelled by hand or by agreement of two other detectors; undefined where they are
 * absent. Labels of one face count as one. Hand-drawn boxes miss the face by so much in places
 * (models/README.md) that they are matched at a second, lower overlap, too.
 */
export function heldOut(folder) {
  const labels = join(folder, 'labels.json');
  if (!existsSync(labels)) return undefined;
  const { images } = JSON.parse(readFileSync(labels, 'utf8'));
  return images.map(({ f, w, h, faces, ignore }) => ({
    ...picture(
      () => sharp(join(folder, 'images', f)),
      w,
      h,
      withoutDoubles(faces.map(fromEdges)),
      ignore.map(fromEdges),
    ),
    overlaps: [0.5, 0.4],
  }));
}

/** Pictures by category: each has the `groups` it belongs to; undefined where they are absent. */
export function categories(folder) {
  const labels = join(folder, 'labels.json');
  if (!existsSync(labels)) return undefined;
  const { images } = JSON.parse(readFileSync(labels, 'utf8'));
  return images.map(({ file, w, h, faces, ignore, group }) => ({
    ...picture(() => sharp(join(folder, file)), w, h, faces.map(fromSides), ignore.map(fromSides)),
    overlaps: [0.4],
    groups: group,
  }));
}

/** Every n-th picture tilted clockwise by so many degrees, on grey. */
export const tilted = (pictures, degrees, every, first) =>
  altered(pictures, every, first, (source) => {
    const angle = (degrees * Math.PI) / 180;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const size = {
      width: Math.ceil(Math.abs(source.width * cos) + Math.abs(source.height * sin)),
      height: Math.ceil(Math.abs(source.width * sin) + Math.abs(source.height * cos)),
    };
    const place = ({ x, y, w, h }) => {
      const [dx, dy] = [x + (w - source.width) / 2, y + (h - source.height) / 2];
      const [tiltedW, tiltedH] = [Math.hypot(w * cos, h * sin), Math.hypot(w * sin, h * cos)];
      const left = dx * cos - dy * sin + (size.width - tiltedW) / 2;
      return { x: left, y: dx * sin + dy * cos + (size.height - tiltedH) / 2, w: tiltedW, h: tiltedH };
    };
    const draw = async () => {
      const grey = { background: '#6e6e6e' };
      const turned = await flat(source).rotate(degrees, grey).png().toBuffer();
      return sharp(turned).resize(size.width, size.height, { fit: 'fill' });
    };
    return { draw, size, place };
  });

/** Every n-th picture with 0.22 of its brightness, and the noise of a JPEG. */
export const darkened = (pictures, every, first) =>
  altered(pictures, every, first, (source) => ({
    draw: async () => sharp(await flat(source).linear(0.22, 0).jpeg({ quality: 85 }).toBuffer()),
    size: source,
    place: (box) => box,
  }));

/** Every n-th picture, far too dark (a gamma of 3.5), with the noise of a sensor: the same at every run. */
export const noisy = (pictures, every, first) =>
  altered(pictures, every, first, (source) => ({
    draw: async () => {
      const { data, info } = await flat(source).raw().toBuffer({ resolveWithObject: true });
      let seed = 1;
      // Lehmer's generator; the sum of four of its values, less their mean, is nearly normal.
      const random = () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed / 2_147_483_647;
      };
      for (let i = 0; i < data.length; i++) {
        const noise = (random() + random() + random() + random() - 2) * NOISE * Math.sqrt(3);
        data[i] = Math.max(0, Math.min(255, Math.round(255 * (data[i] / 255) ** 3.5 + noise)));
      }
      return sharp(data, { raw: info });
    },
    size: source,
    place: (box) => box,
  }));

/** Its standard deviation, of 255. */
const NOISE = 5;

/** Every second face of 96 pixels and more, cropped to so much of its label, as a photo of a megapixel. */
export const closeUps = (pictures, share = 1) =>
  pictures
    .flatMap((source) => source.faces.filter(({ h }) => h >= 96).map((face) => ({ source, face })))
    .filter((_, index) => index % 2 === 0)
    .map(({ source, face: { x, y, w, h } }) => {
      const inset = (1 - share) / 2;
      const [left, top] = [Math.max(0, Math.floor(x + w * inset)), Math.max(0, Math.floor(y + h * inset))];
      const width = Math.min(source.width, Math.ceil(x + w - w * inset)) - left;
      const height = Math.min(source.height, Math.ceil(y + h - h * inset)) - top;
      const scale = Math.sqrt(1e6 / (width * height));
      const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
      const draw = async () => {
        const crop = flat(source).extract({ left, top, width, height });
        const enlarged = sharp(await crop.png().toBuffer()).resize(size.width, size.height, { fit: 'fill' });
        return sharp(await enlarged.png({ compressionLevel: 0 }).toBuffer());
      };
      const label = { x: 0, y: 0, w: size.width, h: size.height };
      return { ...picture(draw, size.width, size.height, [label], []), overlaps: source.overlaps };
    });

/** A picture cropped to the shape of `size` and enlarged to it; without labels. */
export const enlarged = (source, size) =>
  picture(
    async () =>
      sharp(
        await flat(source)
          .resize(size.width, size.height, { fit: 'cover' })
          .png({ compressionLevel: 0 })
          .toBuffer(),
      ),
    size.width,
    size.height,
    [],
    [],
  );

const flat = (source) =>
  source.decode().flatten({ background: '#ffffff' }).toColourspace('srgb').removeAlpha();

function altered(pictures, every, first, change) {
  return pictures
    .filter((_, index) => index % every === first)
    .map((source) => {
      const { draw, size, place } = change(source);
      const { faces, ignored, overlaps } = source;
      return { ...picture(draw, size.width, size.height, faces.map(place), ignored.map(place)), overlaps };
    });
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
      overlaps: [0.3],
    }));
}

/**
 * Stand-ins for large photos of distant people: a held-out picture without faces, enlarged to `size`, on it
 * pictures with faces in `columns` and `rows`, each shrunk so that its median face is `height` high.
 */
export function crowds(pictures, size, height, most, columns = 4, rows = 3) {
  const backgrounds = pictures.filter(({ faces, ignored }) => faces.length === 0 && ignored.length === 0);
  const sources = pictures.filter(({ faces }) => faces.length > 0 && medianHeight(faces) >= height);
  const made = [];
  const count = columns * rows;
  const [width, cellHeight] = [size.width / columns, size.height / rows];
  const fits = (source, scale) =>
    source.width * scale <= width * 0.9 && source.height * scale <= cellHeight * 0.9;
  const isSmall = (source) => fits(source, height / medianHeight(source.faces));
  const usable = columns > 4 ? sources.filter(isSmall) : sources;
  while (
    made.length < most &&
    (columns > 4 ? usable.length > 0 : usable.length >= (made.length + 1) * count)
  ) {
    const cells = Array.from({ length: count }, (_, index) => {
      const source = usable[(made.length * count + index) % usable.length];
      const scale = height / medianHeight(source.faces);
      const left = Math.round(((index % columns) + (columns > 4 ? 0.02 : 0.1)) * width);
      const top = Math.round((Math.floor(index / columns) + (columns > 4 ? 0.02 : 0.1)) * cellHeight);
      return { source, scale, left, top };
    });
    made.push(crowd(backgrounds[made.length], cells, size));
  }
  return made;
}

const medianHeight = (faces) => faces.map(({ h }) => h).sort((a, b) => a - b)[faces.length >> 1];

function crowd(background, cells, size) {
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
      cells.map(async ({ source, scale, left, top }) => ({
        input: await source
          .decode()
          .resize(Math.round(source.width * scale), Math.round(source.height * scale), { fit: 'fill' })
          .png({ compressionLevel: 0 })
          .toBuffer(),
        left,
        top,
      })),
    );
    const canvas = background.decode().resize(size.width, size.height, { fit: 'cover' }).composite(inputs);
    return sharp(await canvas.png({ compressionLevel: 0 }).toBuffer());
  };
  return { ...picture(draw, size.width, size.height, place('faces'), place('ignored')), overlaps: [0.5] };
}

/** @param decode gives a sharp pipeline */
export function picture(decode, width, height, faces, ignored) {
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
      const turned = (box) => rotateBox(box, turns, { width, height });
      return {
        raster: rasterOf(data, info.width, info.height),
        faces: faces.map(turned),
        ignored: ignored.map(turned),
      };
    },
  };
}

const fromSides = ([x, y, w, h]) => ({ x, y, w, h });
const fromEdges = ([left, top, right, bottom]) => ({ x: left, y: top, w: right - left, h: bottom - top });

function rotateBox({ x, y, w, h }, turns, { width, height }) {
  if (turns === 0) return { x, y, w, h };
  return rotateBox({ x: height - y - h, y: x, w: h, h: w }, turns - 1, { width: height, height: width });
}

/** Rows of RGBA out of decoded RGB, 64 at a time. */
export function rasterOf(rgb, width, height) {
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
