import { describe, expect, it } from 'vitest';
import { type JsonSchema, simplifySchema } from '../../src/api/json_schema.ts';

const simplified = (schema: JsonSchema) => {
  simplifySchema(schema);
  return schema;
};

describe('simplifySchema', () => {
  it('removes the bounds of safe integers, and no others', () => {
    const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number;
    expect(simplified({ minimum: MIN_SAFE_INTEGER, maximum: MAX_SAFE_INTEGER })).toEqual({});
    expect(simplified({ minimum: 0, maximum: 12 })).toEqual({ minimum: 0, maximum: 12 });
  });

  it('writes open objects with `true`', () => {
    expect(simplified({ additionalProperties: {} })).toEqual({ additionalProperties: true });
    for (const additionalProperties of [false, true, { type: 'string' }])
      expect(simplified({ additionalProperties })).toEqual({ additionalProperties });
  });

  it('removes the pattern of a named format, and the format base64', () => {
    expect(simplified({ format: 'date-time', pattern: '^\\d' })).toEqual({ format: 'date-time' });
    expect(simplified({ format: 'base64', pattern: '^[A-Z]' })).toEqual({});
    expect(simplified({ pattern: '^key_' })).toEqual({ pattern: '^key_' });
  });

  it('writes what may be null with two types, of which generators of clients made a class that nobody has', () => {
    const place = { type: 'object', additionalProperties: {} };
    expect(simplified({ anyOf: [place, { type: 'null' }], description: 'Where.' })).toEqual({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Where.',
    });
    for (const anyOf of [
      [{ $ref: '#/a' }, { type: 'null' }],
      [{ type: 'string' }, { type: 'boolean' }],
    ])
      expect(simplified({ anyOf })).toEqual({ anyOf });
    const word = { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] };
    expect(simplified(structuredClone(word))).toEqual(word);
  });
});
