import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const MB = 1024 * 1024;

it('reading a 25 MB image needs at most 2 MB of buffers besides the image, in every format', () => {
  const flags = ['--expose-gc', '--experimental-transform-types', '--no-warnings'];
  const printed = execFileSync(process.execPath, [...flags, 'test/api/body/reading_cost.ts'], {
    encoding: 'utf8',
  });
  const { 'one copy': copy, ...readings } = JSON.parse(printed) as Record<string, number>;
  expect(copy).toBeGreaterThan(20 * MB);
  expect(Object.keys(readings)).toHaveLength(6);
  for (const [form, bytes] of Object.entries(readings)) {
    expect(bytes, form).toBeGreaterThan(-MB);
    expect(bytes, form).toBeLessThanOrEqual(2 * MB);
  }
});
