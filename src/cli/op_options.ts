import * as z from 'zod/mini';
import { detectOpsSchema, inspectOpsSchema, sanitizeOpsSchema } from '../ops/schema.ts';

/** Commands that work on files. */
export const fileCommands = ['clean', 'inspect', 'detect', 'check'] as const;
export type FileCommand = (typeof fileCommands)[number];

/** The schema of a command's ops. */
export const opsSchemas = {
  clean: sanitizeOpsSchema,
  inspect: inspectOpsSchema,
  detect: detectOpsSchema,
  check: z.strictObject({}),
} as const;

/** One op as an option of the command line. */
export interface OpOption {
  readonly flag: string;
  /** Path of member names from the root of the ops. */
  readonly path: readonly string[];
  readonly kind: 'boolean' | 'number' | 'text' | 'rectangle';
  /** Whether it is given once for each item. */
  readonly repeats: boolean;
  /** Names of a rectangle's numbers, in order. */
  readonly members: readonly string[];
  /** Names of the words that may follow the numbers, with the values of each. */
  readonly words: Readonly<Record<string, readonly (string | number)[]>>;
  /** The permitted texts; empty if any text is. */
  readonly choices: readonly (string | number)[];
  readonly help: string;
}

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
}

/**
 * Ops that a command decides itself: the form of the response, whether inspect reports values, which
 * detectors run.
 */
const DECIDED = ['response', 'values', 'detectors'];

/** The options of a command's ops: one for every leaf of its schema, named after it. */
export function opOptions(command: FileCommand): OpOption[] {
  const root = z.toJSONSchema(opsSchemas[command], { io: 'input' }) as FieldSchema;
  return leaves(root, []).filter(({ flag }) => !DECIDED.includes(flag));
}

/** Bounds of `output.maxWidth` from its schema. */
export const widthBounds = (() => {
  const { output } = (z.toJSONSchema(sanitizeOpsSchema, { io: 'input' }) as FieldSchema).properties ?? {};
  const { minimum = 1, maximum = Number.POSITIVE_INFINITY } = output?.properties?.maxWidth ?? {};
  return { minimum, maximum };
})();

function leaves(schema: FieldSchema, path: readonly string[]): OpOption[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = [...path, name];
    const item = field.items ?? field;
    const members = Object.entries(item.properties ?? {});
    const { required = [] } = item;
    const numbers = required.filter((member) => item.properties?.[member]?.type === 'number');
    const words = members.flatMap(([member, { enum: choices }]) => (choices ? [[member, choices]] : []));
    // What else it may have is not for the command line.
    const isRectangle = numbers.length > 0 && numbers.length === required.length;
    if (members.length > 0 && !isRectangle) return leaves(field, at);
    const singular = field.items ? name.replace(/s$/, '') : name;
    return [
      {
        flag: singular.replace(/[A-Z]/g, (big) => `-${big.toLowerCase()}`),
        path: at,
        kind: isRectangle ? 'rectangle' : kindOf(field),
        repeats: field.items !== undefined,
        members: isRectangle ? numbers : [],
        words: isRectangle ? Object.fromEntries(words) : {},
        choices: field.enum ?? [],
        help: helpOf(field),
      },
    ];
  });
}

function kindOf({ type }: FieldSchema): OpOption['kind'] {
  // If a member can be more than true or false, the option covers only these; the rest needs ops as JSON.
  if ([type].flat().includes('boolean')) return 'boolean';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

function helpOf({ description = '', minimum, maximum, enum: choices, default: preset }: FieldSchema): string {
  const bounds = choices?.join(', ') ?? (maximum === undefined ? undefined : `${minimum} to ${maximum}`);
  const known = [bounds, preset === undefined || Array.isArray(preset) ? undefined : `default ${preset}`];
  const facts = known.filter((fact) => fact !== undefined).join('; ');
  return facts ? `${description} (${facts})` : description;
}

/**
 * Parses the value of an option.
 * @returns undefined if the text is not of its kind; bounds are left to the schema
 */
export function opValue({ kind, members, words }: OpOption, text: string): unknown {
  if (kind === 'text') return text;
  if (kind === 'number') return someNumber(text);
  const parts = text.split(',');
  const numbers = parts.slice(0, members.length).map(someNumber);
  if (numbers.length !== members.length || numbers.includes(undefined)) return undefined;
  const rectangle = Object.fromEntries(members.map((member, index) => [member, numbers[index]]));
  // In any order, since no two share a word. Unknown words are left for the schema to refuse.
  const open = new Map(Object.entries(words));
  for (const said of parts.slice(members.length)) {
    const [name] = [...open].find(([, choices]) => choices.includes(said)) ?? [...open][0] ?? [];
    if (name === undefined) return undefined;
    open.delete(name);
    Object.assign(rectangle, { [name]: said });
  }
  return rectangle;
}

/** A decimal number; undefined for any other text. */
export function someNumber(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Builds ops from option values by flag, each at its place in the schema. */
export function opsOf(
  options: readonly OpOption[],
  given: (flag: string) => unknown,
): Record<string, unknown> {
  const ops: Record<string, unknown> = {};
  for (const { flag, path } of options) {
    const value = given(flag);
    if (value === undefined) continue;
    let parent = ops;
    for (const member of path.slice(0, -1)) {
      parent[member] ??= {};
      parent = parent[member] as Record<string, unknown>;
    }
    parent[path.at(-1)!] = value;
  }
  return ops;
}
