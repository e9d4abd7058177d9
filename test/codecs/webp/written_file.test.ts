import { describe, expect, it } from 'vitest';
import { containerBytes, WrittenFile } from '../../../src/codecs/webp/written_file.ts';
import { OutputBuffer } from '../../../src/memory/output_buffer.ts';
import { riffChunk, vp8x, webp } from '../../fixtures/webp_writer.ts';

const bytes = (count: number, first: number) => Uint8Array.from({ length: count }, (_, i) => first + i);

describe('a WebP file as it is written', () => {
  it('is its chunks in order, padded, whatever comes first', () => {
    for (const alphaBytes of [0, 1, 4, 7]) {
      for (const tail of [0, 3, 6]) {
        using output = new OutputBuffer('WebP', 1000);
        // What lay there before must not show.
        output.append(new Uint8Array(900).fill(0xaa));
        output.restart();
        const file = new WrittenFile(output, { width: 300, height: 16_383 }, alphaBytes);
        const alpha = bytes(alphaBytes, 50);
        if (alphaBytes > 0) file.alpha(alpha.subarray(0, 3));
        file.frame(bytes(tail, 1).subarray(0, 2));
        if (alphaBytes > 3) file.alpha(alpha.subarray(3));
        file.frame(bytes(tail, 1).subarray(2));
        expect(output.length).toBe(containerBytes(alphaBytes) + tail);
        file.finish(bytes(5, 100));
        const frame = riffChunk('VP8 ', bytes(5, 100), bytes(tail, 1));
        const extended = [vp8x(300, 16_383, 0x10), riffChunk('ALPH', alpha)];
        expect(output.bytes).toEqual(webp(alphaBytes > 0 ? [...extended, frame] : [frame]));
      }
    }
  });
});
