import { globSync } from 'node:fs';
import { posix } from 'node:path';
import type { SourceFile } from './tree.ts';

/** Each check gives what a document lacks, one sentence a fault; nothing when all is well. */

/** A line of a document has no more characters, but for tables, code and what can't be broken. */
export const MAX_DOCUMENT_CHARACTERS = 120;

/** The lines of a document that are no fenced code, with their numbers. */
function* proseOf(text: string): Generator<[line: string, number: number]> {
  let isCode = false;
  for (const [i, line] of text.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    else if (!isCode) yield [line, i + 1];
  }
}

/** Lines that are too long to read. */
export function longDocumentLines({ path, text }: SourceFile): string[] {
  return [...proseOf(text)].flatMap(([line, number]) => {
    const { length } = [...line];
    const isOne = /^\s*[|!<[]/.test(line) || !line.trim().includes(' ');
    return length > MAX_DOCUMENT_CHARACTERS && !isOne ? [`${path}:${number} has ${length} characters`] : [];
  });
}

/** Folders of the project that documents name paths in. */
const ROOTS = ['src', 'client', 'wasm', 'test', 'scripts', 'docs', 'deploy', 'models'];

/** A word in backticks that is a path of the project: below one of its folders, or a TypeScript file. */
const PATH = new RegExp(`\`((?:(?:${ROOTS.join('|')})/)?[\\w./*-]+)\``, 'g');

/**
 * Paths in backticks that lead nowhere: from the project's root, and in a room's README also
 * anywhere below its folder. What
 * stands for something (`<format>`, `a/b.ts`) is none of ours.
 */
export function deadPaths({ path, text }: SourceFile): string[] {
  const folder = posix.dirname(path);
  const isRoom = /^(?:src|wasm|test)\//.test(path);
  return [...proseOf(text)].flatMap(([line, number]) =>
    [...line.matchAll(PATH)].flatMap(([, named]) => {
      const isFromRoot = ROOTS.some((root) => named!.startsWith(`${root}/`));
      const isFile = /^[\w-]+(?:\/[\w-]+)*\.ts$/.test(named!);
      if (!isFromRoot && !(isRoom && isFile)) return [];
      if (/(?:^|\/)a\/b\b/.test(named!)) return [];
      const isThere = globSync(isFromRoot ? named! : posix.join(folder, '**', named!)).length > 0;
      return isThere ? [] : [`${path}:${number} names ${named}, which is not there`];
    }),
  );
}

/** A number with a unit that is measured or bounded, as documents write them. */
const FIGURE =
  /\b\d[\d,.]*(?:\s(?:×|in|of)\s\d[\d,.]*)?\s(?:[KMG]B|m?s|blocks|megapixels|names|px|%|photos)(?![\w-])/g;

const figuresOf = (text: string): string[] =>
  [...text.replace(/\s+/g, ' ').matchAll(FIGURE)].map(([figure]) => figure);

/**
 * Figures of a document that stand in none of those it links to: a figure is measured, or decided, in one
 * place, and whoever repeats it leads there.
 * @param linked the documents that it links to
 */
export function strayFigures({ path, text }: SourceFile, linked: readonly SourceFile[]): string[] {
  const known = new Set(linked.flatMap((document) => figuresOf(document.text)));
  const prose = [...proseOf(text)].map(([line]) => line).join('\n');
  return [...new Set(figuresOf(prose))]
    .filter((figure) => !known.has(figure))
    .map((figure) => `${path}: ${figure} stands in no document that it links to`);
}
