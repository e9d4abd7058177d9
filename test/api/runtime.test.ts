import { expect, it } from 'vitest';
import { jobBytes } from '../../src/api/runtime.ts';
import { runtimeHeapBytes } from '../../src/faces/detector.ts';

const MEGABYTE = 1024 * 1024;

it('leaves to jobs what is neither the runtime’s nor the face detector’s', () => {
  const usual = jobBytes('128');
  expect(usual).toBeLessThan(128 * MEGABYTE - runtimeHeapBytes);
  expect(jobBytes('228')).toBe(usual + 100 * MEGABYTE);
});

it.each([undefined, '', 'much', '-5', '0', '30'])('takes the usual budget for the setting %j', (setting) => {
  expect(jobBytes(setting)).toBe(jobBytes('128'));
});
