import { afterEach, expect, test, vi } from 'vitest';
import { plotsOf } from '../../scripts/plots/plots.mjs';
import { startTable, tableRow } from './table.ts';

afterEach(() => vi.restoreAllMocks());

test('a table that a benchmark prints is drawn as those of the documents', () => {
  let printed = 'words before\n';
  vi.spyOn(console, 'log').mockImplementation((line: string) => {
    printed += `${line}\n`;
  });
  startTable('Memory of a job', ['source → output', 'input', 'output', 'counted', 'predicted', '']);
  tableRow('JPEG → PNG', '4.8 MB', '35.7 MB', '42.8 MB', '50.7 MB', '1.18 ×');
  tableRow('a row without figures', '', '', '', '', '');
  printed += '\nwords behind\n';
  const plots = plotsOf(printed);
  expect(Object.keys(plots)).toEqual(['memory.svg']);
  expect(plots['memory.svg']).toContain('42.8 MB');
  expect(plots['memory.svg']).toContain('50.7 MB');
  expect(plots['memory.svg']).not.toContain('without figures');
});
