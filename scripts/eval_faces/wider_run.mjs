/** Prints what the detector finds and hides on WIDER FACE's validation half. */
import sharp from 'sharp';
import { picture } from './pictures.mjs';

const { heights, hidden, Tally, thresholdAt } = await import('./score.ts');
const { beside, everything } = await import('./ways.mjs');
const { averagePrecision, groups, subsets, widerPictures } = await import('./wider.ts');

/** Matched as the held-out pictures are. */
const LEAST_OVERLAP = 0.4;

/** Some of a list, the same every time, in its order. */
function sample(list, count) {
  // The multiplier is Knuth's: it spreads indices over 32 bits.
  const order = (index) => Math.imul(index + 1, 2_654_435_761) >>> 0;
  const bound = list.map((_, index) => order(index)).sort((a, b) => a - b)[count];
  return bound === undefined ? list : list.filter((_, index) => order(index) < bound);
}

const precisions = (results) =>
  subsets.map((subset) => `${subset} ${averagePrecision(results, subset).toFixed(3)}`).join(', ');

/**
 * @param events all, even or odd
 * @param others `beside`: what YuNet alone detects is printed, too
 */
export async function evaluateWider(folder, events, count, others) {
  const compared = Object.entries(others === 'beside' ? beside : {}).filter(([, way]) => way !== everything);
  const byOthers = compared.map(() => []);
  const isWanted = ({ event }) => events === 'all' || event % 2 === (events === 'odd' ? 1 : 0);
  const results = [];
  let cpu = 0;
  for (const one of sample(widerPictures(folder).filter(isWanted), count)) {
    const { width, height } = await sharp(one.path).metadata();
    const isValid = (_, face) => !one.labels.invalid[face];
    const faces = one.faces.filter(isValid);
    const ignored = one.faces.filter((_, face) => !isValid(_, face));
    const { raster } = await picture(() => sharp(one.path), width, height, faces, ignored).open();
    const before = process.cpuUsage();
    const { boxes, passes } = await everything(raster);
    cpu += process.cpuUsage(before).user / 1000;
    const labels = { faces, ignored, leastOverlap: LEAST_OVERLAP };
    results.push({ picture: one, boxes, passes, labels });
    for (const [index, [, way]] of compared.entries())
      byOthers[index].push({ picture: one, labels, ...(await way(raster)) });
  }
  console.log(
    `${results.length} pictures, events: ${events}, ${Math.round(cpu / results.length)} ms of CPU each.`,
  );
  console.log(`AP: ${precisions(results)}.`);
  const sum = new Tally();
  const counts = groups.map(() => ({ all: 0, hidden: 0 }));
  for (const { picture: one, boxes, passes, labels } of results) {
    const sure = boxes.filter(({ confidence }) => confidence >= 0.6);
    sum.add(labels, sure, passes);
    for (const [face, isHidden] of hidden(sure, one.faces).entries()) {
      if (one.labels.invalid[face] || one.faces[face].h < heights[1]) continue;
      for (const [group, [, has]] of groups.entries()) {
        if (!has(one, face)) continue;
        counts[group].all++;
        if (isHidden) counts[group].hidden++;
      }
    }
  }
  const wrong = (sum.wrong / results.length).toFixed(2);
  console.log(
    `At 0.6: ${sum.hiddenFrom16.toFixed(3)} hidden of ${sum.facesFrom16} faces of 16 pixels and more, ${wrong} wrong boxes a picture.`,
  );
  for (const [group, [name]] of groups.entries())
    console.log(
      `| ${name} | ${counts[group].all} | ${(counts[group].hidden / counts[group].all).toFixed(3)} |`,
    );
  for (const [index, [name]] of compared.entries()) {
    const theirs = byOthers[index];
    const threshold = thresholdAt(theirs, sum.wrong / results.length);
    const same = new Tally();
    for (const { boxes, passes, labels } of theirs)
      same.add(
        labels,
        boxes.filter(({ confidence }) => confidence >= threshold),
        passes,
      );
    console.log(
      `${name}: AP ${precisions(theirs)}; ${same.hiddenFrom16.toFixed(3)} hidden at as many wrong boxes.`,
    );
  }
}
