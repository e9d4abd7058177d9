import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Metrics } from '../../src/api/metrics.ts';

test('the dashboard shows every metric that there is, and none that there is not', () => {
  const text = new Metrics().text({ version: '1', memoryBytes: 1, memoryHeldBytes: 1, callsWaiting: 0 });
  const offered = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!);
  const { panels } = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const shown = panels
    .flatMap(({ targets }) => targets)
    .flatMap(({ expr }) => expr.match(/image_sanitizer_\w+/g)!)
    .map((name) => name.replace(/_bucket$/, ''));
  expect([...new Set(shown)].sort()).toEqual(offered.sort());
});
