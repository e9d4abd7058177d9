import type { Context } from 'hono';
import type { MemoryBudget } from '../memory/budget.ts';
import type { OwnedBytes } from '../memory/owned_bytes.ts';
import type { Reservation } from '../memory/reservation.ts';
import { UploadBuffer } from '../memory/upload_buffer.ts';
import { newBytes } from './body/image_sink.ts';
import { READ_BYTES } from './body/limits.ts';
import { readUpload, requireReadable, type Upload } from './body/read.ts';
import { bodyMemory, type ImagePlace, readGate } from './body_memory.ts';
import type { Env } from './env.ts';
import { isolateRuntime } from './runtime.ts';

/** An upload in reserved memory, which is released on disposal or handed over to a job. */
interface ReservedUpload extends Pick<Upload, 'ops'>, Disposable {
  readonly image: OwnedBytes;
  readonly memory: Reservation;
}

/**
 * Reserves memory for a body as it is read. A body that waits for memory stays with its sender.
 * @throws ApiError as `readUpload`; OverloadedFault; Fault 'stalled' when it takes too long
 */
export async function receiveUpload(c: Context<Env>): Promise<ReservedUpload> {
  const request = c.req.raw;
  requireReadable(request);
  const memory = await reserveForBody(request, isolateRuntime(c.env).budget, 'in cores');
  const buffer = new UploadBuffer();
  const dispose = () => {
    buffer[Symbol.dispose]();
    memory[Symbol.dispose]();
  };
  try {
    const { ops } = await readUpload(request, buffer, newBytes, readGate(memory, request, 'in cores'));
    const image = buffer.file;
    memory.received(image.retainedBytes, 0);
    return { image, ops, memory, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/**
 * Reserves memory to begin reading one body; a gate extends it (`readGate`).
 * @param image where its image will lie
 * @throws OverloadedFault if too many requests wait already
 */
export async function reserveForBody(
  request: Request,
  budget: MemoryBudget,
  image: ImagePlace,
): Promise<Reservation> {
  const { declared, after } = bodyMemory(request.headers.get('Content-Length'), image);
  const most = after(Number.POSITIVE_INFINITY).bytes;
  return budget.receive({ ...after(READ_BYTES), most, expectedBytes: declared }, request.signal);
}
