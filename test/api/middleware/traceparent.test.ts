import { expect, test } from 'vitest';
import { traceIdOf, validTraceparent } from '../../../src/api/middleware/traceparent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const valid = `00-${trace}-${parent}-01`;

test('a valid traceparent is passed on as it is, and names its trace', () => {
  expect(validTraceparent(valid)).toBe(valid);
  expect(traceIdOf(valid)).toBe(trace);
});

test('of a later version what is known of it is passed on', () => {
  for (const later of [`cc-${trace}-${parent}-01`, `cc-${trace}-${parent}-01-what-comes-then`])
    expect(validTraceparent(later)).toBe(valid);
});

test.each([
  undefined,
  '',
  trace,
  `ff-${trace}-${parent}-01`,
  `00-${trace}-${parent}-01-more`,
  `cc-${trace}-${parent}-01.more`,
  `00-${'0'.repeat(32)}-${parent}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${parent}-01`,
  `00-${trace}-${parent}-1`,
  `${valid}, ${valid}`,
  ` ${valid}`,
])('%s is none', (value) => {
  expect(validTraceparent(value)).toBeUndefined();
});
