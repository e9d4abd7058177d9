import { describe, expect, it } from 'vitest';
import { bodyChunks } from '../../../src/api/body/body_chunks.ts';
import { drainBody } from '../../../src/api/body/drain.ts';
import { newBytes } from '../../../src/api/body/image_sink.ts';
import { openGate } from '../../../src/api/body/read_gate.ts';
import { cutAt, joined, sent } from './bodies.ts';
import { counted } from './counting.ts';

const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => i * 13);
const tooLarge = () => new RangeError('too large');
/** Refuses while a read takes long. */
const refusing = {
  ...openGate,
  requirePace() {
    throw new Error('too slow');
  },
};

async function read(
  stream: ReadableStream<Uint8Array> | null,
  limit = 1e9,
  allocate = newBytes,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of bodyChunks(stream, limit, tooLarge, allocate)) pieces.push(chunk.slice());
  return joined(pieces);
}

/** A byte stream as from the network: it fills the reader's own buffer, `step` bytes at a time. */
const networkLike = (step: number, failAt = Number.POSITIVE_INFINITY) => {
  let at = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const request = controller.byobRequest;
      const view = request?.view;
      if (at >= failAt) return controller.error(new Error('reset by peer'));
      if (at === bytes.length) {
        controller.close();
        request?.respond(0);
        return;
      }
      const part = bytes.subarray(at, at + Math.min(step, view?.length ?? step));
      at += part.length;
      if (!request || !view) return controller.enqueue(part.slice());
      new Uint8Array(view.buffer, view.byteOffset).set(part);
      request.respond(part.length);
    },
  });
};

describe('chunks of a body', () => {
  it('are the whole body, from a request, from a byte stream and from a plain stream', async () => {
    expect(await read(new Request('https://a.test', { method: 'POST', body: bytes }).body)).toEqual(bytes);
    for (const step of [1000, 65_536, 100_000]) expect(await read(networkLike(step))).toEqual(bytes);
    expect(await read(sent(cutAt(bytes, [1, 1, 70_000])).stream)).toEqual(bytes);
    expect((await read(null)).length).toBe(0);
  });

  it('are no longer than a read, so that a body in one piece gives way as often as any other', async () => {
    const lengths: number[] = [];
    const { stream } = sent([bytes.subarray(0, 10), bytes]);
    for await (const chunk of bodyChunks(stream, 1e9, tooLarge, newBytes)) lengths.push(chunk.length);
    expect(lengths).toEqual([10, 65_536, 65_536, 65_536, 3392]);
  });

  it('reuse one buffer if the stream fills the reader’s', async () => {
    const { allocate, sizes } = counted();
    await read(networkLike(1e6), 1e9, allocate);
    expect(sizes).toEqual([65_536]);
  });

  it('end with an error at the limit, and the rest is left to others', async () => {
    const pieces = Array.from({ length: 100 }, () => new Uint8Array(10));
    const { stream, cancelled, chunksTaken } = sent(pieces);
    await expect(read(stream, 25)).rejects.toThrow('too large');
    expect([cancelled(), chunksTaken(), stream.locked]).toEqual([false, 3, false]);
    expect(await read(sent(pieces).stream, 1000)).toEqual(new Uint8Array(1000));
    await expect(read(networkLike(100), 199_999)).rejects.toThrow('too large');
    expect(await read(networkLike(100), 200_000)).toEqual(bytes);
  });

  it('are left to others when the consumer stops', async () => {
    const { stream, cancelled } = sent([bytes, bytes]);
    for await (const _ of bodyChunks(stream, 1e9, tooLarge, newBytes)) break;
    expect([cancelled(), stream.locked]).toEqual([false, false]);
  });

  it('end with bad_request if the sender disconnects', async () => {
    const message = /^The body broke off after 200000 bytes/;
    await expect(read(sent([bytes], new Error('secret detail')).stream)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
    await expect(read(networkLike(1000, 5000))).rejects.toMatchObject({ status: 400 });
  });

  it('leave no lock after the end of the body', async () => {
    const { stream, cancelled } = sent([bytes]);
    await read(stream);
    expect([cancelled(), stream.locked]).toEqual([false, false]);
  });

  it('are read once there is memory for them, and what each read brings is told', async () => {
    const asked: number[] = [];
    let moved = 0;
    const gate = {
      admit: async (total: number) => void asked.push(total),
      moved: (count: number) => (moved += count),
      spend: () => undefined,
      requirePace() {},
    };
    const pieces = cutAt(bytes, [1, 70_000]);
    let total = 0;
    for await (const chunk of bodyChunks(sent(pieces).stream, 1e9, tooLarge, newBytes, gate)) {
      total += chunk.length;
      expect([moved, asked.length]).toEqual([total, asked.length]);
    }
    expect(asked).toEqual([0, 1, 70_000, bytes.length].map((read) => read + 65_536));
    expect(moved).toBe(bytes.length);
  });

  it('give way for what reading them takes: a body that came at once was read in one stretch', async () => {
    let spent = 0;
    let waited = 0;
    const spend = (nanoseconds: number) => {
      spent += nanoseconds;
      return Promise.resolve().then(() => void waited++);
    };
    const chunks: number[] = [];
    for await (const { length } of bodyChunks(sent([bytes]).stream, 1e9, tooLarge, newBytes, {
      ...openGate,
      spend,
    })) {
      chunks.push(length);
      expect(waited).toBe(chunks.length);
    }
    expect(spent).toBe(bytes.length);
  });

  it('are left to others when there is no memory for more', async () => {
    const { stream, cancelled, chunksTaken } = sent([bytes, bytes]);
    const admit = async (total: number) => {
      if (total > 100_000) throw new Error('no memory');
    };
    const reading = async () => {
      const gate = { ...openGate, admit };
      for await (const _chunk of bodyChunks(stream, 1e9, tooLarge, newBytes, gate));
    };
    await expect(reading()).rejects.toThrow('no memory');
    expect([cancelled(), chunksTaken(), stream.locked]).toEqual([false, 1, false]);
  });

  it('end with what the gate throws while a read takes long, and the body is not cancelled', async () => {
    let cancelled = false;
    const stalling = new ReadableStream({
      type: 'bytes',
      start: (controller) => controller.enqueue(bytes.slice(0, 10)),
      pull: () => new Promise<void>(() => {}),
      cancel: () => {
        cancelled = true;
      },
    });
    const reading = async () => {
      for await (const _chunk of bodyChunks(stalling, 1e9, tooLarge, newBytes, refusing));
    };
    await expect(reading()).rejects.toThrow('too slow');
    expect(cancelled).toBe(false);
  });

  it('are drained once the read is over that was under way when the gate refused', async () => {
    let goOn = () => {};
    const stalled = new Promise<void>((done) => {
      goOn = done;
    });
    let pulls = 0;
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(bytes.slice(0, 10)),
      async pull(controller) {
        pulls++;
        if (pulls === 1) await stalled;
        if (pulls <= 3) controller.enqueue(bytes.slice(0, 1000));
        else controller.close();
      },
    });
    const reading = async () => {
      for await (const _chunk of bodyChunks(stream, 1e9, tooLarge, newBytes, refusing));
    };
    await expect(reading()).rejects.toThrow('too slow');
    expect(stream.locked).toBe(true);
    const drained = drainBody(stream);
    goOn();
    // What the pending read brought is gone; two more chunks came.
    expect(await drained).toBe(2000);
    expect(pulls).toBe(4);
  });
});
