import type { InspectOps } from '../ops/schema.ts';

const DEFAULTS: InspectOps = { values: false, thumbnails: false };

/**
 * The ops of `inspect` with their defaults. Plainly valid ops are accepted without the schema, because its
 * validator would be most of the script; all others go through it.
 * @throws ImageError 'invalid_ops' with every problem
 */
export async function inspectOps(ops: unknown): Promise<InspectOps> {
  const plain = plainOps(ops);
  if (plain) return plain;
  const [{ inspectOpsSchema }, { validOps }] = await Promise.all([
    import('../ops/schema.ts'),
    import('./valid_ops.ts'),
  ]);
  return validOps(inspectOpsSchema, ops);
}

function plainOps(ops: unknown): InspectOps | undefined {
  if (ops === undefined) return DEFAULTS;
  if (typeof ops !== 'object' || ops === null || Object.getPrototypeOf(ops) !== Object.prototype) {
    return undefined;
  }
  const given = Object.entries(ops);
  const isPlain = ([name, value]: [string, unknown]) =>
    Object.hasOwn(DEFAULTS, name) && typeof value === 'boolean';
  return given.every(isPlain) ? { ...DEFAULTS, ...Object.fromEntries(given) } : undefined;
}
