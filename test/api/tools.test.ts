import { describe, expect, test } from 'vitest';
import {
  inputSchemaOf,
  strictSchema,
  toolDefinitions,
  toolNames,
  tools,
  withoutNulls,
} from '../../src/api/tools.ts';
import { sanitizeOpsSchema } from '../../src/ops/schema.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** A schema and all schemas within it, each with its depth. */
function* within(schema: Schema, depth = 1): Generator<[schema: Schema, depth: number]> {
  yield [schema, depth];
  for (const member of Object.values(schema.properties ?? {})) yield* within(member, depth + 1);
  if (schema.items) yield* within(schema.items, depth + 1);
}

/**
 * The rules of strict mode (OpenAI, "Structured Outputs" and "Function calling"): the root is an object;
 * every object forbids other members and requires all of its own; optional members are nullable; only some
 * keywords are supported; at most 10 levels, 5,000 members and 120,000 characters of names and enum values.
 */
const STRICT_KEYWORDS = new Set(
  'type description enum const anyOf $ref $defs properties required additionalProperties items minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern format'.split(
    ' ',
  ),
);

function strictFaults(root: Schema): string[] {
  const faults: string[] = [];
  if (root.type !== 'object') faults.push('the root is not an object');
  let members = 0;
  let characters = 0;
  for (const [schema, depth] of within(root)) {
    if (depth > 10) faults.push('too deep');
    for (const keyword of Object.keys(schema))
      if (!STRICT_KEYWORDS.has(keyword)) faults.push(`${keyword} is not supported`);
    for (const value of schema.enum ?? []) characters += String(value).length;
    if (![schema.type].flat().includes('object')) continue;
    const names = Object.keys(schema.properties ?? {});
    members += names.length;
    characters += names.join('').length;
    if (schema.additionalProperties !== false) faults.push('other members are allowed');
    if (names.join() !== (schema.required ?? []).join()) faults.push(`not all of ${names} are required`);
  }
  if (members > 5000 || characters > 120_000) faults.push('too large');
  return faults;
}

const { openai, anthropic } = toolDefinitions();

describe('tool definitions for OpenAI', () => {
  test.each(openai.map((tool) => [tool.function.name, tool] as const))(
    '%s keeps to strict mode',
    (_name, tool) => {
      expect(tool.type).toBe('function');
      expect(tool.function.strict).toBe(true);
      expect(tool.function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(tool.function.description.length).toBeGreaterThan(100);
      expect(strictFaults(tool.function.parameters)).toEqual([]);
    },
  );

  test('the rules of this test find schemas that are not strict', () => {
    const faults = tools.map((tool) => strictFaults(inputSchemaOf(tool)).length);
    expect(faults.filter((count) => count > 0)).toHaveLength(3);
  });

  test('optional members become nullable and their defaults go into the description; required ones do not', () => {
    const { properties } = strictSchema(inputSchemaOf(tools[0]!)) as Schema;
    expect(properties?.image?.type).toBe('string');
    const pixelate = properties?.ops?.properties?.pixelate;
    expect(pixelate?.type).toEqual(['object', 'null']);
    expect(pixelate?.properties?.strength).toMatchObject({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 12,
    });
    expect(pixelate?.properties?.strength?.description).toContain('Null means 3.');
    expect(properties?.ops?.properties?.output?.properties?.format?.enum).toEqual([
      'jpeg',
      'png',
      'webp',
      null,
    ]);
  });
});

describe('tool definitions for Anthropic', () => {
  test.each(anthropic.map((tool) => [tool.name, tool] as const))(
    '%s has an object of arguments',
    (_name, tool) => {
      expect(Object.keys(tool)).toEqual(['name', 'description', 'input_schema']);
      expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
      expect(tool.input_schema).toMatchObject({ type: 'object' });
      expect(JSON.stringify(tool.input_schema)).not.toContain('$ref');
    },
  );
});

describe('the tools', () => {
  test('are the same four in both formats', () => {
    expect(openai.map((tool) => tool.function.name)).toEqual([...toolNames]);
    expect(anthropic.map(({ name }) => name)).toEqual([...toolNames]);
  });

  test('have descriptions that say what a model must know', () => {
    const described = Object.fromEntries(tools.map(({ name, description }) => [name, description]));
    for (const name of ['sanitize_image', 'detect_faces'] as const) {
      expect(described[name]).toMatch(/zero faces found does not prove/i);
      expect(described[name]).toMatch(/origin top-left/);
      expect(described[name]).toMatch(/unchanged.*pixelate\.areas|pixelate\.areas.*unchanged/);
    }
    expect(described.sanitize_image).toMatch(/Only fill "solid" hides what can be read/);
    expect(described.sanitize_image).toMatch(/crop counts in the upright picture after rotate/);
    for (const text of Object.values(described)) expect(text).toMatch(/\bUse it\b/);
  });

  test('take the same ops as the endpoint, except for `response`', () => {
    const { ops } = (inputSchemaOf(tools[0]!) as Schema).properties!;
    const endpoint = Object.keys(sanitizeOpsSchema.shape);
    expect([...Object.keys(ops!.properties!), 'response'].sort()).toEqual(endpoint.sort());
  });
});

test('null members are removed at any depth, and nothing else is', () => {
  const given = { a: null, b: { c: null, d: 0, e: [null, { f: null, g: '' }] }, h: false };
  expect(withoutNulls(given)).toEqual({ b: { d: 0, e: [null, { g: '' }] }, h: false });
});
