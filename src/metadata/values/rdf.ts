import type { Cursor } from '../cursor.ts';
import type { ByteRange } from '../facts.ts';
import { decodeText, MAX_TEXT_BYTES } from './text.ts';
import { NAMESPACES, UNKNOWN, USUAL_PREFIXES } from './xmp_namespaces.ts';

/** Deepest nesting of elements; XMP in photos has a dozen levels at most. */
const MAX_DEPTH = 48;
/** Longest name, including its prefix, and longest path; no property that is read is half as long. */
const MAX_NAME = 200;
/** Most consecutive white space inside a tag; the padding of packets is outside of tags. */
const MAX_SPACE = 4096;
/** Most attributes of one tag: Camera Raw writes about 150. */
const MAX_ATTRIBUTES = 1024;
/** Most prefix declarations that apply at one place. */
const MAX_PREFIXES = 256;
/** Most pieces of one text, between comments or CDATA marks. */
const MAX_PIECES = 16;

/** Work of a tag besides its reads, in bytes searched. */
const TAG = 512;

/** Elements between properties that do not name any (XMP part 1, §7). */
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
 * Receives one property: its path, such as `mwg-rs:Regions/mwg-rs:RegionList[]/mwg-rs:Name`, with the
 * prefixes of xmp_namespaces.ts whatever the packet calls them; the item numbers in the lists on the path;
 * and a function that decodes its text. A prefix of another namespace begins with UNKNOWN.
 */
export type OnProperty = (path: string, items: readonly number[], text: () => string) => void;

interface Element {
  /** '' above all properties, null within what is too long to be asked for. */
  readonly path: string | null;
  /** The number of its next rdf:li. */
  nextItem: number;
  /** Whether it contains another element: then its text is only white space between elements. */
  parent: boolean;
  /** Whether it is a list item; its number is then the last of `#items`. */
  readonly item: boolean;
  /** Prefixes declared in it. */
  readonly prefixes: readonly string[];
  /** Where its text is. */
  readonly pieces: ByteRange[];
}

/**
 * Reads the RDF of an XMP packet in UTF-8, in one pass that copies only the requested texts. It supports
 * elements, attributes, comments, CDATA and processing instructions; it stops at a document type, a malformed
 * tag, and nesting deeper than MAX_DEPTH. Entities are the five predefined ones and numeric character
 * references (XML 1.0, §4.6 and §4.1).
 */
export class RdfReader {
  readonly #cursor: Cursor;
  readonly #onProperty: OnProperty;
  readonly #count: () => boolean;
  readonly #stack: Element[] = [];
  readonly #items: number[] = [];
  /**
   * The prefix used in paths for each declared one, the innermost declaration last; '' is the default
   * namespace.
   */
  readonly #prefixes = new Map<string, string[]>();
  #declared = 0;
  #at = 0;
  /** Whether the outermost element has ended. */
  #ended = false;

  /** @param count called before each tag, attribute and mark; returns false to end the reading */
  constructor(cursor: Cursor, onProperty: OnProperty, count: () => boolean = () => true) {
    this.#cursor = cursor;
    this.#onProperty = onProperty;
    this.#count = count;
  }

  /**
   * Reads to the end of the outermost element, or as far as the packet is well-formed; yields as scanners do.
   * @returns whether that is to its end
   */
  *read(): Generator<number, boolean> {
    const cursor = this.#cursor;
    for (let sound = true; sound; ) {
      cursor.meter.work(TAG);
      if (cursor.meter.isDue) yield cursor.meter.pause();
      const open = cursor.find(0x3c, this.#at);
      if (open < 0 || !this.#count()) return false;
      this.#text(this.#at, open);
      const next = cursor.u8(open + 1);
      if (next === 0x3f) sound = yield* this.#skipTo('?>', open + 2);
      else if (next === 0x21) sound = yield* this.#special(open);
      else if (next === 0x2f) sound = yield* this.#close(open);
      else sound = this.#open(open + 1);
      if (this.#ended) return true;
    }
    return false;
  }

  *#skipTo(text: string, from: number): Generator<number, boolean> {
    const found = yield* this.#cursor.search(text, from);
    this.#at = found + text.length;
    return found >= 0;
  }

  /** A comment or CDATA; anything else is a declaration, and ends the reading. */
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
    this.#ended = this.#stack.length === 0;
    return true;
  }

  #leave(element: Element): void {
    if (element.item) this.#items.pop();
    for (const prefix of element.prefixes) this.#prefixes.get(prefix)?.pop();
    this.#declared -= element.prefixes.length;
  }

  /** A start tag whose name is at `start`. */
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
      if (/^xmlns(?::|$)/.test(attribute)) this.#declare(attribute.slice(6), value, prefixes);
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
    this.#ended = this.#stack.length === 0;
    return true;
  }

  /** The value after the "=" at `at`, without its quotes; null if there is none. */
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
    const canonical = NAMESPACES.get(uri) ?? UNKNOWN + prefix;
    const known = this.#prefixes.get(prefix);
    if (known) known.push(canonical);
    else this.#prefixes.set(prefix, [canonical]);
    prefixes.push(prefix);
    this.#declared += 1;
  }

  /** The new element, with its path. */
  #enter(name: string, prefixes: readonly string[]): Element {
    const outer = this.#stack.at(-1);
    if (outer) outer.parent = true;
    const outerPath = outer === undefined ? '' : outer.path;
    const known = this.#canonical(name, true);
    let path: string | null = null;
    let item = false;
    // whatever the root is called, and whatever is around the RDF, names no property
    if (known === 'rdf:RDF' || outer === undefined) path = '';
    else if (outerPath === null) path = null;
    else if (known === 'rdf:li' && outerPath) {
      path = `${outerPath}[]`;
      item = true;
      this.#items.push(outer.nextItem++);
    } else if (TRANSPARENT.has(known)) path = outerPath;
    else path = outerPath ? `${outerPath}/${known}` : known;
    if (path !== null && path.length > MAX_NAME) path = null;
    return { path, nextItem: 0, parent: false, item, prefixes, pieces: [] };
  }

  /** A property written as an attribute; `rdf:resource` is the value of the element itself. */
  #attribute({ path }: Element, name: string, value: ByteRange): void {
    if (path === null) return;
    const known = this.#canonical(name, false);
    const own = known === 'rdf:resource' || known === 'rdf:value';
    if (!own && known.startsWith('rdf:')) return;
    const full = own ? path : path === '' ? known : `${path}/${known}`;
    if (full !== '') this.#onProperty(full, this.#items, () => this.#decoded([value]));
  }

  /**
   * A name with the prefix used in paths. A prefix that the packet does not declare means what it usually
   * means.
   * @param element whether the default namespace applies, which it does not to attributes
   */
  #canonical(name: string, element: boolean): string {
    const colon = Math.max(name.indexOf(':'), 0);
    const prefix = name.slice(0, colon);
    const declared = element || colon > 0 ? this.#prefixes.get(prefix)?.at(-1) : undefined;
    const usual = declared ?? (USUAL_PREFIXES.get(prefix) || UNKNOWN + prefix);
    return `${usual}:${colon > 0 ? name.slice(colon + 1) : name}`;
  }

  #skipSpace(from: number): number {
    let at = from;
    while (at - from < MAX_SPACE && isSpace(this.#cursor.u8(at))) at += 1;
    return at;
  }

  /** The name at an offset; '' if there is none, or it is too long. */
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
    if (text.includes('&')) this.#cursor.meter.work(ENTITY_WORK * text.length);
    return resolved(text);
  }
}

/** Work of a character in a text full of entities, in bytes searched. */
const ENTITY_WORK = 48;

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
/** Letters, digits, ":_-." and everything outside ASCII (XML 1.0 §2.3, but less strict). */
const isNameByte = (byte: number) =>
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x2d && byte <= 0x3a && byte !== 0x2f) ||
  byte === 0x5f ||
  byte >= 0x80;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Replaces the predefined entities and numeric references; all others stay as written. */
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
