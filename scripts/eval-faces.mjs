/**
 * Recall and false detections of the face detector at confidence 0.6 and 0.3, by face height: one pass over the whole
 * picture, with tiles, and with turns; on the held-out pictures and the corpus where they are there.
 * usage: node scripts/eval-faces.mjs [folder that holds corpus/ and training/heldout/, default ../shared]
 */
import './eval-faces/sources.mjs';
import { join } from 'node:path';
import { corpus, heldOut, sheets } from './eval-faces/pictures.mjs';
import { heights, Tally } from './eval-faces/score.mjs';

const { faceDetector } = await import('../src/faces/detector.ts');
const confidences = [0.6, 0.3];
const ways = { 'one pass': 'coarse', tiles: 'upright', 'tiles, turns': 'thorough' };

/** Looks at every picture in every way, and prints one table row a way and confidence. */
async function evaluate(title, pictures, turns = 0) {
  const tallies = {};
  for (const picture of pictures) {
    const { raster, faces, ignored } = await picture.open(turns);
    const labels = { faces, ignored, leastOverlap: picture.leastOverlap };
    for (const [way, look] of Object.entries(ways)) {
      for (const confidence of confidences) {
        const { faces: found, passes } = await faceDetector.detect(raster, { confidence, look });
        const key = `${way} | ${confidence}`;
        tallies[key] ??= new Tally();
        tallies[key].add(labels, found, passes);
      }
    }
  }
  print(title, tallies);
}

function print(title, tallies) {
  const bins = heights.map((from, index) =>
    index + 1 < heights.length ? `${from}–${heights[index + 1]}` : `${from}+`,
  );
  const { pictures, faces, byHeight } = Object.values(tallies)[0];
  console.log(`\n### ${title}: ${pictures} pictures, ${faces} faces\n`);
  console.log(
    `| looks | confidence | recall | precision | false | false, no face in picture | ${bins.join(' | ')} | passes |`,
  );
  console.log(`|---|---|---|---|---|---|${'---|'.repeat(bins.length + 1)}`);
  console.log(`| faces | | | | | | ${byHeight.map((bin) => bin?.faces ?? 0).join(' | ')} | |`);
  for (const [key, tally] of Object.entries(tallies)) {
    const byBin = tally.byHeight.map((bin) => (bin ? bin.recall.toFixed(2) : '–')).join(' | ');
    console.log(
      `| ${key} | ${tally.recall.toFixed(2)} | ${tally.precision.toFixed(2)} | ${tally.wrong} | ${tally.wrongWithoutFaces} | ${byBin} | ${(tally.passes / tally.pictures).toFixed(1)} |`,
    );
  }
}

const shared = process.argv[2] ?? '../shared';
const held = heldOut(join(shared, 'training/heldout'));
if (held) {
  await evaluate('Held-out', held);
  for (const turns of [1, 2, 3]) await evaluate(`Held-out, turned ${turns * 90}° clockwise`, held, turns);
  for (const height of [16, 24, 32, 48]) {
    await evaluate(`12-megapixel sheets, median face ${height} pixels high`, sheets(held, height, 4));
  }
} else {
  console.log(`No held-out pictures in ${shared}: skipped.`);
}
const files = corpus(join(shared, 'corpus'));
if (files) await evaluate('Corpus', files);
else console.log(`No corpus in ${shared}: skipped.`);
