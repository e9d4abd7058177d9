import { newBytes } from './image_sink.ts';
import { openReader } from './open_reader.ts';

/** Most bytes of a refused body that are still read. */
export const MAX_DRAINED_BYTES = 64 * 1024 * 1024;

/** Most milliseconds that the response waits for this. */
const MAX_DRAIN_MS = 60_000;

/**
 * Milliseconds without new bytes after which the response is sent anyway: longer than the second for which
 * curl waits for 100 Continue before it sends a body (CURLOPT_EXPECT_100_TIMEOUT_MS), and than one of sixty
 * senders of 24 MB each waits for its turn on two busy cores (5 s were too few).
 */
const DRAIN_STALL_MS = 15_000;

/** Bytes dropped at a time. */
const CHUNK_BYTES = 16 * 1024;

interface DrainLimits {
  readonly bytes: number;
  readonly ms: number;
  readonly stallMs: number;
}

/** Bodies that were left during a read: resolves when that read is over and the body is unlocked. */
const underWay = new WeakMap<ReadableStream, Promise<void>>();

/**
 * Leaves the rest of a body to `drainBody`.
 * @param release unlocks the body; possible only when no read is in progress
 * @param reading the read in progress, if any; it ends when its bytes arrive
 */
export function leaveToDrain(body: ReadableStream, release: () => void, reading?: Promise<unknown>): void {
  if (reading) underWay.set(body, reading.then(release, release));
  else release();
}

/**
 * Reads and drops a body until it ends, fails, or reaches one of the limits. Never throws. A body that
 * someone else still holds locked is left alone.
 * @returns the bytes dropped
 */
export async function drainBody(
  body: ReadableStream<Uint8Array>,
  limits: DrainLimits = { bytes: MAX_DRAINED_BYTES, ms: MAX_DRAIN_MS, stallMs: DRAIN_STALL_MS },
): Promise<number> {
  const deadline = timer(limits.ms);
  /** Resolves to undefined if a time limit comes first. */
  const inTime = <T>(read: Promise<T>) => {
    const stall = timer(limits.stallMs);
    return Promise.race([read, stall.over, deadline.over]).finally(stall.clear);
  };
  try {
    await inTime(underWay.get(body) ?? Promise.resolve());
    return body.locked ? 0 : await dropAll(body, limits.bytes, inTime);
  } finally {
    deadline.clear();
  }
}

async function dropAll(
  body: ReadableStream<Uint8Array>,
  mostBytes: number,
  inTime: <T>(read: Promise<T>) => Promise<T | undefined>,
): Promise<number> {
  const { read, release } = openReader(body, CHUNK_BYTES, newBytes, false);
  let dropped = 0;
  try {
    while (dropped < mostBytes) {
      const next = await inTime(read());
      if (!next) break;
      dropped += next.value?.length ?? 0;
      if (next.done) break;
    }
  } catch {
    // The client has gone: nobody is left to answer.
  } finally {
    release();
  }
  return dropped;
}

function timer(ms: number): { readonly over: Promise<undefined>; readonly clear: () => void } {
  let id: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((done) => {
    id = setTimeout(() => done(undefined), ms);
  });
  return { over, clear: () => clearTimeout(id) };
}
