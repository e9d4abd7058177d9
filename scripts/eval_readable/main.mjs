/**
 * Measures whether hidden text can still be recognised. Names and plates are drawn on a page, hidden by the
 * service's own pipeline, and guessed: an attacker who knows font, size and place draws every candidate,
 * applies the same mosaic, and sorts candidates by similarity.
 * usage: npm run eval:readable -- [--quick] [--fill mosaic|solid]
 */
import '../plain_node.mjs';
import sharp from 'sharp';

const { MemoryBudget } = await import('../../src/memory/budget.ts');
const { NO_MEMORY } = await import('../../src/memory/memory_cost.ts');
const { sanitizeOpsSchema } = await import('../../src/ops/schema.ts');
const { blockEdge } = await import('../../src/pixels/block_edges.ts');
const { sanitize } = await import('../../src/sanitize/sanitize.ts');
const { blockEnd, blocksOver, expectedMeans, rankOfTruth } = await import('./attack.ts');
const { names, plates, renderText } = await import('./text.ts');

const quick = process.argv.includes('--quick');
const fonts = quick ? ['DejaVu Sans'] : ['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono'];
const sizes = quick ? [12, 24] : [8, 12, 16, 24, 40];
const strengths = quick ? [3] : [1, 3, 6, 12];
const formats = quick ? ['png'] : ['png', 'jpeg', 'webp'];
/** Shortest edges of the pages; the strength is a percentage of this. */
const pages = quick ? [900] : [600, 900, 1800];
const asked = process.argv.indexOf('--fill');
const fills = asked < 0 ? ['mosaic', 'solid'] : [process.argv[asked + 1]];
const trialsAPage = quick ? 4 : 8;
/** White margin around a text that its region includes. */
const margin = 2;

/** Faces are not looked for here. */
const detector = { wantedWidth: ({ width }) => width, cost: () => NO_MEMORY };
const runtime = { budget: new MemoryBudget(1 << 30, 1), detector };

/** A generator of numbers below 2³² (Lehmer's), seeded. */
let state = 20261123;
const below = (bound) => {
  state = (state * 48271) % 2147483647;
  return state % bound;
};

/** A page with some of the texts, each at its own place, and these places. */
async function page(inks, truths, edge, longest) {
  const width = Math.round(edge * 1.4);
  const pixels = new Uint8Array(width * edge).fill(255);
  const rows = Math.ceil(truths.length / 2);
  const places = truths.map((truth, index) => {
    const { width: w, height: h, pixels: ink } = inks[truth];
    const [cellWidth, cellHeight] = [Math.floor(width / 2), Math.floor(edge / rows)];
    const x = (index % 2) * cellWidth + margin + below(Math.max(1, cellWidth - longest - 2 * margin));
    const y = Math.floor(index / 2) * cellHeight + margin + below(Math.max(1, cellHeight - h - 2 * margin));
    for (let row = 0; row < h; row++)
      for (let column = 0; column < w; column++)
        pixels[(y + row) * width + x + column] = 255 - ink[row * w + column];
    return { x, y, w, h };
  });
  const png = sharp(pixels, { raw: { width, height: edge, channels: 1 } }).png({ compressionLevel: 1 });
  return { png: new Uint8Array(await png.toBuffer()), places };
}

/** The mean of each block as seen in the output. */
function seenMeans(grey, width, height, { edge, left, top, right, bottom }) {
  const means = [];
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      let sum = 0;
      let count = 0;
      for (let y = row * edge; y < blockEnd(row, edge, height); y++)
        for (let x = column * edge; x < blockEnd(column, edge, width); x++, count++)
          sum += grey[y * width + x];
      means.push(sum / count);
    }
  }
  return Float64Array.from(means);
}

/** Ranks of the truths on one page. */
async function trial(inks, edge, strength, format, fill) {
  const truths = Array.from({ length: trialsAPage }, () => below(inks.length));
  const longest = Math.max(...inks.map((ink) => ink.width));
  const { png, places } = await page(inks, truths, edge, longest);
  // A box that fits reveals the length of its text, so a fill is judged by a box that fits the longest text.
  const regions = places.map(({ x, y, w, h }) => ({
    x: x - margin,
    y: y - margin,
    w: (fill === 'solid' ? longest : w) + 2 * margin,
    h: h + 2 * margin,
  }));
  const ops = sanitizeOpsSchema.parse({
    pixelate: { faces: false, regions, strength, fill },
    output: { format },
  });
  const { bytes } = await sanitize(png, ops, runtime);
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const block = blockEdge(strength, info);
  return truths.map((truth, index) => {
    const blocks = blocksOver(regions[index], block, info);
    const seen = seenMeans(data, info.width, info.height, blocks);
    const candidates = inks.values().map((ink) => expectedMeans(ink, places[index], blocks, info));
    const across = blocks.right - blocks.left;
    const down = blocks.bottom - blocks.top;
    return { block, count: across * down, down, rank: rankOfTruth(seen, candidates, truth) };
  });
}

const quantile = (numbers, share) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)];
const line = (cells) => console.log(`| ${cells.join(' | ')} |`);
const table = (head) => {
  line(head);
  line(head.map(() => '---'));
};

const all = [];
for (const [kind, texts] of [
  ['name', names],
  ['plate', plates],
]) {
  for (const size of sizes) {
    for (const font of fonts) {
      const inks = [];
      for (const text of texts) inks.push(await renderText(text, font, size));
      for (const edge of pages) {
        for (const fill of fills) {
          for (const strength of fill === 'solid' ? [3] : strengths) {
            for (const format of formats) {
              const ranks = await trial(inks, edge, strength, format, fill);
              for (const one of ranks)
                all.push({ kind, size, font, edge, fill, strength, format, of: texts.length, ...one });
            }
          }
        }
      }
    }
  }
}

const summary = (rows) => {
  const ranks = rows.map(({ rank }) => rank);
  const share = (most) =>
    `${Math.round((100 * ranks.filter((rank) => rank <= most).length) / ranks.length)} %`;
  return [rows.length, share(1), share(10), quantile(ranks, 0.1), quantile(ranks, 0.5)];
};
const grouped = (rows, key) =>
  [...Map.groupBy(rows, key)].sort(([a], [b]) => String(a).localeCompare(String(b), 'en', { numeric: true }));
const head = ['trials', 'first', 'among ten', 'rank of the truth, 10th of a hundred', 'median'];

for (const [kind, rows] of grouped(all, (one) => one.kind)) {
  console.log(`\n${kind}s, ${rows[0].of} candidates\n`);
  table(['fill', 'strength', 'size', ...head]);
  for (const [key, group] of grouped(
    rows,
    ({ fill, strength, size }) => `${fill} | ${strength} | ${size} px`,
  ))
    line([key, ...summary(group)]);
  console.log('\nby blocks over the region\n');
  table(['blocks', ...head]);
  const mosaics = rows.filter(({ fill }) => fill === 'mosaic');
  const bins = [1, 2, 3, 4, 6, 9, 14, 20, 40, 1e9];
  for (const [key, group] of grouped(mosaics, ({ count }) => `to ${bins.find((most) => count <= most)}`))
    line([key, ...summary(group)]);
  console.log('\nby the output\n');
  table(['format', ...head]);
  for (const [key, group] of grouped(mosaics, ({ format }) => format)) line([key, ...summary(group)]);
}
