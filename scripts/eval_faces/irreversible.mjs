/**
 * How many detected faces the detector still finds in what the service sends: every picture goes through the
 * whole pipeline with default ops, the output is decoded and looked at again, thoroughly. usage: node
 * scripts/eval_faces/irreversible.mjs [folder that holds corpus/ and training/heldout/, default ../shared]
 */
import '../plain_node.mjs';
import { join } from 'node:path';
import sharp from 'sharp';
import { corpus, heldOut, rasterOf } from './pictures.mjs';

const { MemoryBudget } = await import('../../src/memory/budget.ts');
const { faceDetector } = await import('../../src/faces/isolate_detector.ts');
const { sanitizeOpsSchema } = await import('../../src/ops/schema.ts');
const { sanitize } = await import('../../src/sanitize/sanitize.ts');
const { countFoundAgain } = await import('./again.ts');

const confidence = 0.6;
const ops = sanitizeOpsSchema.parse({ pixelate: { confidence } });
const runtime = { budget: new MemoryBudget(1 << 30, 1), detector: faceDetector };

/** The picture as its receiver decodes it. */
async function throughTheService(raster) {
  const { width, height } = raster;
  const rows = [...raster.strips()].map(({ pixels }) => Buffer.from(pixels));
  const png = sharp(Buffer.concat(rows), { raw: { width, height, channels: 4 } }).png({
    compressionLevel: 1,
  });
  const { bytes } = await sanitize(new Uint8Array(await png.toBuffer()), ops, runtime);
  return rasterOf(await sharp(bytes).removeAlpha().raw().toBuffer(), width, height);
}

const shared = process.argv[2] ?? '../shared';
for (const [name, pictures] of [
  ['corpus', corpus(join(shared, 'corpus'))],
  ['held-out', heldOut(join(shared, 'training/heldout'))],
]) {
  if (!pictures) {
    console.log(`${name}: not in ${shared}, skipped`);
    continue;
  }
  const { covered, again } = await countFoundAgain(pictures, faceDetector, confidence, throughTheService);
  const share = ((100 * again) / Math.max(1, covered)).toFixed(1);
  console.log(`${name}: ${covered} faces found and covered, ${again} found again (${share} %)`);
}
