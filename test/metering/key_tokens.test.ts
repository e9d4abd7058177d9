import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isKeyId,
  KEY_ID_BYTES,
  type KeyClaims,
  keyIdFrom,
  signingSecrets,
  signKey,
  verifyKey,
} from '../../src/metering/key_tokens.ts';

const claims: KeyClaims = {
  id: keyIdFrom(new Uint8Array(KEY_ID_BYTES).fill(0xab)),
  plan: 'pro',
  cap: 100_000,
  issuedAt: Date.UTC(2026, 10, 4),
};

const anyClaims = fc.record({
  id: fc.uint8Array({ minLength: KEY_ID_BYTES, maxLength: KEY_ID_BYTES }).map(keyIdFrom),
  plan: fc.constantFrom('pro' as const, 'enterprise' as const),
  cap: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  issuedAt: fc.integer({ min: 0, max: 8e15 }),
});

/** HMAC-SHA-256 by node:crypto: an implementation that the code under test does not use. */
async function macOf(text: string, secret: string): Promise<string> {
  const { createHmac } = await import('node:crypto');
  return createHmac('sha256', secret).update(text).digest('base64url');
}

describe('key tokens', () => {
  test('give back their claims if signed with any of the secrets', async () => {
    await fc.assert(
      fc.asyncProperty(anyClaims, fc.nat({ max: 2 }), async (each, signer) => {
        const secrets = ['first', 'second', 'third'];
        const token = await signKey(each, secrets[signer]!);
        expect(await verifyKey(token, secrets)).toEqual(each);
        expect(await verifyKey(token, ['fourth'])).toBeNull();
        expect(await verifyKey(token, [])).toBeNull();
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  test('are isk_<payload>_<mac>, equal to those of an independent HMAC', async () => {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const mac = await macOf(`isk_${payload}`, 'secret');
    expect(await signKey(claims, 'secret')).toBe(`isk_${payload}_${mac}`);
  });

  test('are refused with any one character changed, dropped or doubled', async () => {
    const token = await signKey(claims, 'secret');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let i = 0; i < token.length; i++) {
      const before = token.slice(0, i);
      const after = token.slice(i + 1);
      const other = alphabet[(alphabet.indexOf(token[i]!) + 1) % alphabet.length];
      for (const spoilt of [before + other + after, before + after, before + token[i] + token[i] + after]) {
        expect(await verifyKey(spoilt, ['secret']), spoilt).toBeNull();
      }
    }
  });

  test('are refused with a valid signature of invalid claims', async () => {
    const spoilt = [
      { ...claims, plan: 'free' },
      { ...claims, plan: 'gold' },
      { ...claims, id: 'key_../../admin' },
      { ...claims, cap: 0.5 },
      { ...claims, cap: undefined },
      null,
    ];
    for (const each of spoilt) {
      const token = await signKey(each as KeyClaims, 'secret');
      expect(await verifyKey(token, ['secret']), JSON.stringify(each)).toBeNull();
    }
  });

  test.each(['', 'isk_', 'isk__', `isk_${'a'.repeat(100_000)}`, 'sk-live-1234', 'isk_é_ü'])(
    'are refused: %.20s',
    async (text) => {
      expect(await verifyKey(text, ['secret'])).toBeNull();
    },
  );

  test('are signed and verified with a comma-separated list of secrets', () => {
    expect(signingSecrets(' new , old,, ')).toEqual(['new', 'old']);
    expect(signingSecrets(',')).toEqual([]);
    expect(signingSecrets(undefined)).toEqual([]);
  });

  test('have ids of one form', () => {
    expect(isKeyId(claims.id)).toBe(true);
    expect(['', 'key_', `${claims.id}0`, claims.id.toUpperCase(), ` ${claims.id}`].filter(isKeyId)).toEqual(
      [],
    );
  });
});
