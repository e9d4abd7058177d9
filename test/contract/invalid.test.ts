import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invalidValues, type RequestSchema } from './invalid.ts';

const point: RequestSchema = {
  type: 'object',
  properties: { x: { type: 'number', minimum: 0 }, w: { type: 'number', exclusiveMinimum: 0 } },
  required: ['x', 'w'],
  additionalProperties: false,
};
const schema: RequestSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 1 },
    kind: { type: 'string', enum: ['a', 'b'] },
    share: { type: 'integer', minimum: 1, maximum: 9 },
    points: { type: 'array', maxItems: 3, items: { $ref: '#/$defs/point' } },
  },
  required: ['text'],
  additionalProperties: false,
};
const valid = { text: 'x', kind: 'a', share: 5, points: [{ x: 1, w: 2 }] };

test('invalidValues break every rule of a schema, and over 95 % of them are invalid', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const validate = ajv.compile({ ...schema, $defs: { point } });
  expect(validate(valid)).toBe(true);
  const ways = invalidValues(schema, valid, (given) => (given.$ref ? point : given));
  const values = ways.flatMap((way) => fc.sample(way, { seed: 1, numRuns: 10 }));
  const broken = new Set<string>();
  let invalid = 0;
  for (const value of values) {
    if (validate(JSON.parse(JSON.stringify(value)))) continue;
    invalid++;
    for (const { keyword, instancePath } of validate.errors ?? []) broken.add(`${keyword} ${instancePath}`);
  }
  expect(invalid / values.length).toBeGreaterThan(0.95);
  for (const rule of [
    'type ',
    'required ',
    'additionalProperties ',
    'type /text',
    'minLength /text',
    'enum /kind',
    'type /share',
    'minimum /share',
    'maximum /share',
    'maxItems /points',
    'type /points/0',
    'required /points/0',
    'additionalProperties /points/0',
    'minimum /points/0/x',
    'exclusiveMinimum /points/0/w',
  ])
    expect(broken, rule).toContain(rule);
});
