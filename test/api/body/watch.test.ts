import { expect, it } from 'vitest';
import { Watch } from '../../../src/api/body/watch.ts';

const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

it('gives what each piece gives, or throws what it throws', async () => {
  using watch = new Watch(() => {});
  expect(await watch.over(Promise.resolve(3))).toBe(3);
  await expect(watch.over(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await watch.over(Promise.resolve(4))).toBe(4);
});

it('asks again and again whether to go on, and ends when it may not', async () => {
  let asked = 0;
  using watch = new Watch(() => {
    if (++asked === 3) throw new Error('too slow');
  }, 1);
  await watch.over(Promise.resolve());
  await expect(watch.over(new Promise(() => {}))).rejects.toThrow('too slow');
  expect(asked).toBe(3);
});

it('asks neither between two pieces nor once it is disposed of', async () => {
  let asked = 0;
  {
    using watch = new Watch(() => void asked++, 1);
    await watch.over(Promise.resolve());
    await later(5);
    void watch.over(new Promise(() => {}));
  }
  await later(5);
  expect(asked).toBe(0);
});
