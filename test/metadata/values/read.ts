import { Cursor } from '../../../src/metadata/cursor.ts';
import { Payloads } from '../../../src/metadata/payloads.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { readValues } from '../../../src/metadata/values/read_values.ts';
import type { Values } from '../../../src/metadata/values/values.ts';

/** Scans a file and reads its values, as inspect does; null where it is of no input format. */
export function valuesOf(
  bytes: Uint8Array,
  options: { thumbnails?: boolean } = {},
  cursor = new Cursor(bytes),
): Values | null {
  const payloads = new Payloads();
  const facts = scan(bytes, cursor, payloads);
  return facts && readValues(cursor, facts, payloads, options);
}

/** Values of one kind, in their order. */
export const valuesOfKind = (
  values: Values,
  group: 'times' | 'device' | 'people' | 'texts',
  kind: string,
): string[] => values[group].filter((each) => each.kind === kind).map(({ value }) => value);
