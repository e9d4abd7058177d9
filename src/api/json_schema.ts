/** A JSON Schema as documents contain it. */
export type JsonSchema = { [member: string]: unknown };

/**
 * Simplifies, in place, a schema that zod generated: open objects get `additionalProperties: true`, nullable
 * members become one schema with two types, and what readers don't need is removed: the bounds of safe
 * integers and the patterns of named formats.
 */
export function simplifySchema(schema: JsonSchema): void {
  mergeNull(schema);
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (isEmptyObject(schema.additionalProperties)) schema.additionalProperties = true;
  if (typeof schema.format === 'string') delete schema.pattern;
  // The keyword for this is contentEncoding; "base64" is not a registered format.
  if (schema.format === 'base64') delete schema.format;
}

/**
 * Rewrites "a schema or null" as that schema with `null` among its types: client generators make a separate
 * class, or none at all, for a choice.
 */
function mergeNull(schema: JsonSchema): void {
  const { anyOf } = schema as { anyOf?: JsonSchema[] };
  const [some, none] = anyOf ?? [];
  if (anyOf?.length !== 2 || none?.type !== 'null' || typeof some?.type !== 'string' || some.enum) return;
  delete schema.anyOf;
  simplifySchema(some);
  Object.assign(schema, { ...some, ...schema, type: [some.type, 'null'] });
}

const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
