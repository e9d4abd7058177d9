import { describe, expect, it } from 'vitest';
import { bodyMemory, readGate } from '../../src/api/body_memory.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
const READ = 64 * KILOBYTE;

describe('memory for reading a body', () => {
  it.each([
    ['1000', READ, 1000, 1000],
    ['1000', 9 * MEGABYTE, 1000, 1000],
    [' 4194304 ', READ, MEGABYTE, READ],
    [' 4194304 ', 2.5 * MEGABYTE, 3 * MEGABYTE, MEGABYTE],
    ['99999999999', Number.POSITIVE_INFINITY, 25 * MEGABYTE, MEGABYTE],
    [null, READ, MEGABYTE, READ],
    ['many', READ, MEGABYTE, READ],
    ['-5', Number.POSITIVE_INFINITY, 25 * MEGABYTE, MEGABYTE],
  ])(
    'of Content-Length %s, when at most %i bytes have come: %i of image, %i of text',
    (header, come, image, text) => {
      const outsideCores = text + READ;
      expect(bodyMemory(header).after(come)).toEqual({
        bytes: image + outsideCores,
        outsideCores,
      });
    },
  );

  it('is extended as the body comes, and not before', async () => {
    const budget = new MemoryBudget(60 * MEGABYTE, 4);
    const request = new Request('http://test/', { headers: { 'Content-Length': '9000000' } });
    const needed = bodyMemory('9000000');
    using memory = await budget.receive({ ...needed.after(READ), most: 9e6 });
    const gate = readGate(memory, request);
    expect(gate.admit(READ)).toBeUndefined();
    await gate.admit(5e6);
    expect(memory.bytes).toBe(needed.after(5e6).bytes);
    gate.moved(5e6);
    gate.requirePace();
  });
});
