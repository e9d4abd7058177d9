import fc from 'fast-check';

/** The keywords of JSON Schema that the request schemas use. */
export interface RequestSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, RequestSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: RequestSchema;
  readonly $ref?: string;
}

type Follow = (schema: RequestSchema) => RequestSchema;

/**
 * Values that a schema does not allow: of another type, beyond every bound, without required members, and
 * with unknown ones. A few of them may be valid by chance.
 */
export function invalidValues(given: RequestSchema, valid: unknown, follow: Follow): fc.Arbitrary<unknown>[] {
  const schema = follow(given);
  return [...ofOtherTypes(schema), ...pastBounds(schema, valid), ...inside(schema, valid, follow)];
}

function ofOtherTypes({ type }: RequestSchema): fc.Arbitrary<unknown>[] {
  const kinds: Record<string, fc.Arbitrary<unknown>> = {
    string: fc.string({ maxLength: 20 }),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    boolean: fc.boolean(),
    null: fc.constant(null),
    array: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
    object: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  };
  const own = type === 'integer' ? 'number' : type;
  const others = Object.entries(kinds).filter(([kind]) => own !== undefined && kind !== own);
  const fractions = type === 'integer' ? [fc.integer({ min: -50, max: 50 }).map((whole) => whole + 0.5)] : [];
  return [...others.map(([, arbitrary]) => arbitrary), ...fractions];
}

function pastBounds(schema: RequestSchema, valid: unknown): fc.Arbitrary<unknown>[] {
  const { minimum, exclusiveMinimum, maximum, minLength, maxItems } = schema;
  const least = minimum ?? exclusiveMinimum;
  const far = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
  const found: fc.Arbitrary<unknown>[] = [];
  if (schema.enum) found.push(fc.string({ maxLength: 8 }).filter((text) => !schema.enum?.includes(text)));
  if (least !== undefined) found.push(far.map((distance) => least - distance));
  if (exclusiveMinimum !== undefined) found.push(fc.constant(exclusiveMinimum));
  if (maximum !== undefined) found.push(far.map((distance) => maximum + Math.ceil(distance)));
  if (minLength !== undefined) found.push(fc.constant(''));
  if (maxItems !== undefined && Array.isArray(valid))
    found.push(
      fc.integer({ min: maxItems + 1, max: maxItems + 50 }).map((length) => Array(length).fill(valid[0])),
    );
  return found;
}

/** The valid value with one member replaced by an invalid value, removed, or added. */
function inside(schema: RequestSchema, valid: unknown, follow: Follow): fc.Arbitrary<unknown>[] {
  if (Array.isArray(valid) && schema.items) {
    return invalidValues(schema.items, valid[0], follow).map((item) =>
      item.map((value) => [...valid.slice(0, -1), value]),
    );
  }
  if (valid === null || typeof valid !== 'object') return [];
  const object = valid as Record<string, unknown>;
  const replaced = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    name in object
      ? invalidValues(member, object[name], follow).map((arbitrary) =>
          arbitrary.map((value) => ({ ...object, [name]: value })),
        )
      : [],
  );
  const missing = (schema.required ?? []).map((name) => {
    const { [name]: _gone, ...rest } = object;
    return fc.constant(rest);
  });
  const known = Object.keys(schema.properties ?? {});
  const extra =
    schema.additionalProperties === false
      ? [
          fc
            .tuple(
              fc.string({ minLength: 1, maxLength: 12 }).filter((name) => !known.includes(name)),
              fc.jsonValue({ maxDepth: 1 }),
            )
            .map(([name, value]) => ({ ...object, [name]: value })),
        ]
      : [];
  return [...replaced, ...missing, ...extra];
}
