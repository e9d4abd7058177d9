import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const { MemoryBudget } = await import('../../src/memory/budget.ts');
const { faceDetector } = await import('../../src/faces/isolate_detector.ts');
const { loadCore } = await import('../../src/core/instance.ts');
const { sanitizeOpsSchema } = await import('../../src/ops/schema.ts');
const { sanitize } = await import('../../src/sanitize/sanitize.ts');

/** Labels with a shorter side than this are not asked for, in pixels. */
const LEAST_SIDE = 24;
/** A face is hidden if so much of its label has changed. */
const HIDDEN_SHARE = 0.8;
/** Changed pixels this near belong to one place; places of fewer pixels are blocks that met their mean. */
const NEAR = 2;
const LEAST_PLACE = 20;

/**
 * What a person feels of one photo, by output pixels: whether every labelled face is hidden, whether nothing
 * else is, and both; for the held-out pictures that show a face, with the second look and without.
 * @param folder of the held-out pictures
 */
export async function evaluatePhotos(folder) {
  await loadCore();
  const { images } = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8'));
  const runtime = { budget: new MemoryBudget(400 << 20, 4), detector: faceDetector };
  console.log('| second look | photos | every face | nothing else | both | hidden of all faces |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const verify of [false, true]) {
    const sums = { photos: 0, every: 0, clear: 0, both: 0, faces: 0, hidden: 0 };
    for (const { f, w: width, h: height, faces, ignore } of images) {
      const asked = faces.filter(
        ([left, top, right, bottom]) => Math.max(right - left, bottom - top) >= LEAST_SIDE,
      );
      if (asked.length === 0) continue;
      const file = new Uint8Array(readFileSync(join(folder, 'images', f)));
      const words = async (pixelate) => {
        const ops = sanitizeOpsSchema.parse({ pixelate, output: { format: 'png' } });
        const { bytes } = await sanitize(file.slice(), ops, runtime);
        return new Uint32Array((await sharp(bytes).ensureAlpha().raw().toBuffer()).buffer);
      };
      const [before, after] = [await words({ faces: false }), await words({ verify })];
      const changed = Uint8Array.from(before, (word, at) => Number(word !== after[at]));
      const hidden = asked.filter((face) => shareOf(changed, face, width, height) >= HIDDEN_SHARE).length;
      const isClear = !hasPlaceElsewhere(changed, [...faces, ...ignore], width, height);
      sums.photos++;
      sums.faces += asked.length;
      sums.hidden += hidden;
      sums.every += Number(hidden === asked.length);
      sums.clear += Number(isClear);
      sums.both += Number(hidden === asked.length && isClear);
    }
    const share = (value, of) => (value / of).toFixed(3);
    const { photos, every, clear, both, faces, hidden } = sums;
    const cells = [every, clear, both].map((sum) => share(sum, photos));
    console.log(`| ${[verify ? 'on' : 'off', photos, ...cells, share(hidden, faces)].join(' | ')} |`);
  }
}

function* pixelsOf([left, top, right, bottom], width, height) {
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y++)
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, right); x++) yield y * width + x;
}

function shareOf(changed, box, width, height) {
  let [all, some] = [0, 0];
  for (const at of pixelsOf(box, width, height)) {
    all++;
    some += changed[at];
  }
  return some / Math.max(1, all);
}

/** Whether changed pixels that lie together have no part in any of the known boxes. */
function hasPlaceElsewhere(changed, known, width, height) {
  const isKnown = new Uint8Array(changed.length);
  for (const box of known) for (const at of pixelsOf(box, width, height)) isKnown[at] = 1;
  const isSeen = new Uint8Array(changed.length);
  for (let first = 0; first < changed.length; first++) {
    if (!changed[first] || isSeen[first]) continue;
    const open = [first];
    isSeen[first] = 1;
    let [pixels, isOnKnown] = [0, false];
    while (open.length > 0) {
      const at = open.pop();
      pixels++;
      isOnKnown ||= isKnown[at] === 1;
      const [x, y] = [at % width, Math.floor(at / width)];
      for (const next of pixelsOf([x - NEAR, y - NEAR, x + NEAR + 1, y + NEAR + 1], width, height)) {
        if (!changed[next] || isSeen[next]) continue;
        isSeen[next] = 1;
        open.push(next);
      }
    }
    if (!isOnKnown && pixels > LEAST_PLACE) return true;
  }
  return false;
}
