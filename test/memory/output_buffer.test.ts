import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INITIAL_PAGES, isolateMemoryPool, PAGE_BYTES } from '../../src/core/memory_pool.ts';
import { encodeInto, OutputBuffer, outputBufferBytes } from '../../src/memory/output_buffer.ts';
import { joined } from '../fixtures/png_writer.ts';

describe('output of a file as it is written', () => {
  it('holds what was appended, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 90_000 }), { maxLength: 8 }), (parts) => {
        using output = new OutputBuffer('PNG', 1 << 24);
        parts.forEach((part) => {
          output.append(part);
        });
        expect(output.bytes).toEqual(joined(parts));
        expect(output.length).toBe(output.bytes.length);
      }),
      { numRuns: 50, seed: 4 },
    );
  });

  it('is little larger than its content at all times, and never stands twice', () => {
    const before = isolateMemoryPool.usedBytes;
    using output = new OutputBuffer('PNG', 1 << 28);
    for (let i = 1; i <= 300; i++) {
      output.append(new Uint8Array(65_536));
      const spare = outputBufferBytes(output.length) - (isolateMemoryPool.usedBytes - before);
      expect(spare).toBe(INITIAL_PAGES * PAGE_BYTES);
    }
    expect(isolateMemoryPool.usedBytes - before).toBe(output.retainedBytes);
    expect(outputBufferBytes(output.length)).toBeLessThan(output.length + (3 << 17));
  });

  it('gives its memory back', () => {
    const before = isolateMemoryPool.usedBytes;
    const output = new OutputBuffer('PNG', 1 << 20);
    output.append(new Uint8Array(70_000));
    const bytes = output.bytes;
    output[Symbol.dispose]();
    expect(bytes.length).toBe(0);
    expect(output.bytes.length).toBe(0);
    expect(() => output.append(Uint8Array.of(1))).toThrow('given back');
    expect(isolateMemoryPool.usedBytes).toBe(before);
    output[Symbol.dispose]();
    expect(isolateMemoryPool.usedBytes).toBe(before);
  });

  it('takes exactly the room, and a limit fault for one byte more', () => {
    using output = new OutputBuffer('PNG', 100_000);
    output.append(new Uint8Array(100_000));
    expect(output.bytes.length).toBe(100_000);
    expect(() => output.append(Uint8Array.of(1))).toThrow(expect.objectContaining({ kind: 'limit' }));
  });

  it('leaves gaps that are filled later, and puts bytes before others', () => {
    using output = new OutputBuffer('WebP', 9);
    output.append(Uint8Array.of(1));
    expect(output.leave(2)).toBe(1);
    output.append(Uint8Array.of(4, 5));
    output.replace(1, 3, Uint8Array.of(2, 3));
    output.insert(3, Uint8Array.of(7, 8));
    output.insert(7, Uint8Array.of(9));
    expect([...output.bytes]).toEqual([1, 2, 3, 7, 8, 4, 5, 9]);
    expect(() => output.leave(2)).toThrow(expect.objectContaining({ kind: 'limit' }));
    expect(() => output.insert(0, new Uint8Array(2))).toThrow('9 bytes');
    expect(output.leave(1)).toBe(8);
  });

  it('puts less in the place of more, and asks for room only when it has none', () => {
    const asked: number[] = [];
    using output = new OutputBuffer('PNG', 6, () => {
      asked.push(output.length);
      return 8;
    });
    output.append(new Uint8Array([1, 2, 3, 4, 5]));
    output.replace(1, 4, new Uint8Array([9]));
    expect([...output.bytes]).toEqual([1, 9, 5]);
    output.append(new Uint8Array([6, 7, 8]));
    expect(asked).toEqual([]);
    output.append(new Uint8Array([6, 7]));
    expect(asked).toEqual([6]);
    expect(() => output.append(new Uint8Array(1))).toThrow('8 bytes');
  });

  it('is given back where writing into it fails, and handed on where it does not', async () => {
    const before = isolateMemoryPool.usedBytes;
    const failing = encodeInto('PNG', 1000, undefined, 10, async (output) => {
      output.append(new Uint8Array(5));
      throw new Error('the source ended');
    });
    await expect(failing).rejects.toThrow('the source ended');
    expect(isolateMemoryPool.usedBytes).toBe(before);
    const writing = async (output: OutputBuffer) => output.append(Uint8Array.of(7));
    using written = await encodeInto('PNG', 1000, undefined, 10, writing);
    expect([...written.bytes]).toEqual([7]);
  });
});
