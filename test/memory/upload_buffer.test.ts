import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { isolateMemoryPool } from '../../src/core/memory_pool.ts';
import type { CoreBytes } from '../../src/memory/owned_bytes.ts';
import { UploadBuffer } from '../../src/memory/upload_buffer.ts';
import { firstDifference, readWhole } from '../cases/decoder_cases.ts';
import { randomJpeg } from '../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../fixtures/jpeg_writer/writer.ts';
import { openJpeg } from '../fixtures/open_jpeg.ts';

describe('a file that arrives in pieces', () => {
  it('is the pieces in order, whatever was expected', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.option(fc.nat(40_000), { nil: undefined }), (chunks, expected) => {
        using file = new UploadBuffer();
        if (expected !== undefined) file.expect(expected);
        for (const chunk of chunks) file.write(chunk);
        expect([...file.finish()]).toEqual(chunks.flatMap((chunk) => [...chunk]));
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  it('holds what it needs and little more, its length told or not', () => {
    const piece = new Uint8Array(700_000).fill(7);
    for (const expected of [7_000_000, undefined]) {
      using file = new UploadBuffer();
      if (expected !== undefined) file.expect(expected);
      for (let count = 0; count < 10; count++) file.write(piece);
      const bytes = file.finish();
      expect(bytes.length).toBe(7_000_000);
      expect(bytes.every((byte) => byte === 7)).toBe(true);
      expect(file.file.retainedBytes).toBeLessThan(7_000_000 + (expected ? 1 : 2) * 1_200_000);
    }
  });

  it('goes on in an idle memory that suits it, and is the same there', () => {
    const { limit } = isolateMemoryPool;
    isolateMemoryPool.limit = 64 << 20;
    try {
      const cores = [10, 16].map((megabytes) => {
        const core = createCore();
        core.alloc(megabytes << 20);
        return core;
      });
      for (const core of cores) core[Symbol.dispose]();
      const before = isolateMemoryPool.idleBytes;
      const piece = new Uint8Array(500_001);
      using file = new UploadBuffer();
      for (let count = 0; count < 28; count++) file.write(piece.fill(count));
      const bytes = file.finish();
      expect(bytes.length).toBe(28 * piece.length);
      expect(bytes.every((byte, at) => byte === Math.floor(at / piece.length))).toBe(true);
      // Beside the one that it began in, no memory was made or has grown.
      const held = isolateMemoryPool.idleBytes + isolateMemoryPool.usedBytes;
      expect(held - before).toBeLessThanOrEqual(10 << 20);
      expect(file.file.retainedBytes).toBeLessThan(bytes.length + 2 * 1_200_000);
    } finally {
      isolateMemoryPool.limit = 0;
      isolateMemoryPool.limit = limit;
    }
  });

  it('is decoded where it is, again and again, and is gone once given back', () => {
    const sampling = [[2, 2] as const, [1, 1] as const, [1, 1] as const];
    const written = writeJpeg(randomJpeg({ width: 90, height: 50, sampling, mode: 'progressive' }));
    const expected = readWhole(openJpeg(written));
    using file = new UploadBuffer();
    file.expect(written.length + 100);
    file.write(written.subarray(0, 10));
    file.write(written.subarray(10));
    const bytes = file.finish();
    const { core } = file.file as CoreBytes;
    for (let reading = 0; reading < 3; reading++) {
      using raster = openJpeg(file.file);
      expect(raster.core).toBe(core);
      expect(firstDifference(readWhole(raster), expected)).toBe('none');
    }
    file.file[Symbol.dispose]();
    expect(core.disposed).toBe(true);
    expect(bytes.length).toBe(0);
  });
});
