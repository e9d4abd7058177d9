import { type Box, boxes } from '../boxes.ts';
import type { Cursor } from '../cursor.ts';
import type { ByteRange } from '../facts.ts';

/**
 * Names of alpha planes in `auxC` and `auxi`: MIAF (ISO/IEC 23000-22 §7.3.5.2), and what old HEVC encoders
 * wrote. Depth maps and others are no part of the picture.
 */
export const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1'];
/** Items of one file. A 50-megapixel grid has some dozens. */
const MAX_ITEMS = 65_536;
/** Extents of all items together. */
const MAX_EXTENTS = 131_072;
/** Properties of one item; `ipma` counts them in a byte. */
const MAX_ITEM_PROPERTIES = 255;
/** Associations of properties, and references between items, kept of one file. */
const MAX_LINKS = 131_072;

/** One item of a `meta` box. */
export interface Item {
  type: string;
  /** Of `mime` items. */
  contentType: string;
  /**
   * Where its bytes lie in the file, in order, as declared; undefined when they lie where this reader cannot
   * tell.
   */
  extents: ByteRange[] | undefined;
  /** Indices of its properties, 1 the first, in the order in which they apply. */
  properties: number[];
}

/** Bytes that are searched while a property, a tile, or a place of an item, is looked up. */
export const LOOKING_UP = 128;

/**
 * A reference: `from` is, for example, the alpha plane (`auxl`), thumbnail (`thmb`) or derivation (`dimg`) of
 * or from `to`.
 */
interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/** What a `meta` box tells: ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12 §9.3 and 9.4. */
export class ItemTable {
  primary = -1;
  readonly items = new Map<number, Item>();
  readonly references: Reference[] = [];
  readonly properties: Box[] = [];
  /** Boxes that readers pass over, ISO/IEC 14496-12 §8.1.2. */
  readonly free: Box[] = [];
  /** For each item that has one the item that is its alpha: the first that refers to it. */
  readonly alphas = new Map<number, number>();
  #idat: ByteRange | null = null;
  #located: { item: Item; pieces: readonly { inIdat: boolean; offset: number; length: number }[] }[] = [];
  #extents = 0;
  #links = 0;

  readonly cursor: Cursor;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  /** Reads a `meta` box, which is a full box: version and flags come first. Yields as scanners do. */
  *read(meta: Box): Generator<number, void> {
    for (const box of boxes(this.cursor, meta.body + 4, meta.end)) {
      if (this.cursor.meter.isDue) yield this.cursor.meter.pause();
      if (box.type === 'pitm') this.#readPrimary(box);
      else if (box.type === 'iinf') yield* this.#readInfo(box);
      else if (box.type === 'iloc') yield* this.#readLocations(box);
      else if (box.type === 'iref') yield* this.#readReferences(box);
      else if (box.type === 'iprp') yield* this.#readProperties(box);
      else if (box.type === 'free' || box.type === 'skip') this.free.push(box);
      else if (box.type === 'idat') this.#idat = { start: box.body, end: box.end };
    }
    yield* this.#resolve();
    yield* this.#readAlphas();
  }

  /** The properties of an item of one type, or of several, in their order. */
  propertiesOf(id: number, ...types: string[]): Box[] {
    const indices = this.items.get(id)?.properties ?? [];
    this.cursor.meter.work(LOOKING_UP * (indices.length + 1));
    const found = indices.map((index) => this.properties[index - 1]);
    return found.filter((box): box is Box => box !== undefined && types.includes(box.type));
  }

  #item(id: number): Item | null {
    const known = this.items.get(id);
    if (known) return known;
    if (id < 0 || this.items.size >= MAX_ITEMS) return null;
    const item: Item = { type: '', contentType: '', extents: undefined, properties: [] };
    this.items.set(id, item);
    return item;
  }

  #readPrimary({ body }: Box): void {
    const { cursor } = this;
    this.primary = cursor.u8(body) === 0 ? cursor.u16(body + 4) : cursor.u32(body + 4);
  }

  *#readInfo({ body, end }: Box): Generator<number, void> {
    const { cursor } = this;
    const short = cursor.u8(body) === 0;
    for (const { type, body: at, end: stop } of boxes(cursor, body + (short ? 6 : 8), end)) {
      if (cursor.meter.isDue) yield cursor.meter.pause();
      const version = cursor.u8(at);
      if (type !== 'infe' || version < 2) continue;
      const idBytes = version === 2 ? 2 : 4;
      const item = this.#item(cursor.unsigned(at + 4, idBytes));
      const typeAt = at + 4 + idBytes + 2;
      if (item === null || item.type !== '') continue;
      item.type = cursor.text(typeAt, Math.min(typeAt + 4, stop), 4);
      if (item.type !== 'mime') continue;
      const name = cursor.find(0, typeAt + 4, stop);
      const typeEnd = name < 0 ? -1 : cursor.find(0, name + 1, stop);
      item.contentType = name < 0 ? '' : cursor.text(name + 1, typeEnd < 0 ? stop : typeEnd, 64);
    }
  }

  /** `iloc`, §8.11.3: versions 0 to 2, fields of 0, 4 or 8 bytes. */
  *#readLocations({ body, end }: Box): Generator<number, void> {
    const cursor = this.cursor.window(0, end);
    const version = cursor.u8(body);
    const sizes = cursor.u16(body + 4);
    if (version < 0 || version > 2 || sizes < 0) return;
    const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
    const indexBytes = version === 0 ? 0 : sizes & 15;
    const wide = version === 2 ? 4 : 2;
    const count = Math.min(cursor.unsigned(body + 6, wide), MAX_ITEMS);
    let at = body + 6 + wide;
    for (let n = 0; n < count; n++) {
      if (cursor.meter.isDue) yield cursor.meter.pause();
      const item = this.#item(cursor.unsigned(at, wide));
      at += wide;
      const method = version === 0 ? 0 : cursor.u16(at) & 15;
      const reference = cursor.u16(at + (version === 0 ? 0 : 2));
      at += version === 0 ? 2 : 4;
      const base = cursor.unsigned(at, baseBytes);
      const extents = cursor.u16(at + baseBytes);
      at += baseBytes + 2;
      if (base < 0 || extents < 0) return;
      const pieces: { inIdat: boolean; offset: number; length: number }[] = [];
      for (let m = 0; m < extents; m++) {
        const offset = cursor.unsigned(at + indexBytes, offsetBytes);
        const length = cursor.unsigned(at + indexBytes + offsetBytes, lengthBytes);
        at += indexBytes + offsetBytes + lengthBytes;
        this.#extents += 1;
        if (offset < 0 || length < 0 || this.#extents > MAX_EXTENTS) return;
        pieces.push({ inIdat: method === 1, offset: base + offset, length });
      }
      // method 2 counts from another item; a data reference other than 0 leads to another file
      if (item && method <= 1 && reference === 0) this.#located.push({ item, pieces });
    }
  }

  /**
   * Turns places into file offsets, now that `idat` is known; a length of 0 reaches to the end (§8.11.3.1).
   */
  *#resolve(): Generator<number, void> {
    const { meter } = this.cursor;
    for (const { item, pieces } of this.#located) {
      meter.work(LOOKING_UP * (pieces.length + 1));
      if (meter.isDue) yield meter.pause();
      if (item.extents !== undefined || (this.#idat === null && pieces.some((piece) => piece.inIdat)))
        continue;
      item.extents = pieces.map(({ inIdat, offset, length }) => {
        const start = inIdat ? this.#idat!.start + offset : offset;
        const limit = inIdat ? this.#idat!.end : this.cursor.length;
        return { start, end: length === 0 ? Math.max(start, limit) : start + length };
      });
    }
    this.#located = [];
  }

  *#readAlphas(): Generator<number, void> {
    const { cursor } = this;
    const judged = new Map<number, boolean>();
    for (const { type, from, to } of this.references) {
      cursor.meter.work(LOOKING_UP * (to.length + 1));
      if (cursor.meter.isDue) yield cursor.meter.pause();
      if (type !== 'auxl') continue;
      const isAlpha = judged.get(from) ?? this.#isAlpha(from);
      judged.set(from, isAlpha);
      if (!isAlpha) continue;
      for (const id of to) if (!this.alphas.has(id)) this.alphas.set(id, from);
    }
  }

  #isAlpha(id: number): boolean {
    const { cursor } = this;
    return this.propertiesOf(id, 'auxC').some(({ body }) =>
      ALPHA_TYPES.some((type) => cursor.matches(body + 4, type)),
    );
  }

  *#readReferences({ body, end }: Box): Generator<number, void> {
    const { cursor } = this;
    const wide = cursor.u8(body) === 0 ? 2 : 4;
    for (const box of boxes(cursor, body + 4, end)) {
      if (cursor.meter.isDue) yield cursor.meter.pause();
      const from = cursor.unsigned(box.body, wide);
      const count = cursor.u16(box.body + wide);
      const to: number[] = [];
      for (let n = 0; n < count && this.#links < MAX_LINKS; n++) {
        const at = box.body + wide + 2 + n * wide;
        if (at + wide > box.end) break;
        to.push(cursor.unsigned(at, wide));
        this.#links += 1;
      }
      if (from >= 0) this.references.push({ type: box.type, from, to });
    }
  }

  *#readProperties({ body, end }: Box): Generator<number, void> {
    for (const box of boxes(this.cursor, body, end)) {
      if (box.type === 'ipco' && this.properties.length === 0) {
        for (const property of boxes(this.cursor, box.body, box.end)) {
          this.properties.push(property);
          if (this.cursor.meter.isDue) yield this.cursor.meter.pause();
        }
      } else if (box.type === 'ipma') yield* this.#readAssociations(box);
    }
  }

  *#readAssociations({ body, end }: Box): Generator<number, void> {
    const cursor = this.cursor.window(0, end);
    const wideId = cursor.u8(body) === 0 ? 2 : 4;
    const wideIndex = (cursor.u8(body + 3) & 1) === 1 ? 2 : 1;
    const count = cursor.u32(body + 4);
    let at = body + 8;
    for (let n = 0; n < count && this.#links < MAX_LINKS; n++) {
      if (cursor.meter.isDue) yield cursor.meter.pause();
      const id = cursor.unsigned(at, wideId);
      const links = cursor.u8(at + wideId);
      if (links < 0) return;
      at += wideId + 1;
      const item = this.#item(id);
      for (let m = 0; m < links; m++) {
        const link = cursor.unsigned(at, wideIndex);
        if (link < 0) return;
        // the highest bit says that the property is essential
        if (item && item.properties.length < MAX_ITEM_PROPERTIES) {
          item.properties.push(link & (wideIndex === 2 ? 0x7fff : 0x7f));
        }
        at += wideIndex;
        this.#links += 1;
      }
    }
  }
}
