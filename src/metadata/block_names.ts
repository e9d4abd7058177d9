import type { BlockName, FileFacts } from './facts.ts';

/** The names of the blocks, each once, in the order of their first occurrence, as reports list them. */
export function blockNames({ blocks }: Pick<FileFacts, 'blocks'>): BlockName[] {
  return [...new Set(blocks.map((block) => block.name))];
}
