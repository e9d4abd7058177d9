import * as z from 'zod/mini';
import type { Issue } from './responses.ts';

type Validated<T> = { ok: true; ops: T } | { ok: false; issues: Issue[] };

/** The keywords of JSON Schema that the ops schemas use. */
interface FieldSchema {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxItems?: number;
  pattern?: string;
  properties?: Record<string, FieldSchema>;
  propertyNames?: FieldSchema;
  additionalProperties?: FieldSchema | false;
  items?: FieldSchema;
  anyOf?: FieldSchema[];
  format?: string;
}

/**
 * The most issues that are reported, so that an object with thousands of mistakes does not cause a huge
 * response.
 */
const MAX_ISSUES = 100;

/**
 * Validates a parsed ops value against one of the ops schemas, and fills in defaults. Absent ops mean all
 * defaults. All problems are reported, not only the first.
 */
export function validateOps<S extends z.core.$ZodType>(schema: S, value: unknown): Validated<z.output<S>> {
  const result = z.safeParse(schema, value === undefined ? {} : value, { reportInput: true });
  const ignored = result.success ? ignoredNames(value) : [];
  if (result.success && ignored.length === 0) return { ok: true, ops: result.data };
  const root = z.toJSONSchema(schema, { io: 'input' }) as FieldSchema;
  const issues = result.success
    ? ignored.map((path) => nameIssue(path, root))
    : result.error.issues.flatMap((issue) => toIssues(issue, root));
  // An integer too large for a double is too large for the schema as well: this is reported once.
  const isSaidBefore = (issue: Issue, before: Issue | undefined) =>
    issue.path === before?.path && issue.message === before.message;
  const distinct = issues.filter((issue, index) => !isSaidBefore(issue, issues[index - 1]));
  return { ok: false, issues: distinct.slice(0, MAX_ISSUES) };
}

/**
 * Paths of members called `__proto__`, which JSON may contain: zod's records ignore them.
 * @param value that its schema accepts, so it has no cycle
 */
function ignoredNames(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '__proto__' ? [[...path, name]] : ignoredNames(member, [...path, name]),
  );
}

/** The issue of a member whose name is never allowed. */
function nameIssue(path: readonly string[], root: FieldSchema): Issue {
  const names = fieldAt(root, path.slice(0, -1))?.propertyNames;
  const expected = names ? describeField(names, false) : 'another name';
  const message = `Expected ${expected} but received ${formatValue(path.at(-1))}`;
  return { path: path.join('.'), message, code: 'unrecognized_key' };
}

function toIssues(issue: z.core.$ZodIssue, root: FieldSchema): Issue[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const field = fieldAt(root, path) ?? {};
    const known = [field, ...(field.anyOf ?? [])].flatMap((each) => Object.keys(each.properties ?? {}));
    const expected = known.length > 0 ? `only the members ${known.join(', ')}` : 'no members';
    return issue.keys.map((key) => ({
      path: [...path, key].join('.'),
      message: `Expected ${expected} but received ${formatValue(key)}`,
      code: 'unrecognized_key',
    }));
  }
  if (issue.code === 'invalid_key') return [nameIssue(path, root)];
  const field = fieldAt(root, path);
  const missing = issue.input === undefined;
  return [
    {
      path: path.join('.'),
      message: `Expected ${field ? describeField(field, issue.code === 'too_big') : 'something else'} but received ${missing ? 'nothing' : formatValue(issue.input)}`,
      code: missing ? 'required' : issue.code,
    },
  ];
}

function fieldAt(root: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  let field: FieldSchema | undefined = root;
  for (const member of path) field = field && memberOf(field, member);
  return field;
}

function memberOf({ properties = {}, items, additionalProperties, anyOf }: FieldSchema, name: string) {
  if (Object.hasOwn(properties, name)) return properties[name];
  const choices = anyOf?.map((each): FieldSchema | undefined => memberOf(each, name)) ?? [];
  return items ?? (additionalProperties || choices.find(Boolean));
}

/**
 * The values that a field accepts, for messages.
 * @param isTooBig its upper bound was exceeded, so the bound is stated even if it is that of all integers
 */
function describeField(field: FieldSchema, isTooBig: boolean): string {
  if (field.anyOf) return field.anyOf.map((each) => describeField(each, isTooBig)).join(' or ');
  if (field.enum) return `one of ${field.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  switch (field.type) {
    case 'integer':
    case 'number':
      return `${field.type === 'integer' ? 'an integer' : 'a number'}${describeRange(field, isTooBig)}`;
    case 'null':
      return 'null';
    case 'string':
      if (field.format === 'date-time') return 'a time such as "2027-01-01T00:00:00Z"';
      return field.pattern ? `text that matches ${field.pattern}` : 'a text';
    case 'boolean':
      return 'true or false';
    case 'array':
      return `an array${field.maxItems === undefined ? '' : ` of at most ${field.maxItems} items`}`;
    default:
      return `an object with ${Object.keys(field.properties ?? {}).join(', ') || 'no members'}`;
  }
}

function describeRange({ minimum, maximum, exclusiveMinimum }: FieldSchema, isTooBig: boolean): string {
  if (exclusiveMinimum !== undefined) return ` greater than ${exclusiveMinimum}`;
  const bounded = maximum !== undefined && (isTooBig || maximum < Number.MAX_SAFE_INTEGER);
  if (minimum !== undefined && bounded) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : ` of at least ${minimum}`;
}

/** The caller's value, shortened for a message. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length} items`;
  if (value !== null && typeof value === 'object') return 'an object';
  // JSON.stringify would turn Infinity, which 1e999 overflows to, into null.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
