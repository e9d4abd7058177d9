import type { Context } from 'hono';
import { bytesOf, type ImageFile } from '../memory/image_file.ts';
import { ApiError } from './answers/errors.ts';
import type { Env } from './env.ts';

/** Bytes of an image that are hashed at a time; other calls run in between. */
const PART_BYTES = 1024 * 1024;

/**
 * Refuses a call whose idempotency key was already used for another picture or other ops
 * (draft-ietf-httpapi-idempotency-key-header-07, section 2.6): otherwise one price would buy as many pictures
 * as there are attempts. Call it once both are known and before any work. Without an idempotency key it does
 * nothing.
 *
 * Only a number is kept: 53 bits of HMAC-SHA-256 under a secret of the deployment. Without the secret it says
 * nothing about the picture, and the same picture under another idempotency key has another number.
 * @param what is done with the picture, since tools share an address
 * @param ops with their defaults filled in
 * @throws ApiError idempotency_key_reused; overloaded when the meter can't be reached
 */
export async function requireSamePicture(
  c: Context<Env>,
  what: string,
  image: ImageFile,
  ops: unknown,
): Promise<void> {
  const call = c.get('retriedCall');
  if (!call) return;
  const { CALLER_HASH_SECRET, KEY_SIGNING_SECRET } = c.env;
  const secret = CALLER_HASH_SECRET || KEY_SIGNING_SECRET || '';
  const content = await contentNumber(
    secret,
    image,
    `content\n${call.hash}\n${what}\n${JSON.stringify(ops)}`,
  );
  if (!(await call.isSame(content))) throw new ApiError('idempotency_key_reused');
}

/** 53 bits of the HMAC of a text and an image. */
async function contentNumber(secret: string, image: ImageFile, text: string): Promise<number> {
  const { length } = bytesOf(image);
  const digests: Uint8Array[] = [new TextEncoder().encode(`${text}\n${length}\n`)];
  for (let at = 0; at < length; at += PART_BYTES) {
    const part = bytesOf(image).subarray(at, at + PART_BYTES) as Uint8Array<ArrayBuffer>;
    digests.push(new Uint8Array(await crypto.subtle.digest('SHA-256', part)));
  }
  const message = await new Blob(digests as Uint8Array<ArrayBuffer>[]).arrayBuffer();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['sign']);
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, message));
  return (mac.getUint32(0) >>> 11) * 2 ** 32 + mac.getUint32(4);
}
