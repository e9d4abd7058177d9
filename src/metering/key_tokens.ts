import * as z from 'zod';
import { keyPlanNames } from './plans.ts';

/**
 * An API key is a signed token, `isk_<payload>_<mac>`: payload = base64url of the claims as JSON, mac =
 * base64url of HMAC-SHA-256 over `isk_<payload>`. The signing secret is enough to check it, so no key is
 * stored and a forged one is refused without reading storage.
 *
 * The alphabet of base64url contains `_`, so the separator before the mac is found by the mac's fixed length
 * of 43 characters.
 */
const tokenShape = /^(isk_([\w-]{1,400}))_([\w-]{43})$/;

/** What a key states about itself. */
const claimsSchema = z.object({
  id: z.string().regex(/^key_[0-9a-f]{24}$/),
  plan: z.enum(keyPlanNames),
  /** Billable calls a UTC month. */
  cap: z.int().min(1),
  /** When it was issued, Unix milliseconds. */
  issuedAt: z.int().min(0),
});
export type KeyClaims = z.infer<typeof claimsSchema>;

const base64url = { alphabet: 'base64url', omitPadding: true } as const;
const hmac = { name: 'HMAC', hash: 'SHA-256' } as const;

/** Random bytes in a key id. */
export const KEY_ID_BYTES = 12;

/** @param random `KEY_ID_BYTES` bytes from a cryptographic source */
export function keyIdFrom(random: Uint8Array): string {
  return `key_${random.toHex()}`;
}

/** Whether a text has the form of a key id; the key need not exist. */
export function isKeyId(text: string): boolean {
  return claimsSchema.shape.id.safeParse(text).success;
}

/** The secrets of a comma-separated setting: the first signs, all verify. Empty where nothing is set. */
export function signingSecrets(setting: string | undefined): string[] {
  const parts = (setting ?? '').split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** @param secret the secret that signs: the first of `signingSecrets` */
export async function signKey(claims: KeyClaims, secret: string): Promise<string> {
  const signed = `isk_${new TextEncoder().encode(JSON.stringify(claims)).toBase64(base64url)}`;
  const mac = await crypto.subtle.sign(hmac, await importSecret(secret), new TextEncoder().encode(signed));
  return `${signed}_${new Uint8Array(mac).toBase64(base64url)}`;
}

/**
 * Checks the signature only: whether a key was revoked is known to its meter.
 * @returns the claims of a key signed with any of the secrets; null for any other text
 */
export async function verifyKey(token: string, secrets: readonly string[]): Promise<KeyClaims | null> {
  const [, signed, payload, macText] = tokenShape.exec(token) ?? [];
  const mac = macText && canonicalBytes(macText);
  if (!signed || !payload || !mac) return null;
  const message = new TextEncoder().encode(signed);
  for (const secret of secrets) {
    // WebCrypto compares the macs itself; workerd does so in constant time.
    if (await crypto.subtle.verify(hmac, await importSecret(secret), mac, message)) return claimsOf(payload);
  }
  return null;
}

function importSecret(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['sign', 'verify']);
}

function claimsOf(payload: string): KeyClaims | null {
  const bytes = canonicalBytes(payload);
  if (!bytes) return null;
  try {
    return claimsSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}

/** Bytes of a base64url text; null unless it is the canonical encoding, so that a key has one spelling. */
function canonicalBytes(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet: 'base64url', lastChunkHandling: 'loose' });
    return bytes.toBase64(base64url) === text ? bytes : null;
  } catch {
    return null;
  }
}
