import { type Box, boxes, textLike } from '../boxes.ts';
import type { Cursor } from '../cursor.ts';
import type { ByteRange } from '../facts.ts';

/**
 * Names of alpha planes in `auxC` and `auxi`: from MIAF (ISO/IEC 23000-22 §7.3.5.2), and from old HEVC
 * encoders. Depth maps and other auxiliary images do not belong to the picture.
 */
export const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1'];
/** Most items of one file. A 50-megapixel grid has a few dozen. */
const MAX_ITEMS = 65_536;
/** Most extents of all items together. */
const MAX_EXTENTS = 131_072;
/** Most properties of one item; `ipma` counts them in a byte. */
const MAX_ITEM_PROPERTIES = 255;
/** Most associations of properties, and most references between items, kept of one file. */
const MAX_LINKS = 131_072;

/** One item of a `meta` box. */
export interface Item {
  type: string;
  /** For items of type `mime`. */
  contentType: string;
  /** Where its bytes lie in the file, in order, as declared; undefined if this reader cannot determine it. */
  extents: ByteRange[] | undefined;
  /** Indices of its properties, from 1, in the order in which they apply. */
  properties: readonly number[];
}

const NO_PROPERTIES: readonly number[] = [];

/** Work of looking up a property, a tile or an item's place, in bytes searched. */
export const LOOKUP_WORK = 128;
/** Work of copying a property's number to a longer list, in bytes searched. */
const COPY_WORK = 4;
/** Work of creating and registering an item or a tile, in bytes searched. */
export const ITEM_WORK = 512;

/**
 * A reference: `from` is, for example, the alpha plane (`auxl`), thumbnail (`thmb`) or derivation (`dimg`) of
 * or from `to`.
 */
interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/** The contents of a `meta` box: ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12 §9.3 and 9.4. */
export class ItemTable {
  primary = -1;
  readonly items = new Map<number, Item>();
  readonly references: Reference[] = [];
  readonly properties: Box[] = [];
  /** Boxes that readers skip, ISO/IEC 14496-12 §8.1.2. */
  readonly free: Box[] = [];
  /** By item id, the id of its alpha item: the first that refers to it. */
  readonly alphas = new Map<number, number>();
  #idat: ByteRange | null = null;
  /**
   * Places as declared: items; for each its number of pieces, negative if they lie in `idat`; then offsets
   * and lengths of all pieces. Flat arrays of numbers, since an object per piece would be moved around at
   * each garbage collection.
   */
  readonly #located: Item[] = [];
  readonly #counts: number[] = [];
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];
  #extents = 0;
  #links = 0;

  readonly cursor: Cursor;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  /** Reads a `meta` box. It is a full box: version and flags come first. Yields as scanners do. */
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

  /** The properties of an item that have one of these types, in order. */
  propertiesOf(id: number, ...types: string[]): Box[] {
    const indices = this.items.get(id)?.properties ?? NO_PROPERTIES;
    this.cursor.meter.work(LOOKUP_WORK * (indices.length + 1));
    const found: Box[] = [];
    for (const index of indices) {
      const box = this.properties[index - 1];
      if (box && types.includes(box.type)) found.push(box);
    }
    return found;
  }

  #item(id: number): Item | null {
    const known = this.items.get(id);
    if (known) return known;
    if (id < 0 || this.items.size >= MAX_ITEMS) return null;
    this.cursor.meter.work(ITEM_WORK);
    const item: Item = { type: '', contentType: '', extents: undefined, properties: NO_PROPERTIES };
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
    let [itemType, contentType] = ['', ''];
    for (const { type, body: at, end: stop } of boxes(cursor, body + (short ? 6 : 8), end)) {
      cursor.meter.work(ITEM_WORK);
      if (cursor.meter.isDue) yield cursor.meter.pause();
      const version = cursor.u8(at);
      if (type !== 'infe' || version < 2) continue;
      const idBytes = version === 2 ? 2 : 4;
      const item = this.#item(cursor.unsigned(at + 4, idBytes));
      const typeAt = at + 4 + idBytes + 2;
      if (item === null || item.type !== '') continue;
      itemType = textLike(itemType, cursor, typeAt, Math.min(typeAt + 4, stop), 4);
      item.type = itemType;
      if (item.type !== 'mime') continue;
      const name = cursor.find(0, typeAt + 4, stop);
      const typeEnd = name < 0 ? -1 : cursor.find(0, name + 1, stop);
      if (name < 0) continue;
      contentType = textLike(contentType, cursor, name + 1, typeEnd < 0 ? stop : typeEnd, 64);
      item.contentType = contentType;
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
      cursor.meter.work(LOOKUP_WORK);
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
      const first = this.#offsets.length;
      for (let m = 0; m < extents; m++) {
        const offset = cursor.unsigned(at + indexBytes, offsetBytes);
        const length = cursor.unsigned(at + indexBytes + offsetBytes, lengthBytes);
        at += indexBytes + offsetBytes + lengthBytes;
        this.#extents += 1;
        if (offset < 0 || length < 0 || this.#extents > MAX_EXTENTS) return this.#forget(first);
        this.#offsets.push(base + offset);
        this.#lengths.push(length);
      }
      // construction method 2 counts offsets from another item; a data reference other than 0 names another
      // file
      if (item && method <= 1 && reference === 0) {
        this.#located.push(item);
        this.#counts.push(method === 1 ? -extents : extents);
      } else this.#forget(first);
    }
  }

  /** Drops pieces, from index `first` on, that belong to no item. */
  #forget(first: number): void {
    this.#offsets.length = first;
    this.#lengths.length = first;
  }

  /** Converts places to file offsets, once `idat` is known; a length of 0 extends to the end (§8.11.3.1). */
  *#resolve(): Generator<number, void> {
    const { meter } = this.cursor;
    const whole = { start: 0, end: this.cursor.length };
    let at = 0;
    for (let n = 0; n < this.#located.length; n++) {
      const item = this.#located[n]!;
      const count = this.#counts[n]!;
      const first = at;
      at += Math.abs(count);
      meter.work(ITEM_WORK * (at - first + 1));
      if (meter.isDue) yield meter.pause();
      const within = count < 0 ? this.#idat : whole;
      if (item.extents !== undefined || within === null) continue;
      // A growing array allocates room for dozens, and most items have one piece.
      if (at - first === 1) item.extents = [this.#place(first, within)];
      else
        item.extents = Array.from({ length: at - first }, (_, piece) => this.#place(first + piece, within));
    }
    for (const list of [this.#located, this.#counts, this.#offsets, this.#lengths]) list.length = 0;
  }

  /** The place of a piece in the file. */
  #place(piece: number, within: ByteRange): ByteRange {
    const start = within.start + this.#offsets[piece]!;
    const length = this.#lengths[piece]!;
    return { start, end: length === 0 ? Math.max(start, within.end) : start + length };
  }

  *#readAlphas(): Generator<number, void> {
    const { cursor } = this;
    const judged = new Map<number, boolean>();
    for (const { type, from, to } of this.references) {
      cursor.meter.work(LOOKUP_WORK * (to.length + 1));
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
      // Says nothing without an item that it leads to. The others are at most as many as MAX_LINKS.
      if (from >= 0 && to.length > 0) this.references.push({ type: box.type, from, to });
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
    let before = NO_PROPERTIES;
    for (let n = 0; n < count && this.#links < MAX_LINKS; n++) {
      cursor.meter.work(LOOKUP_WORK);
      if (cursor.meter.isDue) yield cursor.meter.pause();
      const id = cursor.unsigned(at, wideId);
      const links = cursor.u8(at + wideId);
      if (links < 0) return;
      at += wideId + 1;
      const item = this.#item(id);
      const found: number[] = [];
      let link = 0;
      for (let m = 0; m < links && link >= 0; m++) {
        link = cursor.unsigned(at, wideIndex);
        // the highest bit says that the property is essential
        if (link >= 0) found.push(link & (wideIndex === 2 ? 0x7fff : 0x7f));
        at += wideIndex;
        this.#links += 1;
      }
      const room = item ? MAX_ITEM_PROPERTIES - item.properties.length : 0;
      if (item && found.length > 0 && room > 0) {
        const list =
          item.properties === NO_PROPERTIES ? found : [...item.properties, ...found.slice(0, room)];
        cursor.meter.work(COPY_WORK * list.length);
        before = sharedList(before, list);
        item.properties = before;
      }
      if (link < 0) return;
    }
  }
}

/** Returns the previous list if this one is equal: tiles of a grid share their properties. */
function sharedList(before: readonly number[], list: readonly number[]): readonly number[] {
  if (list.length !== before.length) return list;
  for (let n = 0; n < list.length; n++) if (list[n] !== before[n]) return list;
  return before;
}
