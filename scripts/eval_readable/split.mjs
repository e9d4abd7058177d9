/**
 * Measures the share of words and plates that the service hides, and the number of wrong boxes, by group, on
 * pictures that training set aside for development: its folders (models/training/readable/bank.py), seen in
 * the service's own views and tiles. usage: node scripts/eval_readable/split.mjs FOLDER … [--most 40] [--only
 * lp,signs] [--sweep] [--model FILE]
 *
 * A word at least 10 and a plate at least 12 pixels high counts as hidden if nine tenths of its label are
 * covered. --sweep also prints the means of the groups for other confidences and paddings.
 */
import '../plain_node.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { picture } from '../eval_faces/pictures.mjs';

const { createReadableDetector } = await import('../../src/readable/detector.ts');
const { mapKinds, readingModel } = await import('../../src/readable/model.ts');
const { coverOf, padOutline } = await import('../../src/readable/outline.ts');
const { readingNetwork } = await import('../../src/readable/reading_network.ts');
const { loadCore } = await import('../../src/core/instance.ts');
const { coverMask, shareCovered, shortSide } = await import('./shares.ts');

const { values: asked, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '40' },
    only: { type: 'string' },
    model: { type: 'string', default: 'models/readable_detector.onnx' },
    sweep: { type: 'boolean', default: false },
  },
});
/** The service's default for both kinds. */
const DEFAULT_PADDING = 1.1;
const COVERED = 0.9;
const LEAST = { text: 10, plate: 12 };
const LABELS = { text: 'words', plate: 'plates' };
const confidences = {
  text: asked.sweep ? [0.5, 0.55, 0.6, 0.65, 0.7] : [],
  plate: asked.sweep ? [0.3, 0.35, 0.4, 0.5, 0.6] : [],
};
const paddings = asked.sweep ? [1.1, 1.3] : [];

await loadCore();
const file = readFileSync(asked.model);
const network = readingNetwork(async () => new Uint8Array(file).buffer);

/** A detector that remembers the network's output for a picture, to evaluate other confidences. */
function remembering() {
  const said = [];
  let looks = 0;
  const detector = createReadableDetector({
    workspaceBytes: (size) => network.workspaceBytes(size),
    async begin(...given) {
      const known = said[looks];
      const rows = known ?? [];
      said[looks++] = rows;
      const pass = known ? undefined : await network.begin(...given);
      let pushed = -1;
      let told = 0;
      return {
        push(row) {
          pushed++;
          told = 0;
          if (pass) rows.push([]);
          pass?.push(row);
        },
        next() {
          const next = pass ? pass.next() : rows[pushed][told++];
          if (pass && next) rows[pushed].push(next);
          return next;
        },
      };
    },
  });
  return {
    find: (raster, least) => {
      looks = 0;
      return detector.read(raster, { least, effort: 'thorough' });
    },
  };
}

const quads = (list = []) => list.map((quad) => quad.map(([x, y]) => ({ x, y })));

/**
 * The first pictures of each source in the development set; four times as many from sources without labels.
 */
function entries() {
  const counts = new Map();
  const only = asked.only?.split(',');
  return folders
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /^labels_.*\.jsonl$/.test(name))
        .sort()
        .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
        .map((line) => ({ folder, ...JSON.parse(line) })),
    )
    .filter(({ dev, src }) => {
      if (!dev || (only && !only.includes(src))) return false;
      counts.set(src, (counts.get(src) ?? 0) + 1);
      return counts.get(src) <= Number(asked.most) * (src === 'photos' ? 4 : 1);
    });
}

/** By kind, rule and group: { labels, hidden, without, wrong }. */
const tallies = new Map();
const tallyOf = (...key) => {
  const name = key.join(' | ');
  if (!tallies.has(name)) tallies.set(name, { labels: 0, hidden: 0, without: 0, wrong: 0 });
  return tallies.get(name);
};

function count(entry, kind, rule, found, size) {
  const tally = tallyOf(kind, ...rule, entry.src);
  const [, padding] = rule;
  const labels = quads(kind === 'text' && !entry.words?.length ? entry.lines : entry[LABELS[kind]]);
  const boxes = found.filter((box) => box.kind === kind);
  if (!labels.length && !entry.ignored?.length && !(kind === 'text' && entry.plates?.length)) {
    tally.without++;
    tally.wrong += boxes.length;
    return;
  }
  const mask = coverMask(
    boxes.flatMap((box) => coverOf(padOutline(box, padding), size)),
    size,
  );
  for (const label of labels) {
    if (shortSide(label) < LEAST[kind]) continue;
    tally.labels++;
    if (shareCovered(mask, size, label) >= COVERED) tally.hidden++;
  }
}

for (const entry of entries()) {
  const { raster } = await picture(() => sharp(resolve(entry.folder, entry.f)), 0, 0, [], []).open();
  const size = { width: raster.width, height: raster.height };
  const { find } = remembering();
  const own = { ...readingModel.confidence };
  const tried = [own, ...confidences.text.map((text, at) => ({ text, plate: confidences.plate[at] }))];
  for (const least of tried) {
    const found = await find(raster, new Map(mapKinds.map((kind) => [kind, least[kind]])));
    for (const kind of mapKinds) {
      if (!entry.knows.includes(kind)) continue;
      const tries = least === own ? [['default', DEFAULT_PADDING]] : paddings.map((p) => [least[kind], p]);
      for (const rule of tries) count(entry, kind, rule, found, size);
    }
  }
}

const share = ({ labels, hidden }) => (labels ? (hidden / labels).toFixed(3) : '');
const wrongOf = ({ without, wrong }) => (without ? (wrong / without).toFixed(2) : '');
const line = (...cells) => console.log(`| ${cells.join(' | ')} |`);
for (const kind of mapKinds) {
  console.log(`\n${kind}, confidence ${readingModel.confidence[kind]}, padding ${DEFAULT_PADDING}\n`);
  line('group', 'labels', 'hidden', 'pictures without', 'wrong boxes a picture');
  line('---', '---', '---', '---', '---');
  const rules = Map.groupBy(tallies, ([name]) => name.split(' | ').slice(0, 3).join(' | '));
  const all = (rows) => {
    const sum = { without: 0, wrong: 0 };
    for (const [, { without, wrong }] of rows) {
      sum.without += without;
      sum.wrong += wrong;
    }
    return sum;
  };
  const own = rules.get(`${kind} | default | ${DEFAULT_PADDING}`) ?? [];
  for (const [name, tally] of own.toSorted())
    line(name.split(' | ')[3], tally.labels || '', share(tally), tally.without || '', wrongOf(tally));
  line('all', '', '', all(own).without, wrongOf(all(own)));
  if (!asked.sweep) continue;
  console.log();
  line('confidence', 'padding', 'mean of the groups', 'wrong boxes a picture', 'by group');
  line('---', '---', '---', '---', '---');
  for (const [rule, rows] of rules) {
    const [of, confidence, padding] = rule.split(' | ');
    if (of !== kind || confidence === 'default') continue;
    const groups = rows.filter(([, { labels }]) => labels >= 5);
    const mean = groups.reduce((sum, [, { labels, hidden }]) => sum + hidden / labels, 0) / groups.length;
    const each = groups.map(([name, tally]) => `${name.split(' | ')[3]} ${share(tally)}`).join(', ');
    line(confidence, padding, mean.toFixed(3), wrongOf(all(rows)), each);
  }
}
