import { expect, it } from 'vitest';
import { readImage } from '../../src/library/image_input.ts';
import { describeImageInputs } from '../cases/image_input_cases.ts';

describeImageInputs('readImage', async (image, { signal, memoryBudget = 1 << 20 }) => {
  const { bytes } = await readImage(image, memoryBudget, signal);
  return Buffer.from(bytes).toString('base64');
});

const file = Uint8Array.of(1, 2, 3, 4, 5);

it('copies nothing but memory that another thread could change', async () => {
  expect((await readImage(file, 5)).bytes).toBe(file);
  for (const image of [file.buffer, new DataView(file.buffer), Buffer.from(file.buffer)]) {
    expect((await readImage(image, 5)).bytes.buffer).toBe(file.buffer);
  }
  const shared = new SharedArrayBuffer(5);
  const { bytes, areOwn } = await readImage(shared, 5);
  expect([bytes.buffer instanceof ArrayBuffer, areOwn]).toEqual([true, true]);
});

it('tells what may be given away', async () => {
  const own = async (image: Parameters<typeof readImage>[0]) => (await readImage(image, 5)).areOwn;
  expect(await Promise.all([own(file), own(file.buffer), own(new DataView(file.buffer))])).toEqual([
    false,
    false,
    false,
  ]);
  expect(await own(new Blob([file]))).toBe(true);
});
