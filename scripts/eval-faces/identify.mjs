/**
 * Whether a mosaic tells who is under it: for people with several pictures, how often does the mosaic of one
 * pick another of the same person out of many faces, by matching at the mosaic's own resolution? The matcher
 * knows where the face is, and tries shifts and sizes of every candidate. Beside it stands chance, and the
 * same matcher on what is hardly coarsened. usage: node scripts/eval-faces/identify.mjs identities.json
 * [folder that holds training/, default ../shared]; identities.json: { person: [picture file, …], … }
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';

sharp.concurrency(1);

/**
 * Blocks across the longer side of a face: 7 is the finest that the service uses, 24 no mosaic worth the
 * name.
 */
const BLOCKS = [24, 7, 5, 4, 3, 2];
const SHIFTS = [-0.1, -0.05, 0, 0.05, 0.1];
const SIZES = [0.9, 1, 1.1];
/** Side of a crop in pixels, and how much larger than the face it is. */
const SIDE = 168;
const ROOM = 1.5;
/** Faces of fewer pixels are no candidates. */
const LEAST_FACE = 64;

const people = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const training = join(process.argv[3] ?? '../shared', 'training');
const personOf = new Map(
  Object.entries(people).flatMap(([person, files]) => files.map((file) => [file, person])),
);

/** The largest face of every picture with a large one: a grey crop, the face in its middle. */
async function readFaces() {
  const read = (name) => JSON.parse(readFileSync(join(training, name, 'labels.json'), 'utf8')).images;
  const pictures = [
    ...read('heldout').map(({ f, faces }) => ({
      path: join(training, 'heldout/images', f),
      faces: faces.map(([left, top, right, bottom]) => [left, top, right - left, bottom - top]),
    })),
    ...read('categories').map(({ file, faces }) => ({ path: join(training, 'categories', file), faces })),
  ];
  const found = [];
  for (const { path, faces } of pictures) {
    const [x, y, w, h] = faces.toSorted((a, b) => b[2] * b[3] - a[2] * a[3])[0] ?? [0, 0, 0, 0];
    const longer = Math.max(w, h);
    if (longer < LEAST_FACE) continue;
    const side = Math.round(longer * ROOM);
    const picture = sharp(path).flatten({ background: '#ffffff' }).greyscale();
    const room = { top: side, bottom: side, left: side, right: side, extendWith: 'copy' };
    const wide = await picture.extend(room).png({ compressionLevel: 0 }).toBuffer();
    const left = Math.round(x + w / 2 + side / 2);
    const top = Math.round(y + h / 2 + side / 2);
    const crop = sharp(wide).extract({ left, top, width: side, height: side }).resize(SIDE, SIDE);
    const grey = await crop.greyscale().raw().toBuffer();
    found.push({ file: basename(path), person: personOf.get(basename(path)), sums: summed(grey) });
  }
  return found;
}

/** Sums of all above and left, so that the mean of any rectangle takes four reads. */
function summed(grey) {
  const sums = new Float64Array((SIDE + 1) ** 2);
  for (let y = 0; y < SIDE; y++) {
    let row = 0;
    for (let x = 0; x < SIDE; x++) {
      row += grey[y * SIDE + x];
      sums[(y + 1) * (SIDE + 1) + x + 1] = sums[y * (SIDE + 1) + x + 1] + row;
    }
  }
  return sums;
}

/** Block means over the face, moved and resized, less their mean and of length 1. */
function mosaic(sums, blocks, dx, dy, size) {
  const face = (SIDE / ROOM) * size;
  const edge = face / blocks;
  const at = (value) => Math.max(0, Math.min(SIDE, Math.round(value)));
  const left = (SIDE - face) / 2 + (dx * SIDE) / ROOM;
  const top = (SIDE - face) / 2 + (dy * SIDE) / ROOM;
  const means = [];
  for (let row = 0; row < blocks; row++) {
    for (let column = 0; column < blocks; column++) {
      const [x0, x1] = [at(left + column * edge), at(left + (column + 1) * edge)];
      const [y0, y1] = [at(top + row * edge), at(top + (row + 1) * edge)];
      const sum = (y, x) => sums[y * (SIDE + 1) + x];
      const total = sum(y1, x1) - sum(y0, x1) - sum(y1, x0) + sum(y0, x0);
      means.push(total / Math.max(1, (x1 - x0) * (y1 - y0)));
    }
  }
  const mean = means.reduce((a, b) => a + b, 0) / means.length;
  const length = Math.hypot(...means.map((value) => value - mean)) || 1;
  return means.map((value) => (value - mean) / length);
}

const correlation = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);

const faces = await readFaces();
const probes = faces.filter(
  ({ person }) => person && faces.filter((face) => face.person === person).length > 1,
);
console.log(
  `${faces.length} faces, ${probes.length} of them of ${new Set(probes.map((p) => p.person)).size} people`,
);
console.log(
  '| blocks across the face | picked first | by chance | among the first ten | by chance | mean rank |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
for (const blocks of BLOCKS) {
  const candidates = faces.map(({ sums }) =>
    SIZES.flatMap((size) => SHIFTS.flatMap((dx) => SHIFTS.map((dy) => mosaic(sums, blocks, dx, dy, size)))),
  );
  let [first, ten, chanceFirst, chanceTen, ranks] = [0, 0, 0, 0, 0];
  for (const probe of probes) {
    const seen = mosaic(probe.sums, blocks, 0, 0, 1);
    const others = faces
      .map((face, index) => ({ face, views: candidates[index] }))
      .filter(({ face }) => face !== probe);
    const ranked = others
      .map(({ face, views }) => ({ face, score: Math.max(...views.map((view) => correlation(seen, view))) }))
      .sort((a, b) => b.score - a.score);
    const rank = ranked.findIndex(({ face }) => face.person === probe.person);
    const right = ranked.filter(({ face }) => face.person === probe.person).length;
    const none = (count) =>
      Array.from({ length: count }).reduce((p, _, i) => p * (1 - right / (ranked.length - i)), 1);
    first += rank === 0;
    ten += rank < 10;
    chanceFirst += 1 - none(1);
    chanceTen += 1 - none(10);
    // Of the first right one, as a share of where it would be by chance.
    ranks += (rank + 1) / ((ranked.length + 1) / (right + 1));
  }
  const count = probes.length;
  const cells = [`${first} of ${count}`, chanceFirst.toFixed(1), `${ten} of ${count}`, chanceTen.toFixed(1)];
  console.log(`| ${blocks} | ${cells.join(' | ')} | ${(ranks / count).toFixed(2)} × chance |`);
}
