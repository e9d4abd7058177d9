import { describe, expect, test } from 'vitest';
import { bearerToken, type CountedCaller, identifyCaller } from '../../../src/api/caller/caller.ts';
import { signKey } from '../../../src/metering/key_tokens.ts';

const secrets = { KEY_SIGNING_SECRET: 'new,old', CALLER_HASH_SECRET: 'hash' };
const claims = { id: `key_${'0'.repeat(24)}`, plan: 'pro', cap: 7, issuedAt: 1 } as const;

const meterOf = async (ip: string | undefined, more: Record<string, string> = {}, env: object = secrets) => {
  const caller = await identifyCaller(new Headers(more), ip ?? '', env);
  expect(caller.kind).toBe('anonymous');
  return (caller as CountedCaller).meterName;
};

describe('anonymous callers', () => {
  test('are told apart by address (IPv6 by /64), which their meter’s name does not reveal', async () => {
    const one = await meterOf('192.0.2.7');
    expect(one).toMatch(/^anonymous_[0-9a-f]{64}$/);
    expect(await meterOf('192.0.2.7')).toBe(one);
    expect(await meterOf('192.0.2.8')).not.toBe(one);
    expect(await meterOf('2001:db8::1')).toBe(await meterOf('2001:db8::ffff:1'));
    expect(await meterOf('2001:db8::1')).not.toBe(await meterOf('2001:db8:0:1::1'));
  });

  test('have one meter for all ports of an address, and one for all that is no address', async () => {
    for (const [one, other] of [
      ['203.0.113.7:1000', '203.0.113.7:1001'],
      ['203.0.113.7:1000', '203.0.113.7'],
      ['[2001:db8::1]:1000', '2001:db8::2'],
      ['[::ffff:203.0.113.7]:1', '203.0.113.7'],
      ['unknown', '_hidden-7'],
      ['unknown', ''],
    ] as const)
      expect([one, await meterOf(one)]).toEqual([one, await meterOf(other)]);
  });

  test('can not choose their network by headers of their own', async () => {
    const forwarded = {
      'X-Forwarded-For': '198.51.100.9',
      'X-Real-IP': '198.51.100.9',
      Forwarded: 'for=198.51.100.9',
    };
    expect(await meterOf('192.0.2.7', forwarded)).toBe(await meterOf('192.0.2.7'));
    expect(await meterOf(undefined, forwarded)).toBe(await meterOf(undefined));
  });

  test('are hashed under the secret or its substitute, the same in every isolate', async () => {
    const { KEY_SIGNING_SECRET } = secrets;
    const names = [
      await meterOf('192.0.2.7'),
      await meterOf('192.0.2.7', {}, { CALLER_HASH_SECRET: 'other' }),
      await meterOf('192.0.2.7', {}, { KEY_SIGNING_SECRET }),
      await meterOf('192.0.2.7', {}, {}),
    ];
    expect(new Set(names).size).toBe(4);
    expect(await meterOf('192.0.2.7', {}, {})).toBe(names[3]);
  });
});

describe('callers with a key', () => {
  const withAuthorization = (Authorization: string) =>
    identifyCaller(new Headers({ Authorization }), '', secrets);

  test.each(['new', 'old'])('are identified by a key that is signed with the %s secret', async (secret) => {
    expect(await withAuthorization(`Bearer ${await signKey(claims, secret)}`)).toEqual({
      kind: 'key',
      plan: 'pro',
      meterName: claims.id,
      terms: { limit: 60, cap: 7 },
      facts: { plan: 1, cap: 7, issuedAt: 1 },
      keyId: claims.id,
    });
  });

  test('are refused with an invalid key, not treated as anonymous', async () => {
    const forged = await signKey(claims, 'guessed');
    for (const each of [
      `Bearer ${forged}`,
      'Bearer',
      'Bearer ',
      'Basic dTpw',
      '',
      `Bearer ${'x'.repeat(9000)}`,
    ]) {
      expect(await withAuthorization(each), each.slice(0, 40)).toEqual({ kind: 'refused', plan: 'free' });
    }
  });

  test('are all refused where no signing secret is set', async () => {
    const headers = new Headers({ Authorization: `Bearer ${await signKey(claims, 'new')}` });
    expect(await identifyCaller(headers, '', {})).toMatchObject({ kind: 'refused' });
  });
});

test('the scheme of a bearer token is case-insensitive', () => {
  const token = (Authorization: string) => bearerToken(new Headers({ Authorization }));
  expect([token('Bearer abc'), token('bearer  abc'), token('BEARER abc ')]).toEqual(['abc', 'abc', 'abc']);
  expect([token('Bearer a b'), token('Bearerabc'), token('Token abc')]).toEqual(['', '', '']);
  expect(bearerToken(new Headers())).toBeUndefined();
});
