import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Output } from '../../../src/codecs/png/output.ts';
import { joined } from '../../fixtures/png_writer.ts';

describe('output of a file as it is written', () => {
  it('holds what was appended, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 90_000 }), { maxLength: 8 }), (parts) => {
        const output = new Output(1 << 24);
        parts.forEach((part, i) => {
          output.append(part, (i + 1) / parts.length);
        });
        expect(output.take()).toEqual(joined(parts));
        expect(output.length).toBe(output.take().length);
      }),
      { numRuns: 50, seed: 4 },
    );
  });

  it('is little larger than its content where the content comes evenly', () => {
    const output = new Output(1 << 28);
    for (let i = 1; i <= 300; i++) output.append(new Uint8Array(65_536), i / 300);
    const { buffer, length } = output.take();
    expect(buffer.byteLength).toBeLessThan(length * 1.1);
  });

  it('takes exactly the room, and a limit fault for one byte more', () => {
    const output = new Output(100_000);
    output.append(new Uint8Array(100_000), 0.1);
    expect(output.take().buffer.byteLength).toBe(100_000);
    expect(() => output.append(Uint8Array.of(1), 1)).toThrow(expect.objectContaining({ kind: 'limit' }));
  });

  it('puts less in the place of more, and asks for room only when it has none', () => {
    const asked: number[] = [];
    const output = new Output(6, () => {
      asked.push(output.length);
      return 8;
    });
    output.append(new Uint8Array([1, 2, 3, 4, 5]), 1);
    output.replace(1, 4, new Uint8Array([9]));
    expect([...output.take()]).toEqual([1, 9, 5]);
    output.append(new Uint8Array([6, 7, 8]), 1);
    expect(asked).toEqual([]);
    output.append(new Uint8Array([6, 7]), 1);
    expect(asked).toEqual([6]);
    expect(() => output.append(new Uint8Array(1), 1)).toThrow('8 bytes');
  });
});
