import { expect, it } from 'vitest';
import { watched } from '../../../src/api/body/watched.ts';

it('gives what the work gives, or throws what it throws', async () => {
  const fine = () => {};
  expect(await watched(Promise.resolve(3), fine)).toBe(3);
  await expect(watched(Promise.reject(new Error('broken')), fine)).rejects.toThrow('broken');
});

it('asks again and again whether to go on, and ends when it may not', async () => {
  let asked = 0;
  const check = () => {
    if (++asked === 3) throw new Error('too slow');
  };
  await expect(watched(new Promise(() => {}), check, 1)).rejects.toThrow('too slow');
  expect(asked).toBe(3);
});

it('asks no more once the work is done', async () => {
  let asked = 0;
  await watched(Promise.resolve(), () => void asked++, 1);
  await new Promise((later) => setTimeout(later, 5));
  expect(asked).toBe(0);
});
