import { mkdirSync, writeFileSync } from 'node:fs';
import { bars } from './bars.mjs';
import { numberIn, tableUnder } from './tables.mjs';

/** For each plot file, the chapter whose table it draws, and which numbers of a row. */
const plots = {
  'sanitize.svg': {
    chapter: 'Sanitizing through the Worker',
    title: 'A request to the Worker beside sharp: less is better, the line is sharp',
    unit: '×',
    series: ['time', 'CPU time'],
    values: (cells) => [numberIn(cells[2]), numberIn(cells[4], 1)],
    baseline: 1,
  },
  'jpeg_encoding.svg': {
    chapter: 'JPEG encoding',
    title: 'Encoding JPEG with optimised tables, CPU time',
    unit: 'ms',
    series: ['core', 'sharp'],
    values: (cells) => [numberIn(cells[0]), numberIn(cells[0], 1)],
  },
  'page.svg': {
    chapter: 'The page',
    title: 'The longest task of the page’s main thread, CPU; the line is a frame of 60 a second',
    unit: 'ms',
    series: ['12 MP', '48 MP'],
    values: (cells) => [numberIn(cells[0]), numberIn(cells[1])],
    baseline: 16.7,
  },
  'memory.svg': {
    chapter: 'Memory of a job',
    title: 'What a job of 50 megapixels holds at its peak',
    unit: 'MB',
    series: ['counted', 'reserved before'],
    values: (cells) => [numberIn(cells[2]), numberIn(cells[3])],
  },
};

/**
 * Draws the plots of all chapters of a text that have one, from their tables.
 * @param {string} measured docs/measurements/benchmarks.md, or the output of benchmarks
 * @returns {Record<string, string>} SVG by file name
 */
export function plotsOf(measured) {
  const drawn = {};
  for (const [name, { chapter, values, ...plot }] of Object.entries(plots)) {
    const rows = (tableUnder(measured, chapter) ?? []).flatMap(({ label, cells }) => {
      const found = values(cells);
      return found.every((value) => value !== undefined) ? [{ label, values: found }] : [];
    });
    if (rows.length > 0) drawn[name] = bars({ ...plot, rows });
  }
  return drawn;
}

/**
 * Writes the plots of a text into a folder.
 * @param {string} measured as above
 * @param {string} folder
 * @returns {string[]} the paths written
 */
export function writePlots(measured, folder) {
  return Object.entries(plotsOf(measured)).map(([name, svg]) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${name}`, svg);
    return `${folder}/${name}`;
  });
}
