import type { Cursor } from '../cursor.ts';
import type { ByteRange } from '../facts.ts';
import { decodeText, MAX_TEXT_BYTES } from './text.ts';
import { NAMESPACES } from './xmp_namespaces.ts';

/** Elements within each other; XMP in photos has a dozen at most. */
const MAX_DEPTH = 48;
/** Longest name, prefix included, and longest path; no property that is read has half of it. */
const MAX_NAME = 200;
/** Spaces in a row inside a tag; the padding of packets stands outside of all. */
const MAX_SPACE = 4096;
/** Attributes of one tag: Camera Raw writes some 150. */
const MAX_ATTRIBUTES = 1024;
/** Declarations of prefixes that hold at one place. */
const MAX_PREFIXES = 256;
/** Pieces of one text, between which comments or CDATA marks stand. */
const MAX_PIECES = 16;

/** Bytes that are searched in the time that a tag takes beside its reads. */
const TAG = 512;

/** Elements that stand between properties and do not name any (XMP part 1, §7). */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'x:xmpmeta',
  'x:xapmeta',
  'rdf:RDF',
  'rdf:Description',
  'rdf:Bag',
  'rdf:Seq',
  'rdf:Alt',
  'rdf:value',
]);

/**
 * Takes one property: its path, such as `mwg-rs:Regions/mwg-rs:RegionList[]/mwg-rs:Name`, under the prefixes
 * of xmp_namespaces.ts whatever the packet calls them, which items of the lists in the path it is in, and a
 * function that decodes its text.
 */
export type OnProperty = (path: string, items: readonly number[], text: () => string) => void;

interface Element {
  /** '' above all properties, null within what nobody asks for. */
  readonly path: string | null;
  /** Number of the item that the next rdf:li in it is. */
  nextItem: number;
  /** It holds another element, so its text is only the space between them. */
  parent: boolean;
  /** It is an item, whose number is the last of `#items`. */
  readonly item: boolean;
  /** Prefixes declared here. */
  readonly prefixes: readonly string[];
  /** Where its text lies. */
  readonly pieces: ByteRange[];
}

/**
 * Reads the RDF of an XMP packet in UTF-8, in one pass that copies nothing but the texts asked for. It knows
 * elements, attributes, comments, CDATA and processing instructions, and no more: at a document type, at a
 * tag that breaks the rules, and at what is nested deeper than MAX_DEPTH it stops. Entities are the five
 * predefined ones and characters by number (XML 1.0, §4.6 and §4.1).
 */
export class RdfReader {
  readonly #cursor: Cursor;
  readonly #onProperty: OnProperty;
  readonly #count: () => boolean;
  readonly #stack: Element[] = [];
  readonly #items: number[] = [];
  /** What each prefix stands for, the innermost declaration last; null for a namespace that is not read. */
  readonly #prefixes = new Map<string, (string | null)[]>();
  #declared = 0;
  #at = 0;

  /** @param count called before each tag, attribute and mark; false ends the reading */
  constructor(cursor: Cursor, onProperty: OnProperty, count: () => boolean = () => true) {
    this.#cursor = cursor;
    this.#onProperty = onProperty;
    this.#count = count;
  }

  /**
   * Reads to the end of the outermost element, or as far as the packet is what it should be; yields as
   * scanners do.
   */
  *read(): Generator<number, void> {
    const cursor = this.#cursor;
    for (let sound = true; sound; ) {
      cursor.meter.work(TAG);
      if (cursor.meter.isDue) yield cursor.meter.pause();
      const open = cursor.find(0x3c, this.#at);
      if (open < 0 || !this.#count()) return;
      this.#text(this.#at, open);
      const next = cursor.u8(open + 1);
      if (next === 0x3f) sound = yield* this.#skipTo('?>', open + 2);
      else if (next === 0x21) sound = yield* this.#special(open);
      else if (next === 0x2f) sound = yield* this.#close(open);
      else sound = this.#open(open + 1);
    }
  }

  *#skipTo(text: string, from: number): Generator<number, boolean> {
    const found = yield* this.#cursor.search(text, from);
    this.#at = found + text.length;
    return found >= 0;
  }

  /** A comment or CDATA; anything else declares something, and ends the reading. */
  *#special(open: number): Generator<number, boolean> {
    const cursor = this.#cursor;
    if (cursor.matches(open, '<!--')) return yield* this.#skipTo('-->', open + 4);
    if (!cursor.matches(open, '<![CDATA[')) return false;
    const start = open + 9;
    if (!(yield* this.#skipTo(']]>', start))) return false;
    this.#text(start, this.#at - 3);
    return true;
  }

  #text(start: number, end: number): void {
    const element = this.#stack.at(-1);
    if (!element?.path || element.parent || start >= end) return;
    if (element.pieces.length < MAX_PIECES) element.pieces.push({ start, end });
  }

  *#close(open: number): Generator<number, boolean> {
    const element = this.#stack.pop();
    if (element === undefined || !(yield* this.#skipTo('>', open + 2))) return false;
    if (element.path && !element.parent && element.pieces.length > 0) {
      this.#onProperty(element.path, this.#items, () => this.#decoded(element.pieces));
    }
    this.#leave(element);
    return this.#stack.length > 0;
  }

  #leave(element: Element): void {
    if (element.item) this.#items.pop();
    for (const prefix of element.prefixes) this.#prefixes.get(prefix)?.pop();
    this.#declared -= element.prefixes.length;
  }

  /** A start tag whose name begins at `start`. */
  #open(start: number): boolean {
    const cursor = this.#cursor;
    const name = this.#name(start);
    if (name === '' || this.#stack.length >= MAX_DEPTH) return false;
    const attributes: { name: string; value: ByteRange }[] = [];
    const prefixes: string[] = [];
    let at = this.#skipSpace(start + name.length);
    let byte = cursor.u8(at);
    while (byte !== 0x3e && byte !== 0x2f) {
      const attribute = this.#name(at);
      const value = attribute === '' ? null : this.#quoted(this.#skipSpace(at + attribute.length));
      if (value === null || attributes.length >= MAX_ATTRIBUTES || !this.#count()) return false;
      if (attribute.startsWith('xmlns:')) this.#declare(attribute.slice(6), value, prefixes);
      else attributes.push({ name: attribute, value });
      at = this.#skipSpace(value.end + 1);
      byte = cursor.u8(at);
    }
    const empty = byte === 0x2f;
    if (empty && cursor.u8(at + 1) !== 0x3e) return false;
    this.#at = at + (empty ? 2 : 1);
    const element = this.#enter(name, prefixes);
    for (const { name: attribute, value } of attributes) this.#attribute(element, attribute, value);
    if (empty) this.#leave(element);
    else this.#stack.push(element);
    return this.#stack.length > 0;
  }

  /** The value behind the "=" at `at`, without its quotes; null where there is none. */
  #quoted(at: number): ByteRange | null {
    const cursor = this.#cursor;
    if (cursor.u8(at) !== 0x3d) return null;
    const open = this.#skipSpace(at + 1);
    const quote = cursor.u8(open);
    const end = quote === 0x22 || quote === 0x27 ? cursor.find(quote, open + 1) : -1;
    return end < 0 ? null : { start: open + 1, end };
  }

  #declare(prefix: string, { start, end }: ByteRange, prefixes: string[]): void {
    if (this.#declared >= MAX_PREFIXES) return;
    const uri = this.#cursor.text(start, end, MAX_NAME);
    const canonical = NAMESPACES.get(uri) ?? null;
    const known = this.#prefixes.get(prefix);
    if (known) known.push(canonical);
    else this.#prefixes.set(prefix, [canonical]);
    prefixes.push(prefix);
    this.#declared += 1;
  }

  /** The element that begins, and what its path is. */
  #enter(name: string, prefixes: readonly string[]): Element {
    const outer = this.#stack.at(-1);
    if (outer) outer.parent = true;
    const outerPath = outer === undefined ? '' : outer.path;
    const known = outerPath === null ? null : this.#canonical(name);
    let path: string | null = null;
    let item = false;
    if (known === 'rdf:li' && outer && outerPath) {
      path = `${outerPath}[]`;
      item = true;
      this.#items.push(outer.nextItem++);
    } else if (known !== null && TRANSPARENT.has(known)) path = outerPath;
    else if (known !== null && outer) path = outerPath ? `${outerPath}/${known}` : known;
    if (path !== null && path.length > MAX_NAME) path = null;
    return { path, nextItem: 0, parent: false, item, prefixes, pieces: [] };
  }

  /** A property given as an attribute; `rdf:resource` is the value of the element itself. */
  #attribute({ path }: Element, name: string, value: ByteRange): void {
    const known = path === null ? null : this.#canonical(name);
    if (path === null || known === null) return;
    const own = known === 'rdf:resource' || known === 'rdf:value';
    if (!own && known.startsWith('rdf:')) return;
    const full = own ? path : path === '' ? known : `${path}/${known}`;
    if (full !== '') this.#onProperty(full, this.#items, () => this.#decoded([value]));
  }

  /** A name under the prefix that is used here; null for one of a namespace that is not read. */
  #canonical(name: string): string | null {
    const colon = name.indexOf(':');
    const prefix = this.#prefixes.get(name.slice(0, Math.max(colon, 0)))?.at(-1);
    return colon < 0 || !prefix ? null : prefix + name.slice(colon);
  }

  #skipSpace(from: number): number {
    let at = from;
    while (at - from < MAX_SPACE && isSpace(this.#cursor.u8(at))) at += 1;
    return at;
  }

  /** The name at an offset; '' where none is, or one that is too long. */
  #name(start: number): string {
    let at = start;
    while (isNameByte(this.#cursor.u8(at)) && at - start <= MAX_NAME) at += 1;
    return at - start > MAX_NAME ? '' : this.#cursor.text(start, at, MAX_NAME);
  }

  #decoded(pieces: readonly ByteRange[]): string {
    let text = '';
    for (const { start, end } of pieces) {
      const stop = Math.min(end, start + MAX_TEXT_BYTES);
      const bytes = this.#cursor.span(start, stop);
      if (bytes === null || text.length > MAX_TEXT_BYTES) break;
      text += decodeText(this.#cursor, bytes, stop < end);
    }
    if (text.includes('&')) this.#cursor.meter.work(RESOLVING * text.length);
    return resolved(text);
  }
}

/** Bytes that are searched in the time that a character takes in a text that is full of entities. */
const RESOLVING = 48;

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
/** Letters, digits, ":_-." and whatever is not ASCII (XML 1.0 §2.3, not as strict). */
const isNameByte = (byte: number) =>
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x2d && byte <= 0x3a && byte !== 0x2f) ||
  byte === 0x5f ||
  byte >= 0x80;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Replaces the predefined entities and characters by number; any other stays as it is written. */
function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/g,
    (all, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
