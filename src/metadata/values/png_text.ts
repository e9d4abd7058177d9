import { inflatePrefix } from '../../core/deflate/inflate_prefix.ts';
import type { Cursor } from '../cursor.ts';
import { inflatingWork } from '../png/text.ts';
import { promptKind } from './prompts.ts';
import { MAX_TEXT_BYTES, textAt } from './text.ts';
import { isoTime } from './times.ts';
import type { Group, Kind } from './values.ts';
import type { ValuesDraft } from './values_draft.ts';

/** Longest keyword that PNG allows, with its terminator (third edition §11.3.3.2). */
const MAX_KEYWORD = 80;
/** Most compressed bytes read for one text: in any ordinary stream enough for the longest value. */
const MAX_STREAM = 65_536;
/** Most compressed texts of a file that are inflated. */
const MAX_INFLATED = 64;

type Row = { [G in Group]: readonly [group: G, kind: Kind<G>] }[Group];

/**
 * The kind of a text by its keyword in lower case: those of §11.3.3.2, those of ImageMagick, and those under
 * which image generators store their prompts.
 */
const KEYWORDS: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['title', ['texts', 'title']],
  ['author', ['people', 'author']],
  ['description', ['texts', 'caption']],
  ['copyright', ['people', 'copyright']],
  ['creation time', ['times', 'taken']],
  ['date:create', ['times', 'modified']],
  ['date:modify', ['times', 'modified']],
  ['date:timestamp', ['times', 'modified']],
  ['software', ['device', 'software']],
  ['disclaimer', ['texts', 'rights']],
  ['warning', ['texts', 'text']],
  ['source', ['device', 'model']],
  ['comment', ['texts', 'comment']],
  ['parameters', ['texts', 'prompt']],
  ['prompt', ['texts', 'prompt']],
  ['negative_prompt', ['texts', 'prompt']],
  ['dream', ['texts', 'prompt']],
  ['sd-metadata', ['texts', 'prompt']],
  ['invokeai_metadata', ['texts', 'prompt']],
  ['invokeai_graph', ['texts', 'workflow']],
  ['generation_data', ['texts', 'prompt']],
  ['workflow', ['texts', 'workflow']],
]);
/** Texts whose content the scan itself takes apart: XMP, and profiles in hexadecimal. */
const EMBEDDED = /^(?:XML:com\.adobe\.xmp$|Raw profile type )/;

/** Reads text chunks of one PNG (third edition §11.3.3). */
export class PngTextReader {
  #inflated = 0;
  readonly #draft: ValuesDraft;

  constructor(draft: ValuesDraft) {
    this.#draft = draft;
  }

  /** Reads the data of a tEXt, zTXt or iTXt chunk. */
  read(data: Cursor, type: string): void {
    const stop = data.find(0, 0, Math.min(MAX_KEYWORD, data.length));
    if (stop < 1) return;
    const keyword = data.text(0, stop, MAX_KEYWORD);
    if (EMBEDDED.test(keyword)) return;
    const text = this.#text(data, type, stop + 1);
    const row = KEYWORDS.get(keyword.toLowerCase());
    const source = { block: 'text' as const, field: keyword };
    const time = row?.[0] === 'times' ? isoTime(text) : null;
    if (row?.[0] === 'times' && time) this.#draft.add('times', row[1], time, source);
    else if (row && row[0] !== 'times') this.#draft.add(row[0], row[1], text, source);
    else this.#draft.add('texts', promptKind(text) ?? 'text', text, source);
  }

  #text(data: Cursor, type: string, at: number): string {
    if (type === 'tEXt') return textAt(data, at, data.length);
    if (type === 'zTXt') return this.#unpacked(data, at + 1);
    // compression flag, compression method, language tag, translated keyword
    const language = data.find(0, at + 2);
    const translated = language < 0 ? -1 : data.find(0, language + 1);
    if (translated < 0) return '';
    const packed = data.u8(at) === 1;
    return packed ? this.#unpacked(data, translated + 1) : textAt(data, translated + 1, data.length);
  }

  #unpacked(data: Cursor, start: number): string {
    const stream = data.span(start, Math.min(data.length, start + MAX_STREAM));
    if (stream === null || this.#inflated >= MAX_INFLATED) {
      this.#draft.cut = true;
      return '';
    }
    this.#inflated += 1;
    data.meter.work(inflatingWork(stream));
    const bytes = inflatePrefix(stream, MAX_TEXT_BYTES);
    const text = data.unpacked(bytes, { start, end: data.length });
    return textAt(text, 0, bytes.length);
  }
}

/** Reads a tIME chunk (§11.3.4): year, month, day, hour, minute, second, in UTC. */
export function readPngTime(data: Cursor, draft: ValuesDraft): void {
  const two = (at: number) => String(Math.max(0, data.u8(at))).padStart(2, '0');
  const year = String(Math.max(0, data.u16(0))).padStart(4, '0');
  const time = isoTime(`${year}-${two(2)}-${two(3)} ${two(4)}:${two(5)}:${two(6)}Z`);
  if (time) draft.add('times', 'modified', time, { block: 'timestamp', field: 'tIME' });
}
