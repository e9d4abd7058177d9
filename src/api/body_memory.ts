import type { Reservation } from '../memory/reservation.ts';
import { UPLOAD_STEP } from '../memory/upload_buffer.ts';
import { jobTime, nextTurn } from '../scheduling/time_slice.ts';
import { MAX_IMAGE_BYTES, MAX_OPS_BYTES, READ_BYTES } from './body/limits.ts';
import { declaredLength } from './body/read.ts';
import type { ReadGate } from './body/read_gate.ts';

/** Bytes of memory, and how many of them lie outside of the image cores. */
interface BodyBytes {
  readonly bytes: number;
  readonly outsideCores: number;
}

/**
 * The memory that reading a body takes, as a function of how many bytes may have arrived: for the image, in
 * an UploadBuffer; for text besides the image; and for the read buffer.
 * @param contentLength the header: no memory is counted for more bytes than it declares
 */
export function bodyMemory(contentLength: string | null): {
  readonly declared: number | undefined;
  readonly after: (readBytes: number) => BodyBytes;
} {
  const declared = declaredLength(contentLength);
  const after = (readBytes: number): BodyBytes => {
    const come = Math.min(readBytes, declared ?? readBytes);
    const steps = Math.ceil(come / UPLOAD_STEP) * UPLOAD_STEP;
    const image = Math.min(steps, declared ?? steps, MAX_IMAGE_BYTES);
    const outsideCores = Math.min(come, MAX_OPS_BYTES) + READ_BYTES;
    return { bytes: image + outsideCores, outsideCores };
  };
  return { declared, after };
}

/**
 * The gate for reading a body: reserves more memory as bytes arrive; a stalling sender may lose all of it.
 */
export function readGate(memory: Reservation, request: Request): ReadGate {
  const { after } = bodyMemory(request.headers.get('Content-Length'));
  const { spend } = jobTime(nextTurn, request.signal);
  return {
    admit(readBytes) {
      const { bytes, outsideCores } = after(readBytes);
      return bytes > memory.bytes ? memory.extendTo(bytes, outsideCores, request.signal) : undefined;
    },
    moved: (bytes) => memory.moved(bytes),
    spend,
    requirePace: () => memory.requirePace(),
  };
}
