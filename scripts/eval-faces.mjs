/**
 * Recall and false detections of the face detector at confidence 0.6 and 0.3, by face height, for one pass
 * over the whole picture and then with each further step; on the held-out pictures and the corpus where they
 * are there. "from 16" is recall of faces of 16 pixels and more, "hidden" how many of those the service's
 * grown boxes cover. usage: node scripts/eval-faces.mjs [folder that holds corpus/ and training/heldout/,
 * default ../shared]
 */
import './plain_node.mjs';
import { join } from 'node:path';
import { corpus, crowds, heldOut } from './eval-faces/pictures.mjs';

const { faceDetector } = await import('../src/faces/detector.ts');
const { planDetection } = await import('../src/faces/detection_plan.ts');
const { Search } = await import('../src/faces/search.ts');
const { heights, Tally } = await import('./eval-faces/score.ts');
const { faceSession } = await import('../src/faces/session.ts');

const confidences = [0.6, 0.3];

const firstWay = 'one pass';
const lastWay = 'turns (all of it)';

/** Ways of detection, each with all passes of the one before: raster and confidence to { faces, passes }. */
const ways = {
  [firstWay]: (raster) => upright(raster, ({ whole }) => ({ whole })),
  'two sizes': (raster) => upright(raster, ({ whole, small }) => ({ whole, small })),
  tiles: (raster) => upright(raster, (plan) => plan),
  'doubtful again': async (raster, confidence) => {
    const search = await searchUpright(raster, (plan) => plan);
    await search.zoom(Math.max(confidence, 0.6));
    return seen(search);
  },
  [lastWay]: (raster, confidence) => faceDetector.detect(raster, { confidence, effort: 'thorough' }),
};

async function searchUpright(raster, choose) {
  const search = new Search(await faceSession(), raster);
  await search.upright(choose(planDetection(raster)));
  return search;
}

const upright = async (raster, choose) => seen(await searchUpright(raster, choose));
const seen = (search) => ({ faces: search.merged(), passes: search.passes });

/**
 * Detects faces in every picture in every way (rotated pictures in the first and the last), and prints one
 * table row a way and confidence.
 */
async function evaluate(title, pictures, turns = 0) {
  const names = turns === 0 ? Object.keys(ways) : [firstWay, lastWay];
  const tallies = {};
  for (const picture of pictures) {
    const { raster, faces, ignored } = await picture.open(turns);
    for (const way of names) {
      const look = ways[way];
      // A way that takes no confidence sees the same at any.
      const once = look.length < 2 && (await look(raster));
      for (const confidence of confidences) {
        const { faces: found, passes } = once || (await look(raster, confidence));
        const sure = found.filter((face) => face.confidence >= confidence);
        for (const leastOverlap of picture.overlaps) {
          const key = `${way} | ${confidence}`;
          tallies[leastOverlap] ??= {};
          tallies[leastOverlap][key] ??= new Tally();
          tallies[leastOverlap][key].add({ faces, ignored, leastOverlap }, sure, passes);
        }
      }
    }
  }
  for (const [leastOverlap, table] of Object.entries(tallies))
    print(`${title}, overlap ${leastOverlap}`, table);
}

function print(title, tallies) {
  const bins = heights.map((from, index) =>
    index + 1 < heights.length ? `${from}–${heights[index + 1]}` : `${from}+`,
  );
  const { pictures, faces, byHeight } = Object.values(tallies)[0];
  console.log(`\n### ${title}: ${pictures} pictures, ${faces} faces\n`);
  console.log(
    `| looks | confidence | recall | from 16 | hidden | precision | false | a picture | of those, no face in picture | ${bins.join(' | ')} | passes |`,
  );
  console.log(`|---|---|---|---|---|---|---|---|---|${'---|'.repeat(bins.length + 1)}`);
  console.log(`| *faces* | | | | | | | | | ${byHeight.map((bin) => bin?.faces ?? 0).join(' | ')} | |`);
  for (const [key, tally] of Object.entries(tallies)) {
    const byBin = tally.byHeight.map((bin) => (bin ? bin.recall.toFixed(2) : '–')).join(' | ');
    const shares = [tally.recall, tally.recallFrom16, tally.hiddenFrom16, tally.precision];
    const wrong = [tally.wrong, (tally.wrong / tally.pictures).toFixed(2), tally.wrongWithoutFaces];
    const cells = [key, ...shares.map((share) => share.toFixed(3)), ...wrong, byBin];
    console.log(`| ${cells.join(' | ')} | ${(tally.passes / tally.pictures).toFixed(1)} |`);
  }
}

const shared = process.argv[2] ?? '../shared';
const held = heldOut(join(shared, 'training/heldout'));
if (held) {
  await evaluate('Held-out', held);
  for (const turns of [1, 2, 3]) await evaluate(`Held-out, turned ${turns * 90}° clockwise`, held, turns);
  const sizes = { 12: { width: 4000, height: 3000 }, 24: { width: 6000, height: 4000 } };
  for (const [megapixels, size] of Object.entries(sizes)) {
    for (const height of [24, 36, 64]) {
      await evaluate(
        `Crowds, ${megapixels} megapixels, median face ${height} pixels high`,
        crowds(held, size, height, 4),
      );
    }
  }
} else {
  console.log(`No held-out pictures in ${shared}: skipped.`);
}
const files = corpus(join(shared, 'corpus'));
if (files) await evaluate('Corpus', files);
else console.log(`No corpus in ${shared}: skipped.`);
