import type { Context } from 'hono';
import type { MemoryBudget, Reservation } from '../memory/budget.ts';
import type { OwnedBytes } from '../memory/owned_bytes.ts';
import { UploadBuffer } from '../memory/upload_buffer.ts';
import { MAX_IMAGE_BYTES, MAX_OPS_BYTES, READ_BYTES } from './body/limits.ts';
import { declaredLength, readUpload, requireReadable, type Upload } from './body/read.ts';
import type { Env } from './env.ts';
import { isolateRuntime } from './runtime.ts';

/** An upload in reserved memory, which is released on disposal or handed over to a job. */
interface ReservedUpload extends Pick<Upload, 'ops'>, Disposable {
  readonly image: OwnedBytes;
  readonly memory: Reservation;
}

/**
 * Reserves memory for a body, then reads it. A body that waits for memory stays with its sender.
 * @throws ApiError as `readUpload`; OverloadedFault
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
    const { ops } = await readUpload(request, buffer);
    const image = buffer.file;
    // More than the image's length if that was not declared exactly.
    memory.shrinkTo(image.retainedBytes, 0);
    return { image, ops, memory, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/**
 * Reserves memory for reading one body, by its declared length.
 * @param image whether its image will be in an image core's memory or outside
 * @throws OverloadedFault if too many requests wait already
 */
export async function reserveForBody(
  request: Request,
  budget: MemoryBudget,
  image: 'in cores' | 'outside',
): Promise<Reservation> {
  const { imageBytes, bufferBytes } = bodyMemory(request.headers.get('Content-Length'));
  const outsideCores = bufferBytes + (image === 'outside' ? imageBytes : 0);
  return budget.receive(imageBytes + bufferBytes, outsideCores, request.signal);
}

/**
 * Upper bounds in bytes of the image, and of the memory needed besides it to read the body: buffers, and text
 * that is not the image.
 */
export function bodyMemory(contentLength: string | null): { imageBytes: number; bufferBytes: number } {
  const declared = declaredLength(contentLength) ?? MAX_IMAGE_BYTES;
  return {
    imageBytes: Math.min(declared, MAX_IMAGE_BYTES),
    bufferBytes: Math.min(declared, MAX_OPS_BYTES) + READ_BYTES,
  };
}
