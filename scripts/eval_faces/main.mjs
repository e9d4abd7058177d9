/**
 * What the face detector finds, hides and takes for faces, on the held-out pictures, the categories and the
 * corpus, where they are there; tables in Markdown. usage: node scripts/eval_faces/main.mjs [folder that
 * holds corpus/ and training/, default ../shared]
 * [parts: views,beside,flat,held,turned,tilted,dark,noisy,close,categories,skin,crowds,corpus,time]
 *
 * or: node scripts/eval_faces/main.mjs --photos [folder, default ../shared]: the share of held-out photos in
 * which every face is hidden and nothing else
 *
 * or: node scripts/eval_faces/main.mjs --wider DIR [all, even or odd events] [so many pictures, always the
 * same] [beside: YuNet alone, too]; DIR holds WIDER FACE's WIDER_val/images and its evaluation's four
 * wider_*_val.mat. For measuring only: no training sees these pictures, and what is chosen is chosen on even
 * events.
 */
import '../plain_node.mjs';
import { join } from 'node:path';
import { categories, closeUps, corpus, crowds, darkened, heldOut, noisy, tilted } from './pictures.mjs';

const { heights, hidden, Tally, thresholdAt } = await import('./score.ts');
const { itaGroup, itaGroups, tonesOf } = await import('./skin.ts');
const { beside, everything, passesOver, ways } = await import('./ways.mjs');

if (process.argv[2] === '--wider') {
  const { evaluateWider } = await import('./wider_run.mjs');
  await evaluateWider(
    process.argv[3],
    process.argv[4] ?? 'all',
    Number(process.argv[5] ?? Infinity),
    process.argv[6],
  );
  process.exit();
}
if (process.argv[2] === '--photos') {
  const { evaluatePhotos } = await import('./photos.mjs');
  await evaluatePhotos(join(process.argv[3] ?? '../shared', 'training/heldout'));
  process.exit();
}
const shared = process.argv[2] ?? '../shared';
const parts = process.argv[3]?.split(',');
const held = heldOut(join(shared, 'training/heldout'));
const grouped = categories(join(shared, 'training/categories'));
const files = corpus(join(shared, 'corpus'));
const wanted = (part) => !parts || parts.includes(part);

/** What `seen` has given, upright. */
const known = new Map();

/** Every picture as one way sees it. */
async function seen(pictures, way, turns = 0) {
  const before = known.get(pictures)?.get(way);
  if (before && turns === 0) return before;
  const results = [];
  for (const picture of pictures) {
    const { raster, faces, ignored } = await picture.open(turns);
    const { boxes, passes } = await way(raster);
    const labels = { faces, ignored, leastOverlap: picture.overlaps.at(-1) };
    results.push({ labels, boxes, passes, groups: picture.groups ?? [] });
  }
  if (turns === 0) known.set(pictures, (known.get(pictures) ?? new Map()).set(way, results));
  return results;
}

function tally(results, confidence) {
  const sum = new Tally();
  for (const { labels, boxes, passes } of results) {
    const sure = boxes.filter((box) => box.confidence >= confidence);
    sum.add(labels, sure, passes);
  }
  return sum;
}

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const head = (title, ...cells) => {
  console.log(`\n### ${title}\n`);
  row(...cells);
  row(...cells.map(() => '---'));
};
const share = (value) => (Number.isFinite(value) ? value.toFixed(3) : '–');

/** At equal numbers of wrong boxes, so that ways of different calibration compare. */
async function printWays(title, pictures, compared) {
  const wrong = [0.1, 0.25, 0.5];
  head(`${title}: recall / hidden at so many wrong boxes a picture`, 'views', ...wrong, 'passes');
  for (const [name, way] of Object.entries(compared)) {
    const results = await seen(pictures, way);
    const cells = wrong.map((most) => {
      const sum = tally(results, thresholdAt(results, most));
      return `${share(sum.recallFrom16)} / ${share(sum.hiddenFrom16)}`;
    });
    row(name, ...cells, (tally(results, 1).passes / results.length).toFixed(2));
  }
}

/** What leaving out passes without contrast would spare, and the surest score among them. */
async function printFlat(title, pictures) {
  const passes = await passesOver(pictures);
  const work = (some) => some.reduce((sum, { pixels }) => sum + pixels, 0);
  head(
    `${title}: passes whose contrast in cells of 16 pixels is at most this`,
    'contrast',
    'passes',
    'work',
    'surest',
  );
  for (const bound of [8, 16, 24, 32, 48, 64]) {
    const flat = passes.filter(({ contrast }) => contrast <= bound);
    const surest = flat.reduce((most, pass) => Math.max(most, pass.surest), 0);
    row(bound, `${flat.length} of ${passes.length}`, share(work(flat) / work(passes)), share(surest));
  }
}

const columns = ['faces', 'recall', 'hidden', 'wrong', 'a picture', 'pictures with one'];
const cellsOf = (sum) => [
  sum.facesFrom16,
  share(sum.recallFrom16),
  share(sum.hiddenFrom16),
  sum.wrong,
  (sum.wrong / sum.pictures).toFixed(2),
  `${sum.picturesWithWrong} of ${sum.pictures}`,
];

async function printSet(title, pictures, turns) {
  const results = await seen(pictures, everything, turns);
  head(title, 'confidence', ...columns);
  for (const confidence of [0.9, 0.6, 0.3]) row(confidence, ...cellsOf(tally(results, confidence)));
  const sum = tally(results, 0.6);
  const passes = results.map((result) => result.passes).sort((a, b) => a - b);
  const bins = sum.byHeight.map(
    (bin, index) => `${heights[index]}+: ${bin ? `${share(bin.recall)} of ${bin.faces}` : '–'}`,
  );
  console.log(`\nRecall by height at 0.6: ${bins.join(', ')}.`);
  console.log(
    `Passes of 640²: median ${passes[passes.length >> 1].toFixed(2)}, most ${passes.at(-1).toFixed(1)}.`,
  );
  return results;
}

if (held && wanted('views')) await printWays('Held-out', held, ways);
if (grouped && wanted('views')) await printWays('Categories', grouped, ways);
if (held && wanted('beside')) await printWays('Held-out', held, beside);
if (grouped && wanted('beside')) await printWays('Categories', grouped, beside);
if (held && wanted('flat')) await printFlat('Held-out', held);
if (grouped && wanted('flat')) await printFlat('Categories', grouped);
if (held && wanted('held')) await printSet('Held-out', held);
if (held && wanted('turned')) {
  const some = held.filter((_, index) => index % 3 === 0);
  for (const turns of [1, 2, 3]) await printSet(`Held-out, every third, turned ${turns * 90}°`, some, turns);
}
if (held && wanted('tilted')) {
  for (const [index, degrees] of [30, -30, 45, -45].entries())
    await printSet(`Held-out, every fourth, tilted ${degrees}°`, tilted(held, degrees, 4, index));
}
if (held && wanted('dark')) await printSet('Held-out, every third, darkened', darkened(held, 3, 0));
if (held && wanted('noisy')) await printSet('Held-out, every third, gamma 3.5 and noise', noisy(held, 3, 1));
if (held && wanted('close')) {
  for (const share of [1, 0.75]) {
    const title = `Close-ups of one megapixel, cropped to ${share} of the label`;
    await printSet(title, closeUps(held, share));
  }
}
if (grouped && wanted('categories')) {
  const results = await printSet('Categories', grouped);
  for (const confidence of [0.6, 0.3]) {
    head(`Categories by group, confidence ${confidence}`, 'group', ...columns);
    for (const group of new Set(results.flatMap(({ groups }) => groups)))
      row(
        group,
        ...cellsOf(
          tally(
            results.filter(({ groups }) => groups.includes(group)),
            confidence,
          ),
        ),
      );
  }
}
if (held && grouped && wanted('skin')) {
  // Labels say nothing of skin: this is the light of the picture as much.
  const pictures = [...held, ...grouped];
  const results = [...(await seen(held, everything)), ...(await seen(grouped, everything))];
  const faces = [];
  for (const [index, { labels, boxes }] of results.entries()) {
    const { raster } = await pictures[index].open();
    const covered = hidden(
      boxes.filter(({ confidence }) => confidence >= 0.6),
      labels.faces,
    );
    for (const [face, tone] of tonesOf(raster, labels.faces).entries())
      if (tone && labels.faces[face].h >= 16) faces.push({ ...tone, isHidden: covered[face] });
  }
  const bySkin = (title, groups) => {
    head(title, 'group', 'faces', 'hidden');
    for (const [name, some] of groups)
      row(name, some.length, share(some.filter(({ isHidden }) => isHidden).length / some.length));
  };
  bySkin(
    'Held-out and categories by individual typology angle',
    [...itaGroups.map(([name]) => name), undefined].map((name) => [
      name ?? 'grey',
      faces.filter(({ ita }) => (ita === undefined ? undefined : itaGroup(ita)) === name),
    ]),
  );
  const sorted = faces.toSorted((a, b) => a.luma - b.luma);
  bySkin(
    'By the luma of the face, in fifths',
    [0, 1, 2, 3, 4].map((fifth) => {
      const some = sorted.slice((fifth * sorted.length) / 5, ((fifth + 1) * sorted.length) / 5);
      return [`${Math.round(some[0].luma)} to ${Math.round(some.at(-1).luma)}`, some];
    }),
  );
}
if (held && wanted('crowds')) {
  const sizes = { 12: [4000, 3000], 24: [6000, 4000], 50: [8160, 6120] };
  for (const [megapixels, height, count, across, down] of [
    [12, 24, 2, 4, 3],
    [12, 36, 2, 4, 3],
    [12, 64, 2, 4, 3],
    [24, 24, 2, 4, 3],
    [24, 36, 2, 4, 3],
    [24, 64, 2, 4, 3],
    [24, 28, 1, 16, 12],
    [24, 36, 1, 16, 12],
    [50, 28, 1, 22, 16],
    [50, 36, 1, 22, 16],
    [50, 52, 1, 16, 12],
  ]) {
    const [width, high] = sizes[megapixels];
    const title = `${across * down} pictures on ${megapixels} megapixels, median face ${height} high`;
    await printSet(title, crowds(held, { width, height: high }, height, count, across, down));
  }
}
if (held && wanted('time')) {
  const { searchTimes } = await import('./search_time.mjs');
  head('CPU of a search, the least of five', 'picture', 'ms, one a picture', 'runs', 'faces');
  for (const [name, found] of await searchTimes(held)) {
    const each = (tell) => found.map(tell).join(', ');
    row(
      name,
      each(({ ms }) => ms.toFixed(0)),
      each(({ runs }) => runs),
      each(({ faces }) => faces),
    );
  }
}
if (files && wanted('corpus')) await printSet('Corpus', files);
if (!held || !grouped || !files) console.log(`Some pictures are not in ${shared}: skipped.`);
