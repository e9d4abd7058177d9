import { type Sayable, sentences } from '../metadata/values/sentences.ts';
import type { InspectResult } from '../ops/responses.ts';

/**
 * Text for a terminal: what a file says of itself may hold control characters, and a terminal would obey
 * them (ECMA-48). Line feeds stay.
 */
export const printable = (text: string): string => text.replace(/[^\P{Cc}\n]|[\u2028\u2029]/gu, '\uFFFD');

/** What a file gives away, for a person. */
export function inspectText(path: string, result: InspectResult): string {
  const { format, width, height, blocks, values, complete } = result;
  const head = `${path}: ${format.toUpperCase()}, ${width} × ${height} pixels${complete ? '' : ', incomplete'}`;
  const said = values
    ? sentences(values as Sayable).map((sentence) => `  ${sentence.replace(/\n/g, ' ')}`)
    : [];
  const names = [...new Set(blocks.map(({ name }) => name))].join(', ');
  const carried = blocks.length > 0 ? `  Metadata: ${names}` : '  It carries no metadata.';
  const lines = blocks.length > 0 ? [head.replace(/\n/g, ' '), ...said, carried] : [head, carried];
  return `${printable(lines.join('\n'))}\n`;
}
