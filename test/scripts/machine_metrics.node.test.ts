import { expect, test } from 'vitest';
import { joinedMetrics } from '../../scripts/serve/machine_metrics.mjs';
import { Metrics } from '../../src/api/metrics.ts';

const gauges = { version: '1.2.3', memoryBytes: 100, memoryHeldBytes: 7, callsWaiting: 0 };

test('the figures of all processes stand under one head, each with its process', () => {
  const [one, other] = [new Metrics(), new Metrics()];
  one.request('/v1/health', 'GET', 200, 0.001);
  other.request('/v1/health', 'GET', 200, 0.001);
  other.request('/v1/ready', 'GET', 503, 0.001);
  const text = joinedMetrics([one.text(gauges), other.text({ ...gauges, memoryHeldBytes: 8 })]);
  const lines = text.split('\n');
  expect(lines.filter((line) => line.startsWith('# TYPE image_sanitizer_requests_total'))).toHaveLength(1);
  const at = lines.indexOf('# TYPE image_sanitizer_requests_total counter');
  expect(lines.slice(at + 1, at + 4)).toEqual([
    'image_sanitizer_requests_total{route="/v1/health",method="GET",status="200",process="1"} 1',
    'image_sanitizer_requests_total{route="/v1/health",method="GET",status="200",process="2"} 1',
    'image_sanitizer_requests_total{route="/v1/ready",method="GET",status="503",process="2"} 1',
  ]);
  expect(text).toContain('image_sanitizer_memory_held_bytes{process="1"} 7\n');
  expect(text).toContain('image_sanitizer_memory_held_bytes{process="2"} 8\n');
  // Every line of one process is there, and comments once.
  const figures = (of: string) => of.split('\n').filter((line) => line && !line.startsWith('#'));
  expect(figures(text)).toHaveLength(figures(one.text(gauges)).length + figures(other.text(gauges)).length);
  expect(joinedMetrics([one.text(gauges)]).match(/^#.*$/gm)).toEqual(one.text(gauges).match(/^#.*$/gm));
});
