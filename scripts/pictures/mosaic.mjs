// `npm run picture:mosaic`: the picture of strengths in docs/faces.md, docs/pictures/mosaic.webp. A drawn
// face is sanitized by the library at several strengths: as a chosen region above, as a found face below.
import '../plain_node.mjs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const { drawPeople } = await import('../../test/fixtures/drawn_face.ts');
const { sanitize } = await import('../../dist/package/index.js');

/** The photo, the face in it, and the part that is shown. */
const SIZE = { width: 900, height: 600 };
const FACE = { x: 370, y: 130, w: 160, h: 210 };
const PART = { left: 325, top: 90, width: 250, height: 300 };
const STRENGTHS = [1, 2, 3, 5, 8, 12];
const GAP = 10;
const LABEL = 26;

const { width, height, pixels } = drawPeople(SIZE.width, SIZE.height, [FACE]);
const photo = await sharp(pixels, { raw: { width, height, channels: 4 } })
  .removeAlpha()
  .png()
  .toBuffer();

const rows = [
  (strength) => ({ faces: false, strength, regions: [FACE] }),
  (strength) => ({ faces: true, strength }),
];
const parts = [];
for (const [row, pixelateAt] of rows.entries()) {
  for (const [column, strength] of STRENGTHS.entries()) {
    const { bytes } = await sanitize(photo, { pixelate: pixelateAt(strength), output: { format: 'png' } });
    parts.push({
      input: await sharp(bytes).extract(PART).toBuffer(),
      left: GAP + column * (PART.width + GAP),
      top: LABEL + row * (PART.height + GAP),
    });
  }
}

const wide = GAP + STRENGTHS.length * (PART.width + GAP);
const high = LABEL + rows.length * (PART.height + GAP);
const labels = STRENGTHS.map(
  (strength, column) => `<text x="${GAP + column * (PART.width + GAP)}" y="19">strength ${strength}</text>`,
);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" font-family="sans-serif" font-size="17">
<rect width="100%" height="100%" fill="#fffdf8"/>${labels.join('')}</svg>`;
await sharp(Buffer.from(svg))
  .composite(parts)
  .webp({ quality: 80, effort: 6 })
  .toFile('docs/pictures/mosaic.webp');
