import { describe, expect, it } from 'vitest';
import { drainBody } from '../../../src/api/body/drain.ts';
import { sent } from './bodies.ts';

const chunk = new Uint8Array(1000);
const limits = { bytes: 1e9, ms: 60_000, stallMs: 60_000 };

describe('drainBody', () => {
  it.each([0, 1, 50])('takes all of a body of %i chunks', async (count) => {
    const { stream, chunksTaken } = sent(Array.from({ length: count }, () => chunk));
    expect(await drainBody(stream)).toBe(count * 1000);
    expect(chunksTaken()).toBe(count);
  });

  it('reads a byte stream into one buffer of its own', async () => {
    let left = 100_000;
    const buffers = new Set<number>();
    const stream = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        const { view } = controller.byobRequest!;
        buffers.add(view!.byteLength);
        const bytes = Math.min(left, view!.byteLength);
        left -= bytes;
        if (bytes === 0) controller.close();
        controller.byobRequest!.respond(bytes);
      },
    });
    expect(await drainBody(stream, limits)).toBe(100_000);
    expect([...buffers]).toEqual([16_384]);
  });

  it('stops at the limit of bytes, without cancelling', async () => {
    const { stream, cancelled, chunksTaken } = sent(Array.from({ length: 100 }, () => chunk));
    expect(await drainBody(stream, { ...limits, bytes: 2500 })).toBe(3000);
    expect([chunksTaken(), cancelled(), stream.locked]).toEqual([3, false, false]);
  });

  it.each([
    ['sends nothing', { ...limits, stallMs: 30 }],
    ['takes too long', { ...limits, ms: 30 }],
  ])('stops when the sender %s', async (_, given) => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(chunk),
      pull: () => new Promise<void>(() => {}),
    });
    expect(await drainBody(stream, given)).toBe(1000);
  });

  it('stops in time for a sender that always sends a little', async () => {
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await scheduler.wait(5);
        controller.enqueue(chunk);
      },
    });
    expect(await drainBody(stream, { ...limits, ms: 100 })).toBeLessThan(50_000);
  });

  it('does not throw when the sender disconnects', async () => {
    expect(await drainBody(sent([chunk], new Error('reset')).stream)).toBe(1000);
  });
});
