import { printableLines } from './printable.ts';

/** A metadata block of a file: where it begins, and how long it is. */
export interface CarriedBlock {
  readonly name: string;
  readonly start: number;
  readonly bytes: number;
}

/** The place of a block as people count bytes: from 0, including the last one. */
export const placeOf = ({ start, bytes }: CarriedBlock): string =>
  bytes === 1 ? `byte ${start}` : `bytes ${start} to ${start + bytes - 1}`;

/** A line for each block of a file; nothing for a file without any. */
export const blockLines = (path: string, blocks: readonly CarriedBlock[]): string =>
  blocks.length === 0
    ? ''
    : printableLines(blocks.map((block) => `${path}: ${block.name} at ${placeOf(block)}`));
