import { formatName } from '../../src/vocabulary/format_names.ts';
import type { SourceFile } from './tree.ts';

/** Each check gives what a text for people lacks, one sentence a fault; nothing when all is well. */

/** "JPEG, PNG, …", as far as names, notes in brackets and commas go; in English and German. */
const LIST =
  /\bJPEG, PNG(?:(?:\s+\([^)]*\))?,\s+[A-Z]\w+)*(?:(?:\s+\([^)]*\))?\s+(?:and|or|und|oder)\s+[A-Z]\w+)?/g;
/** A note in brackets. */
const NOTE = /\([^)]*\)/g;

/** A list of formats that begins as ours do has all that are read, or all that are written. */
export function formatLists(
  files: readonly SourceFile[],
  read: readonly string[],
  written: readonly string[],
): string[] {
  const [all, outputs] = [read.map(formatName), written.map(formatName)];
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(LIST)].flatMap(({ 0: list, index }) => {
      const named = list.replace(NOTE, '').match(/[A-Z]\w+/g)!;
      const due = named.every((name) => outputs.includes(name)) ? outputs : all;
      const lacks = due.filter((name) => !named.includes(name));
      const strange = named.filter((name) => !due.includes(name));
      const line = text.slice(0, index).split('\n').length;
      return [
        ...lacks.map((name) => `${path}:${line} lists formats without ${name}`),
        ...strange.map((name) => `${path}:${line} lists ${name}, which is none of our formats`),
      ];
    }),
  );
}

/** What says of each format that is read by name what becomes of it has each. */
export const unnamedFormats = ({ path, text }: SourceFile, read: readonly string[]): string[] =>
  read
    .map(formatName)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
    .map((name) => `${path} never names ${name}`);

/** The hook of pre-commit passes files of each format that is read. */
export function unhookedFormats({ path, text }: SourceFile, read: readonly string[]): string[] {
  const types = /types_or: \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? [];
  return read
    .filter((format) => !types.includes(format))
    .map((format) => `${path}: types_or lacks ${format}`);
}

/** The order of the ops is told as the schema has it. */
export const misorderedOps = ({ path, text }: SourceFile, order: readonly string[]): string[] =>
  text.replace(/\s+/g, ' ').includes(`auto-rotate, ${order.join(', ')}, re-encode`)
    ? []
    : [`${path}: expected the order "auto-rotate, ${order.join(', ')}, re-encode"`];

/** As much of a JSON schema as names its members. */
export interface Members {
  readonly properties?: Readonly<Record<string, Members>>;
}

/** The table of ops has a row for every member, or its name beside that of another. */
export function undescribedOps({ path, text }: SourceFile, schema: Members, parents = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const at = `${parents}${name}`;
    if (member.properties) return undescribedOps({ path, text }, member, `${at}.`);
    const isNamed = new RegExp(`\`(?:${at.replaceAll('.', '\\.')}|${name})\\b`).test(text);
    return isNamed ? [] : [`${path}: the table of ops lacks ${at}`];
  });
}

/** The table of addresses has every one that is not of pages. @param paths of the OpenAPI document */
export function undescribedAddresses(
  { path, text }: SourceFile,
  paths: Readonly<Record<string, object>>,
): string[] {
  const isPage = (operation: object) => 'tags' in operation && String(operation.tags) === 'Pages';
  const operations = (item: object) => Object.values(item).filter((member) => 'operationId' in member);
  return Object.entries(paths)
    .filter(([, item]) => !operations(item).every(isPage))
    .filter(([address]) => !text.includes(`${address}\``))
    .map(([address]) => `${path}: the table of addresses lacks ${address}`);
}

/** Most lines of a room's README, so that it is read. */
export const MOST_ROOM_LINES = 60;
/** The idea in one page. */
export const MOST_ARCHITECTURE_WORDS = 1000;

/** Pages that are to be read in one go and have become too long for that. */
export function longPages(rooms: readonly SourceFile[], architecture: SourceFile): string[] {
  const words = architecture.text.trim().split(/\s+/).length;
  return [
    ...rooms
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > MOST_ROOM_LINES)
      .map(({ path, lines }) => `${path} has ${lines} lines of at most ${MOST_ROOM_LINES}`),
    ...(words > MOST_ARCHITECTURE_WORDS
      ? [`${architecture.path} has ${words} words of at most ${MOST_ARCHITECTURE_WORDS}`]
      : []),
  ];
}
