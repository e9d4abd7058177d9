import type { Context } from 'hono';
import type { MemoryBudget } from '../memory/budget.ts';
import type { Caller } from '../memory/holding.ts';
import type { OwnedBytes } from '../memory/image_file.ts';
import type { Reservation } from '../memory/reservation.ts';
import { UploadBuffer } from '../memory/upload_buffer.ts';
import { callIsOf } from '../time_slice.ts';
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
  /** The image of it, empty where there is none. */
  readonly image: OwnedBytes;
  readonly memory: Reservation;
}

/** What reading a body gives beside the bytes that the sink got. */
interface ReadBody {
  /** Absent where what the sink got is none. */
  readonly image: Uint8Array | undefined;
  /** Bytes of text that are kept beside it. */
  readonly textBytes?: number;
}

/**
 * Reserves memory for a body as it is read. A body that waits for memory stays with its sender.
 * @throws ApiError as `readUpload`; OverloadedFault; Fault 'stalled' when it takes too long
 */
export async function receiveUpload(c: Context<Env>): Promise<ReceivedBody<Upload>> {
  const request = c.req.raw;
  requireReadable(request);
  return receiveBody(request, await sharingOf(c), (sink, gate) => readUpload(request, sink, newBytes, gate));
}

/** The memory that a call shares with others, and whose call it is. */
interface Sharing {
  readonly budget: MemoryBudget;
  readonly caller?: Caller | undefined;
}

/** What the call of a counted caller shares. */
export async function sharingOf(c: Context<Env>): Promise<Sharing> {
  const { budget } = isolateRuntime(c.env);
  const { meterName, kind } = await countedCallerOf(c);
  return { budget, caller: { id: meterName, isAnonymous: kind === 'anonymous' } };
}

/** Reads a body into a sink, within a gate; `drop` gives back the memory of an image that is not wanted. */
type ReadIntoMemory<Body> = (sink: ImageSink, gate: ReadGate, drop: () => void) => Promise<Body>;

/**
 * As `receiveUpload`, for a body of any form.
 * @param read reads it; its image goes into the sink
 * @throws what `read` throws; OverloadedFault; Fault 'stalled' when it takes too long
 */
export async function receiveBody<Body extends ReadBody>(
  request: Request,
  sharing: Sharing,
  read: ReadIntoMemory<Body>,
): Promise<ReceivedBody<Body>> {
  const { caller } = sharing;
  // By many networks one could have many calls without a key: together they are one caller to the thread.
  if (caller) callIsOf(caller.isAnonymous ? 'anonymous' : caller.id, request.signal);
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
 * @throws OverloadedFault if too many requests wait already
 */
export async function reserveForBody(request: Request, { budget, caller }: Sharing): Promise<Reservation> {
  const { declared, after } = bodyMemory(request.headers.get('Content-Length'));
  const most = after(Number.POSITIVE_INFINITY).bytes;
  return budget.receive({ ...after(READ_BYTES), most, expectedBytes: declared }, request.signal, caller);
}
