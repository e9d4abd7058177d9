import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/api/answers/errors.ts';
import { readSmallJson } from '../../src/api/small_json.ts';
import { keyChangeSchema, keyRequestSchema, keyRotationSchema } from '../../src/ops/account.ts';

const read = (
  schema: typeof keyRequestSchema | typeof keyChangeSchema | typeof keyRotationSchema,
  body: string,
) => {
  const headers = { 'Content-Type': 'application/json' };
  const request = new Request('https://service.test', { method: 'POST', headers, body });
  return readSmallJson(request, schema, '{"plan": "pro"}');
};

/** The error of a body that is refused. */
async function refusal(schema: Parameters<typeof read>[0], body: string): Promise<ApiError> {
  try {
    await read(schema, body);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`${body} was taken`);
}

test('a valid body is taken', async () => {
  expect(await read(keyRequestSchema, '{"plan":"pro","label":7}')).toEqual({ plan: 'pro', label: 7 });
});

describe('a name that comes twice is refused, whichever value would win', () => {
  test.each([
    [keyRequestSchema, '{"plan":"pro","plan":"enterprise"}', 'plan'],
    [
      keyRequestSchema,
      '{"plan":"pro","monthly_billable_cap":1,"monthly_billable_cap":1000000}',
      'monthly_billable_cap',
    ],
    [keyRequestSchema, '{"plan":"pro","label":1,"l\\u0061bel":2}', 'label'],
    [keyChangeSchema, '{"plan":"pro","plan":"pro"}', 'plan'],
    [keyRotationSchema, '{"overlap_seconds":0,"overlap_seconds":86400}', 'overlap_seconds'],
  ])('%#', async (schema, body, path) => {
    const { code, message, extras } = await refusal(schema, body);
    expect(code).toBe('bad_request');
    expect(message).toContain(`"${path}"`);
    expect(extras.issues).toEqual([
      { path, message: expect.stringContaining('once'), code: 'duplicate_name' },
    ]);
  });
});

describe('what is wrong is named as what it is, and said once', () => {
  const integer = 'an integer of at least 0 or null';
  const time = 'a time such as "2027-01-01T00:00:00Z" or null';
  test.each([
    ['{"label":"Erika"}', 'label', `Expected ${integer} but received "Erika"`],
    ['{"label":[]}', 'label', `Expected ${integer} but received an array of 0 items`],
    ['{"label":{}}', 'label', `Expected ${integer} but received an object`],
    ['{"label":-1}', 'label', `Expected ${integer} but received -1`],
    ['{"label":1.5}', 'label', `Expected ${integer} but received 1.5`],
    [
      '{"label":1e300}',
      'label',
      'Expected an integer from 0 to 9007199254740991 or null but received 1e+300',
    ],
    [
      '{"label":9007199254740993}',
      'label',
      'Expected an integer from 0 to 9007199254740991 or null but received 9007199254740992',
    ],
    ['{"expires_at":"tomorrow"}', 'expires_at', `Expected ${time} but received "tomorrow"`],
    ['{"expires_at":1}', 'expires_at', `Expected ${time} but received 1`],
    ['{"plan":7}', 'plan', 'Expected one of "pro", "enterprise" but received 7'],
    ['{"__proto__":1}', '__proto__', expect.stringContaining('Expected only the members plan,')],
  ])('%s', async (body, path, message) => {
    const { code, extras } = await refusal(keyChangeSchema, body);
    expect(code).toBe('bad_request');
    expect(extras.issues).toEqual([{ path, message, code: expect.any(String) }]);
  });
});
