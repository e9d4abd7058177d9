import { expect, test } from 'vitest';
import { CallMeter } from '../../src/metering/call_meter.ts';
import { meterMethods, released } from '../../src/metering/meter_methods.ts';

test('every method of a counting object can be called from another process, but its alarm', () => {
  const own = Object.entries(Object.getOwnPropertyDescriptors(CallMeter.prototype)).flatMap(
    ([name, { value }]) =>
      typeof value === 'function' && name !== 'constructor' && name !== 'alarm' ? [name] : [],
  );
  expect([...meterMethods].sort()).toEqual(own.sort());
});

test('an answer is let go, whether it can be or not', () => {
  let times = 0;
  const answer = { calls: 1, [Symbol.dispose]: () => times++ };
  expect(released(answer)).toBe(answer);
  expect([released(undefined), released(null), released(true), times]).toEqual([undefined, null, true, 1]);
});
