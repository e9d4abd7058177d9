import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { OwnedBytes } from '../memory/image_file.ts';
import type { Reservation } from '../memory/reservation.ts';
import type { Env } from './env.ts';
import { parseOps } from './parse_ops.ts';
import { receiveUpload } from './receive_upload.ts';
import { requireSamePicture } from './same_picture.ts';

/** What a call of an image endpoint asks for; its memory is released on disposal or handed over to a job. */
interface ImageCall<Ops> extends Disposable {
  readonly ops: Ops;
  readonly image: OwnedBytes;
  readonly memory: Reservation;
}

/**
 * Receives the image and the ops of a call, and holds its idempotency key to one picture.
 * @param what the endpoint does, as `requireSamePicture` has it
 * @throws ApiError and Faults as `receiveUpload`, `parseOps` and `requireSamePicture`
 */
export async function receiveCall<Schema extends z.core.$ZodType>(
  c: Context<Env>,
  what: string,
  schema: Schema,
): Promise<ImageCall<z.output<Schema>>> {
  const upload = await receiveUpload(c);
  try {
    const ops = parseOps(schema, upload.body.ops, c.env);
    await requireSamePicture(c, what, upload.image, ops);
    const { image, memory } = upload;
    return { ops, image, memory, [Symbol.dispose]: () => upload[Symbol.dispose]() };
  } catch (error) {
    upload[Symbol.dispose]();
    throw error;
  }
}
