import { type ParseArgsConfig, parseArgs } from 'node:util';
import * as z from 'zod';
import { detectOpsSchema, inspectOpsSchema, sanitizeOpsSchema } from '../ops/schema.ts';
import { validateOps } from '../ops/validate.ts';

export const commands = ['clean', 'inspect', 'detect'] as const;
export type Command = (typeof commands)[number];

/** What a person asked for. */
export interface Invocation {
  readonly command: Command;
  /** Files, folders, or `-` for the standard input. */
  readonly inputs: readonly string[];
  /** Valid by the schema, without its defaults. */
  readonly ops: Record<string, unknown>;
  readonly output: string | undefined;
  readonly force: boolean;
  readonly json: boolean;
  /** Worker threads; undefined for as many as cores and memory allow. */
  readonly jobs: number | undefined;
  /** Megabytes for all threads together. */
  readonly memory: number;
}

/** A mistake in how the program was called: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** One op as an option. */
interface OpOption {
  readonly flag: string;
  /** Members from the root of the ops. */
  readonly path: readonly string[];
  readonly kind: 'boolean' | 'number' | 'text' | 'rectangle';
  /** Given once for each item. */
  readonly repeats: boolean;
  /** Names of a rectangle's numbers, in order. */
  readonly members: readonly string[];
  readonly help: string;
}

interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
}

const schemas = { clean: sanitizeOpsSchema, inspect: inspectOpsSchema, detect: detectOpsSchema } as const;

/** Ops that a command decides itself: the form of an answer, and that inspect tells all. */
const DECIDED = ['response', 'values'];

/** The options of a command's ops: every leaf of its schema by its own name. */
export function opOptions(command: Command): OpOption[] {
  const root = z.toJSONSchema(schemas[command], { io: 'input' }) as FieldSchema;
  return leaves(root, []).filter(({ flag }) => !DECIDED.includes(flag));
}

function leaves(schema: FieldSchema, path: readonly string[]): OpOption[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = [...path, name];
    const item = field.items ?? field;
    const members = Object.entries(item.properties ?? {});
    const isRectangle = members.length > 0 && members.every(([, { type }]) => type === 'number');
    if (members.length > 0 && !isRectangle) return leaves(field, at);
    const flag = (field.items ? name.replace(/s$/, '') : name).replace(
      /[A-Z]/g,
      (big) => `-${big.toLowerCase()}`,
    );
    const kind = isRectangle ? 'rectangle' : kindOf(field);
    const names = members.map(([member]) => member);
    return [
      { flag, path: at, kind, repeats: field.items !== undefined, members: names, help: helpOf(field) },
    ];
  });
}

function kindOf({ type }: FieldSchema): OpOption['kind'] {
  if (type === 'boolean') return 'boolean';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

function helpOf({ description = '', minimum, maximum, enum: choices, default: preset }: FieldSchema): string {
  const bounds = choices?.join(', ') ?? (maximum === undefined ? undefined : `${minimum} to ${maximum}`);
  const known = [bounds, preset === undefined || Array.isArray(preset) ? undefined : `default ${preset}`];
  const facts = known.filter((fact) => fact !== undefined).join('; ');
  return facts ? `${description} (${facts})` : description;
}

/** Options that are no ops. */
const ownOptions = {
  output: { type: 'string', short: 'o' },
  force: { type: 'boolean', short: 'f' },
  json: { type: 'boolean' },
  jobs: { type: 'string', short: 'j' },
  memory: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Megabytes for all threads where none are named. */
export const DEFAULT_MEMORY_MB = 1024;

/**
 * Reads the arguments.
 * @returns undefined where help was asked for
 * @throws UsageError
 */
export function readArguments(given: readonly string[]): Invocation | undefined {
  const [name, ...rest] = given;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return undefined;
  const command = commands.find((one) => one === name);
  if (!command) throw new UsageError(`Expected ${commands.join(', ')} but received ${JSON.stringify(name)}`);
  const ops = opOptions(command);
  const options: NonNullable<ParseArgsConfig['options']> = { ...ownOptions };
  for (const { flag, kind, repeats } of ops) {
    options[flag] = { type: kind === 'boolean' ? 'boolean' : 'string', multiple: repeats };
    if (kind === 'boolean') options[`no-${flag}`] = { type: 'boolean' };
  }
  const { values, positionals } = parsed(rest, options);
  if (values.help) return undefined;
  if (positionals.length === 0) throw new UsageError('Expected a file, a folder or - for the standard input');
  return {
    command,
    inputs: positionals,
    ops: validOps(command, opsOf(ops, values)),
    output: values.output as string | undefined,
    force: values.force === true,
    json: values.json === true,
    jobs: values.jobs === undefined ? undefined : wholeNumber('jobs', values.jobs),
    memory: values.memory === undefined ? DEFAULT_MEMORY_MB : wholeNumber('memory', values.memory),
  };
}

function parsed(args: string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function opsOf(
  options: readonly OpOption[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const ops: Record<string, unknown> = {};
  for (const option of options) {
    const value = values[`no-${option.flag}`] === true ? false : values[option.flag];
    if (value === undefined) continue;
    let parent = ops;
    for (const member of option.path.slice(0, -1)) {
      parent[member] ??= {};
      parent = parent[member] as Record<string, unknown>;
    }
    const read = (one: unknown) => (typeof one === 'string' ? opValue(option, one) : one);
    parent[option.path.at(-1)!] = Array.isArray(value) ? value.map(read) : read(value);
  }
  return ops;
}

function validOps(command: Command, ops: Record<string, unknown>): Record<string, unknown> {
  const result = validateOps<z.ZodType>(schemas[command], ops);
  if (result.ok) return ops;
  throw new UsageError(result.issues.map(({ path, message }) => `${path}: ${message}`).join('\n'));
}

function opValue({ flag, kind, members }: OpOption, text: string): unknown {
  if (kind === 'text') return text;
  if (kind === 'number') return someNumber(flag, text);
  const numbers = text.split(',').map((part) => someNumber(flag, part));
  if (numbers.length !== members.length) {
    throw new UsageError(`--${flag}: expected ${members.join(',')} but received ${JSON.stringify(text)}`);
  }
  return Object.fromEntries(members.map((member, index) => [member, numbers[index]]));
}

function someNumber(flag: string, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) {
    throw new UsageError(`--${flag}: expected a number but received ${JSON.stringify(text)}`);
  }
  return number;
}

function wholeNumber(flag: string, value: unknown): number {
  const number = someNumber(flag, String(value));
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new UsageError(`--${flag}: expected a whole number from 1 but received ${String(value)}`);
  }
  return number;
}
