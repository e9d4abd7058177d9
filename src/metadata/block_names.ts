import type { BlockName, FileFacts } from './facts.ts';

/** The names of the blocks, each once, in the order in which they first occur: what reports list. */
export function blockNames({ blocks }: Pick<FileFacts, 'blocks'>): BlockName[] {
  return [...new Set(blocks.map((block) => block.name))];
}
