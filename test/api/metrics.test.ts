import { describe, expect, test, vi } from 'vitest';
import { Metrics, metrics, timed } from '../../src/api/metrics.ts';

const gauges = { version: '1.0.0', memoryBytes: 100, memoryHeldBytes: 40, callsWaiting: 2 };

/** Values by name and labels. */
const read = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

describe('Metrics', () => {
  test('counts calls by route, method and status, refusals by code, and passes', () => {
    const own = new Metrics();
    own.request('/v1/sanitize', 'POST', 200, 0.2);
    own.request('/v1/sanitize', 'POST', 200, 0.3);
    own.request('/v1/sanitize', 'POST', 422, 0.1);
    own.refusal('unprocessable_image');
    own.detectorPasses(3);
    own.detectorPasses(4);
    expect(read(own.text(gauges))).toMatchObject({
      'image_sanitizer_requests_total{route="/v1/sanitize",method="POST",status="200"}': 2,
      'image_sanitizer_requests_total{route="/v1/sanitize",method="POST",status="422"}': 1,
      'image_sanitizer_refusals_total{code="unprocessable_image"}': 1,
      image_sanitizer_detector_passes_total: 7,
      'image_sanitizer_info{version="1.0.0"}': 1,
      image_sanitizer_memory_bytes: 100,
      image_sanitizer_memory_held_bytes: 40,
      image_sanitizer_calls_waiting: 2,
    });
  });

  test('histograms are cumulative, a bound belongs to its bucket, and nothing is lost beyond the last', () => {
    const own = new Metrics();
    for (const seconds of [0.005, 0.0051, 7, 3600]) own.phase('meter', seconds);
    const values = read(own.text(gauges));
    const bucket = (bound: string) =>
      values[`image_sanitizer_phase_seconds_bucket{phase="meter",le="${bound}"}`];
    expect(['0.005', '0.01', '5', '10', '60', '+Inf'].map(bucket)).toEqual([1, 2, 2, 3, 3, 4]);
    expect(values['image_sanitizer_phase_seconds_count{phase="meter"}']).toBe(4);
    expect(values['image_sanitizer_phase_seconds_sum{phase="meter"}']).toBeCloseTo(3607.0101);
  });

  test('the text is in the exposition format, every name announced once before its values', () => {
    const own = new Metrics();
    own.request('other', 'GET', 404, 0);
    own.phase('faces', 1);
    own.refusal('not_found');
    const announced = new Set<string>();
    for (const line of own.text(gauges).trimEnd().split('\n')) {
      const [, type] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? [];
      if (type) {
        expect(announced).not.toContain(type);
        announced.add(type);
      } else if (!/^# HELP \w+ \S.*$/.test(line)) {
        const value = /^(\w+?)(?:_bucket|_sum|_count)?(?:\{(?:\w+="[^"\\\n]*",?)+\})? [\d.e+-]+$/;
        expect(announced, line).toContain(value.exec(line)?.[1]);
      }
    }
    expect(announced.size).toBe(9);
  });
});

test('timed notes the time of work that fails, too, and passes its error on', async () => {
  const phase = vi.spyOn(metrics, 'phase');
  try {
    expect(await timed('faces', async () => 7)).toBe(7);
    await expect(
      timed('meter', async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(phase.mock.calls.map(([name]) => name)).toEqual(['faces', 'meter']);
  } finally {
    phase.mockRestore();
  }
});
