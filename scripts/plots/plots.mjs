import { bars } from './bars.mjs';
import { numberIn, tableUnder } from './tables.mjs';

/**
 * All plots of the benchmarks, drawn from the printed tables.
 * @param {string} measured docs/measurements/benchmarks.md
 * @returns {Record<string, string>} SVG by file name
 */
export function plotsOf(measured) {
  const rowsOf = (heading, values) =>
    tableUnder(measured, heading).flatMap((row) => {
      const found = values(row.cells);
      return found.every((value) => value !== undefined) ? [{ label: row.label, values: found }] : [];
    });
  return {
    'sanitize.svg': bars({
      title: 'A request to the Worker beside sharp: less is better, the line is sharp',
      unit: '×',
      series: ['time', 'CPU time'],
      rows: rowsOf('Sanitizing through the Worker', (cells) => [
        numberIn(cells[2]),
        numberIn(cells[4], 1),
      ]).filter(({ label }) => !label.includes('WebP')), // newer figures are in a table of their own
      baseline: 1,
    }),
    'jpeg_encoding.svg': bars({
      title: 'Encoding JPEG with optimised tables, CPU time',
      unit: 'ms',
      series: ['core', 'sharp'],
      rows: rowsOf('JPEG encoding', (cells) => [numberIn(cells[0]), numberIn(cells[0], 1)]),
    }),
    'page.svg': bars({
      title: 'The longest task of the page’s main thread, CPU; the line is a frame of 60 a second',
      unit: 'ms',
      series: ['12 MP', '48 MP'],
      rows: rowsOf('The page', (cells) => [numberIn(cells[0]), numberIn(cells[1])]),
      baseline: 16.7,
    }),
    'memory.svg': bars({
      title: 'What a job of 50 megapixels holds at its peak',
      unit: 'MB',
      series: ['counted', 'reserved before'],
      rows: rowsOf('Memory of a job', (cells) => [numberIn(cells[2]), numberIn(cells[3])]),
    }),
  };
}
