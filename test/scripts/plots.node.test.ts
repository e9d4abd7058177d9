import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bars } from '../../scripts/plots/bars.mjs';
import { plotsOf } from '../../scripts/plots/plots.mjs';
import { numberIn, tableUnder } from '../../scripts/plots/tables.mjs';

const text = `# A

## One

Words.

| | x | y |
|---|---|---|
| a & b | 1.5 ms | 3 ms (0.50 ×) |
| c | 2 ms |  |

| | z |
|---|---|
| d | 9 |

## Two
`;

describe('plots', () => {
  it('are read from the first table under a heading', () => {
    expect(tableUnder(text, 'One')).toEqual([
      { label: 'a & b', cells: ['1.5 ms', '3 ms (0.50 ×)'] },
      { label: 'c', cells: ['2 ms', ''] },
    ]);
    expect(tableUnder(text, 'Three')).toBeUndefined();
    expect([numberIn('3 ms (0.50 ×)'), numberIn('3 ms (0.50 ×)', 1), numberIn('')]).toEqual([
      3,
      0.5,
      undefined,
    ]);
  });

  it('have bars as long as their values, and a line where it belongs', () => {
    const rows = [{ label: 'a & b', values: [1, 2] }];
    const svg = bars({ title: 'T', unit: 'ms', series: ['x', 'y'], rows, baseline: 1 });
    const widths = [...svg.matchAll(/<rect class="[ab]"[^>]* width="([\d.]+)" height="10"/g)].map(([, w]) =>
      Number(w),
    );
    const [, , first, second] = widths;
    expect(second! / first!).toBeCloseTo(2, 1);
    const line = Number(/class="line" d="M([\d.]+) /.exec(svg)![1]);
    expect(line).toBeCloseTo(Number(/<rect class="a" x="(\d+)" y="5/.exec(svg)![1]) + first!, 0);
    expect(svg).toContain('a &amp; b');
  });

  it('in the documents are those of the printed tables: npm run plots', () => {
    const plots = plotsOf(readFileSync('docs/measurements/benchmarks.md', 'utf8'));
    expect(Object.keys(plots).toSorted()).toEqual(readdirSync('docs/plots').toSorted());
    for (const [name, svg] of Object.entries(plots)) {
      expect(readFileSync(`docs/plots/${name}`, 'utf8'), name).toBe(svg);
      expect(svg.match(/<rect/g)!.length).toBeGreaterThan(8);
    }
  });
});
