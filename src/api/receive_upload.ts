import type { Context } from 'hono';
import type { MemoryBudget } from '../memory/budget.ts';
import type { Caller } from '../memory/holding.ts';
import type { OwnedBytes } from '../memory/image_file.ts';
import type { Reservation } from '../memory/reservation.ts';
import { UploadBuffer } from '../memory/upload_buffer.ts';
import { callBelongsTo } from '../scheduling/time_slice.ts';
import { type ImageSink, newBytes } from './body/image_sink.ts';
import { MAX_OPS_BYTES, READ_BYTES } from './body/limits.ts';
import { readUpload, requireReadable, type Upload } from './body/read.ts';
import type { ReadGate } from './body/read_gate.ts';
import { bodyMemory, readGate } from './body_memory.ts';
import { countedCallerOf } from './caller/caller.ts';
import type { Env } from './env.ts';
import { timed } from './metrics.ts';
import { isolateRuntime } from './runtime.ts';

/** A body in reserved memory, which is released on disposal or handed over to a job. */
interface ReceivedBody<Body> extends Disposable {
  readonly body: Body;
  /** The image in it; empty if there is none. */
  readonly image: OwnedBytes;
  readonly memory: Reservation;
}

/** What reading a body returns, besides the bytes passed to the sink. */
interface ReadBody {
  /** Undefined if the bytes in the sink are not an image. */
  readonly image: Uint8Array | undefined;
  /** Bytes of text that are kept besides the image. */
  readonly textBytes?: number;
}

/**
 * Receives a body, reserving memory as it is read. While a body waits for memory, it is left with its sender.
 * @throws ApiError as `readUpload`; OverloadedFault; Fault 'stalled' when it takes too long
 */
export async function receiveUpload(c: Context<Env>): Promise<ReceivedBody<Upload>> {
  const request = c.req.raw;
  requireReadable(request);
  return receiveBody(request, await sharingOf(c), (sink, gate) => readUpload(request, sink, newBytes, gate));
}

/** The memory that a call shares with others, and the call's caller. */
interface Sharing {
  readonly budget: MemoryBudget;
  readonly caller?: Caller | undefined;
}

/** The shared memory for a call of a counted caller. */
export async function sharingOf(c: Context<Env>): Promise<Sharing> {
  const { budget } = isolateRuntime(c.env);
  const { meterName, kind } = await countedCallerOf(c);
  return { budget, caller: { id: meterName, isAnonymous: kind === 'anonymous' } };
}

/** Reads a body into a sink under a gate; `drop` gives back the memory of an image that is not wanted. */
type ReadIntoMemory<Body> = (sink: ImageSink, gate: ReadGate, drop: () => void) => Promise<Body>;

/**
 * Like `receiveUpload`, for any form of body.
 * @param read reads it; its image goes into the sink
 * @throws what `read` throws; OverloadedFault; Fault 'stalled' when it takes too long
 */
export async function receiveBody<Body extends ReadBody>(
  request: Request,
  sharing: Sharing,
  read: ReadIntoMemory<Body>,
): Promise<ReceivedBody<Body>> {
  const { caller } = sharing;
  // All anonymous callers count as one when turns on the thread are given: from many networks, one person
  // could make many calls.
  if (caller) callBelongsTo(caller.isAnonymous ? 'anonymous' : caller.id, request.signal);
  const memory = await reserveForBody(request, sharing);
  const buffer = new UploadBuffer();
  const dispose = () => {
    buffer[Symbol.dispose]();
    memory[Symbol.dispose]();
  };
  const drop = () => {
    buffer[Symbol.dispose]();
    // Text may still come.
    const bytes = MAX_OPS_BYTES + READ_BYTES;
    memory.shrinkTo(bytes, bytes);
  };
  try {
    const body = await timed('receiving', () => read(buffer, readGate(memory, request), drop));
    if (!body.image) buffer[Symbol.dispose]();
    const image = buffer.file;
    const textBytes = body.textBytes ?? 0;
    memory.received((body.image ? image.retainedBytes : 0) + textBytes, textBytes);
    return { body, image, memory, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/**
 * Reserves memory to begin reading one body; a gate extends it (`readGate`).
 * @throws OverloadedFault if too many requests are already waiting
 */
export async function reserveForBody(request: Request, { budget, caller }: Sharing): Promise<Reservation> {
  const { declared, after } = bodyMemory(request.headers.get('Content-Length'));
  const most = after(Number.POSITIVE_INFINITY).bytes;
  return budget.receive({ ...after(READ_BYTES), most, expectedBytes: declared }, request.signal, caller);
}
