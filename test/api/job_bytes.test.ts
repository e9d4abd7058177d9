import { expect, it } from 'vitest';
import { jobBytes } from '../../src/api/job_bytes.ts';

const MEGABYTE = 1024 * 1024;

it('jobs share the budget less what the runtime needs', () => {
  const usual = jobBytes('128');
  expect(usual).toBe(100 * MEGABYTE);
  expect(jobBytes('228')).toBe(usual + 100 * MEGABYTE);
});

it.each([undefined, '', 'much', '-5', '0', '20'])('the setting %j gives the default budget', (setting) => {
  expect(jobBytes(setting)).toBe(jobBytes('128'));
});
