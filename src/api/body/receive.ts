import type { Context } from 'hono';
import type { MemoryBudget, Reservation } from '../../memory/budget.ts';
import { retainedBytes } from '../../memory/owned_bytes.ts';
import { UploadBuffer } from '../../memory/upload_buffer.ts';
import type { Env } from '../env.ts';
import { isolateRuntime } from '../runtime.ts';
import { MAX_IMAGE_BYTES, MAX_OPS_BYTES, READ_BYTES } from './limits.ts';
import { declaredLength, readUpload, requireReadable, type Upload } from './read.ts';

/**
 * What a request brought, and the memory that is reserved for it until it is disposed of or goes over to a
 * job.
 */
interface HeldUpload extends Upload, Disposable {
  readonly memory: Reservation;
}

/**
 * Reserves memory for a body, then reads it: bodies that wait for their turn are left with their senders.
 * @throws ApiError as `readUpload`; OverloadedFault
 */
export async function receiveUpload(c: Context<Env>): Promise<HeldUpload> {
  const request = c.req.raw;
  try {
    requireReadable(request);
  } catch (error) {
    await cancelBody(request);
    throw error;
  }
  const memory = await reservedToRead(request, isolateRuntime(c.env).budget, 'in cores');
  const file = new UploadBuffer();
  const dispose = () => {
    file[Symbol.dispose]();
    memory[Symbol.dispose]();
  };
  try {
    const { image, ops } = await readUpload(request, file);
    // More than the image where its length was only guessed.
    memory.shrinkTo(retainedBytes(image).total, 0);
    return { image, ops, memory, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/**
 * Memory for reading one body, by the length that it declares.
 * @param image where its image will lie
 * @throws OverloadedFault when too many wait already; the body is then cancelled
 */
export async function reservedToRead(
  request: Request,
  budget: MemoryBudget,
  image: 'in cores' | 'outside',
): Promise<Reservation> {
  const { imageBytes, readingBytes } = heldToRead(request.headers.get('Content-Length'));
  const outsideCores = readingBytes + (image === 'outside' ? imageBytes : 0);
  try {
    return await budget.receive(imageBytes + readingBytes, outsideCores, request.signal);
  } catch (error) {
    await cancelBody(request);
    throw error;
  }
}

/** Nothing was read: nothing else would tell the sender to stop. */
const cancelBody = async (request: Request) => request.body?.cancel().catch(() => {});

/**
 * Upper bounds of the image, and of what is held beside it while it is read: buffers, and text that is not
 * the image.
 */
export function heldToRead(contentLength: string | null): { imageBytes: number; readingBytes: number } {
  const declared = declaredLength(contentLength) ?? MAX_IMAGE_BYTES;
  return {
    imageBytes: Math.min(declared, MAX_IMAGE_BYTES),
    readingBytes: Math.min(declared, MAX_OPS_BYTES) + READ_BYTES,
  };
}
