import { endOfString, nextToken } from './grammar.ts';

/** Longer paths are cut off: no known member has one. */
const MAX_PATH_LENGTH = 200;

/** Most names reported: a megabyte of text may repeat thousands. */
const MAX_REPORTED = 20;

/** An object or array that encloses the current position. */
interface Level {
  /** How often each name was read so far, up to twice; undefined in an array. */
  readonly names: Map<string, number> | undefined;
  /** The latest name, or the index of the current item. */
  at: string | number;
  /** Whether the next string is a name. */
  isNameNext: boolean;
}

/**
 * Finds member names that occur more than once in one object: RFC 8259 section 4 leaves open what they mean,
 * and `JSON.parse` silently keeps the last. Iterative, in one pass. Only reported names get a path, since
 * building one takes time proportional to its depth.
 * @param json valid JSON
 * @returns dotted paths from the root, such as `pixelate.regions.0.w`, each once, at most MAX_REPORTED
 */
export function duplicateNames(json: string): string[] {
  const found = new Set<string>();
  const levels: Level[] = [];
  for (let at = nextToken(json, 0); at >= 0 && found.size < MAX_REPORTED; at = nextToken(json, at + 1)) {
    const character = json[at];
    const level = levels.at(-1);
    if (character === '"') {
      const end = endOfString(json, at);
      if (level?.names && level.isNameNext) {
        const name = JSON.parse(json.slice(at, end + 1)) as string;
        level.at = name;
        level.isNameNext = false;
        const times = level.names.get(name) ?? 0;
        if (times < 2) level.names.set(name, times + 1);
        if (times === 1) found.add(levels.map((each) => each.at).join('.'));
      }
      at = end;
    } else if (character === '{') {
      levels.push({ names: new Map(), at: '', isNameNext: true });
    } else if (character === '[') {
      levels.push({ names: undefined, at: 0, isNameNext: false });
    } else if (character === '}' || character === ']') {
      levels.pop();
    } else if (character === ',' && level) {
      if (level.names) level.isNameNext = true;
      else level.at = Number(level.at) + 1;
    }
  }
  return [...found];
}

/** One issue for each name that occurs twice in an object. */
export const duplicateIssues = (paths: readonly string[]) =>
  paths.map((path) => ({
    path: path.slice(0, MAX_PATH_LENGTH),
    message: 'Expected each member once but received this one more often',
    code: 'duplicate_name',
  }));
