import { MAX_CHARACTERS, MAX_LIST, type Values } from '../../../src/metadata/values/values.ts';
import { MAX_ALL_CHARACTERS } from '../../../src/metadata/values/values_draft.ts';
import { VALUE_KINDS } from '../../../src/vocabulary/value_kinds.ts';

/** More than the container around an AV1 thumbnail has. */
const CONTAINER_BYTES = 400;

/** What of values breaks the promises of their schema; empty when nothing does. */
export function valueFaults(values: Values): string[] {
  const faults: string[] = [];
  const { place, times, device, people, texts, thumbnails } = values;
  const groups = { places: place?.names ?? [], times, device, people, texts };
  let characters = 0;
  for (const [group, list] of Object.entries(groups)) {
    const counts = new Map<string, number>();
    for (const { kind, value, area } of list) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      characters += value.length;
      if (!(VALUE_KINDS[group as keyof typeof VALUE_KINDS] as readonly string[]).includes(kind))
        faults.push(`kind ${kind}`);
      if (value.length > MAX_CHARACTERS) faults.push(`${value.length} characters`);
      if (value !== value.trim() || value.includes('\0')) faults.push(`untidy ${kind}`);
      if (value === '' && area === undefined) faults.push(`empty ${kind}`);
      if (area && !Object.values(area).every(Number.isFinite)) faults.push(`area ${JSON.stringify(area)}`);
      if (group === 'times' && !/^\d{4}(-\d\d(-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?)?)?$/.test(value)) {
        faults.push(`time ${value}`);
      }
    }
    for (const [kind, count] of counts) if (count > MAX_LIST) faults.push(`${count} of ${kind}`);
  }
  if (characters > MAX_ALL_CHARACTERS) faults.push(`${characters} characters in all`);
  for (const position of place?.positions ?? []) {
    for (const value of Object.values(position)) {
      if (typeof value === 'number' && !Number.isFinite(value))
        faults.push(`position ${JSON.stringify(position)}`);
    }
    if (Math.abs(position.latitude ?? 0) > 90 || Math.abs(position.longitude ?? 0) > 180)
      faults.push('not on earth');
  }
  for (const { bytes, encoding, width, height, image } of thumbnails) {
    if (!(bytes >= 0 && width >= 0 && height >= 0)) faults.push('thumbnail of a negative size');
    if (!Number.isInteger(bytes + width + height)) faults.push('thumbnail of a broken size');
    // A container is put around AV1, and what is no picture left out.
    const most = encoding === 'av1' ? bytes + CONTAINER_BYTES : bytes;
    const least = encoding === 'av1' ? 1 : bytes;
    if (image && (image.length > most || image.length < least)) faults.push('thumbnail of another length');
  }
  return faults;
}
