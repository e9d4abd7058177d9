import { expect, it } from 'vitest';
import { PolicyClock } from '../../src/memory/policy_clock.ts';

it('counts from when it was made, and a standstill of the event loop as half a second', () => {
  let now = 1e12;
  const clock = new PolicyClock(() => now);
  expect(clock.read()).toEqual({ wall: 0, turning: 0 });
  now += 300;
  expect(clock.read()).toEqual({ wall: 300, turning: 300 });
  now += 4000;
  expect(clock.read()).toEqual({ wall: 4300, turning: 800 });
});

it('stands still while the time it reads runs backwards, and goes on from where it was', () => {
  let now = 1000;
  const clock = new PolicyClock(() => now);
  now = 1200;
  clock.read();
  now = 700;
  expect(clock.read().wall).toBe(200);
  now = 1250;
  expect(clock.read()).toEqual({ wall: 250, turning: 250 });
});
