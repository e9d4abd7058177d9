import { boxAt } from '../boxes.ts';
import { Cursor } from '../cursor.ts';
import type { ByteRange } from '../facts.ts';
import { ALPHA_TYPES, ITEM_WORK, type Item, ItemTable } from './items.ts';
import { type FirstFrame, readTracks, type Track } from './tracks.ts';

/** Most top-level boxes of a file examined for the picture. */
const MAX_TOP_BOXES = 65_536;
/** Most tiles of a grid: rows and columns are stored in a byte each, ISO/IEC 23008-12 §6.6.2.3. */
const MAX_TILES = 65_536;

/** Bytes of a grid whose size is stored in 32 bits, ibid. */
const MOST_GRID_BYTES = 12;

/** layer_id of a picture that consists of all its layers, AVIF §2.3.2.2. */
const ALL_LAYERS = 0xffff;

/**
 * Most extents of all tiles of a picture, where a repeated tile counts each time: as many as a file may
 * declare at all. Reading a tile takes one step per extent.
 */
const MAX_TILE_EXTENTS = 131_072;

/** One AV1 bitstream in the file. */
export interface CodedImage {
  /** Where its bytes lie, in order, as declared: they may extend beyond the file. */
  readonly extents: readonly ByteRange[];
  /** Which of its layers are decoded (`a1op`, AVIF §2.3.2.1); 0 if not stated. */
  readonly operatingPoint: number;
  /** The layer that is the picture (`lsel`, ISO/IEC 23008-12 §6.5.11); −1 for the highest decoded layer. */
  readonly layer: number;
}

/** A picture as tiles, row by row; a single tile if it is not a grid. */
export interface CodedPicture {
  readonly columns: number;
  readonly rows: number;
  readonly tiles: readonly CodedImage[];
  /** Of the whole picture in pixels, according to the container: tiles may extend beyond it. */
  readonly width: number;
  readonly height: number;
  /** It is a grid, even if of one tile: tiles may be larger than the picture. */
  readonly isGrid?: true;
}

/** The main picture of an AVIF. */
export interface AvifPicture {
  readonly colour: CodedPicture;
  readonly alpha?: CodedPicture | undefined;
  /** Red, green and blue are stored multiplied with alpha. */
  readonly premultiplied: boolean;
}

/** Why there is no picture: a phrase to follow "it" or "the AVIF". */
export interface NoPicture {
  readonly defect: string;
}

/**
 * Finds the picture of a complete file, for decoders. This and the other searches here yield as scanners do.
 */
export function* findPicture(bytes: Uint8Array): Generator<number, AvifPicture | NoPicture> {
  const cursor = Cursor.unlimited(bytes);
  let table: ItemTable | null = null;
  let tracks: readonly Track[] = [];
  let at = 0;
  for (let n = 0; n < MAX_TOP_BOXES && at < cursor.length; n++) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    const box = boxAt(cursor, at, cursor.length);
    if (box === null) break;
    const inside = { ...box, end: Math.min(box.end, cursor.length) };
    if (box.type === 'meta' && table === null) {
      table = new ItemTable(cursor);
      yield* table.read(inside);
    } else if (box.type === 'moov') tracks = yield* readTracks(cursor, inside);
    at = box.end;
  }
  const track = trackOf(cursor, table, tracks);
  return track ? pictureOfTracks(track, tracks) : yield* pictureOfItems(table);
}

/**
 * The track whose first frame is the picture; undefined if the primary item is the picture. Same choice as
 * libavif: the first picture track, if the major brand says that the file is a sequence or there is no
 * primary item.
 */
export function trackOf(
  cursor: Cursor,
  table: ItemTable | null,
  tracks: readonly Track[],
): Track | undefined {
  const track = tracks.find(({ handler }) => handler === 'pict');
  const isSequence = cursor.matches(4, 'ftypavis') && track?.frame !== undefined;
  return isSequence || !table?.items.has(table.primary) ? track : undefined;
}

/**
 * The picture of the primary item. Declarations are not judged here, readers do that: a missing `pixi` or
 * `ispe` and duplicate associations are accepted.
 */
export function* pictureOfItems(table: ItemTable | null): Generator<number, AvifPicture | NoPicture> {
  if (!table?.items.has(table.primary)) return { defect: 'has no primary image item' };
  const id = table.primary;
  const colour = yield* codedPicture(table, id);
  if ('defect' in colour) return colour;
  const alphaItem = table.alphas.get(id);
  const alpha = yield* alphaItem === undefined
    ? alphaOfTiles(table, id, colour)
    : codedPicture(table, alphaItem);
  if (alpha && 'defect' in alpha) return { defect: `${alpha.defect}, as its alpha` };
  const premultiplied = table.references.some(
    ({ type, from, to }) =>
      type === 'prem' && from === id && alphaItem !== undefined && to.includes(alphaItem),
  );
  return { colour, alpha, premultiplied };
}

/** The alpha of a grid whose tiles have an alpha each while the grid itself has none. */
function* alphaOfTiles(
  table: ItemTable,
  id: number,
  colour: CodedPicture,
): Generator<number, CodedPicture | NoPicture | undefined> {
  if (table.items.get(id)?.type !== 'grid') return undefined;
  const alphas = tileItems(table, id)
    .slice(0, colour.tiles.length)
    .map((tile) => table.alphas.get(tile));
  if (alphas.some((alpha) => alpha === undefined)) return undefined;
  const tiles = yield* codedTiles(table, alphas as number[]);
  return 'defect' in tiles ? tiles : { ...colour, tiles };
}

/** The bitstreams of these items; repeated items share one object. */
function* codedTiles(
  table: ItemTable,
  items: readonly number[],
): Generator<number, readonly CodedImage[] | NoPicture> {
  const known = new Map<number, CodedImage>();
  const tiles: CodedImage[] = [];
  let extents = 0;
  const { meter } = table.cursor;
  for (const item of items) {
    meter.work(ITEM_WORK);
    if (meter.isDue) yield meter.pause();
    const tile = known.get(item) ?? codedImage(table, item);
    if ('defect' in tile) return tile;
    known.set(item, tile);
    extents += tile.extents.length;
    if (extents > MAX_TILE_EXTENTS) return { defect: 'has a grid whose tiles lie in too many pieces' };
    tiles.push(tile);
  }
  return tiles;
}

/**
 * Items that another item is derived from, in the order of its reference, which is also the order of a grid's
 * tiles.
 */
const tileItems = (table: ItemTable, id: number): readonly number[] =>
  table.references.find(({ type, from }) => type === 'dimg' && from === id)?.to ?? [];

function* codedPicture(table: ItemTable, id: number): Generator<number, CodedPicture | NoPicture> {
  const item = table.items.get(id);
  const { width, height } = sizeOf(table, id);
  if (item?.type === 'grid') return yield* gridPicture(table, id, item);
  const image = codedImage(table, id);
  return 'defect' in image ? image : { columns: 1, rows: 1, tiles: [image], width, height };
}

function codedImage(table: ItemTable, id: number): CodedImage | NoPicture {
  const item = table.items.get(id);
  if (item === undefined || item.type === '') return { defect: `has no image item ${id}` };
  if (item.type !== 'av01') return { defect: `has an image item of type ${item.type} in place of av01` };
  if (!item.extents?.length) return { defect: `does not say where its image item ${id} lies` };
  const choice = table.propertiesOf(id, 'a1op')[0];
  const operatingPoint = choice ? Math.max(0, table.cursor.u8(choice.body)) : 0;
  const selector = table.propertiesOf(id, 'lsel')[0];
  const layer = selector ? table.cursor.u16(selector.body) : ALL_LAYERS;
  return { extents: item.extents, operatingPoint, layer: layer === ALL_LAYERS ? -1 : layer };
}

/** `ispe`, ISO/IEC 23008-12 §6.5.3; 0 if absent. */
function sizeOf(table: ItemTable, id: number): { width: number; height: number } {
  const size = table.propertiesOf(id, 'ispe')[0];
  if (!size) return { width: 0, height: 0 };
  const { cursor } = table;
  return { width: Math.max(0, cursor.u32(size.body + 4)), height: Math.max(0, cursor.u32(size.body + 8)) };
}

/** ImageGrid, ISO/IEC 23008-12 §6.6.2.3: version, flags, rows − 1, columns − 1, size in 16 or 32 bits. */
function* gridPicture(table: ItemTable, id: number, item: Item): Generator<number, CodedPicture | NoPicture> {
  const cursor = beginning(table.cursor, item.extents ?? [], MOST_GRID_BYTES);
  if (cursor.u8(0) !== 0) return { defect: 'has a grid that cannot be read' };
  const bytes = (cursor.u8(1) & 1) === 1 ? 4 : 2;
  const rows = cursor.u8(2) + 1;
  const columns = cursor.u8(3) + 1;
  const width = cursor.unsigned(4, bytes);
  const height = cursor.unsigned(4 + bytes, bytes);
  if (rows < 1 || columns < 1 || width < 1 || height < 1) return { defect: 'has a grid that cannot be read' };
  const items = tileItems(table, id);
  const count = Math.min(rows * columns, MAX_TILES);
  if (items.length < count)
    return { defect: `has a grid of ${rows} × ${columns} tiles, of which ${items.length} are there` };
  const tiles = yield* codedTiles(table, items.slice(0, count));
  return 'defect' in tiles ? tiles : { columns, rows, tiles, width, height, isGrid: true };
}

/** The first bytes of an item, which may lie in several extents. */
function beginning(cursor: Cursor, extents: readonly ByteRange[], most: number): Cursor {
  const found: number[] = [];
  for (const { start, end } of extents) {
    const piece = cursor.span(start, Math.min(end, start + most - found.length));
    if (piece === null) break;
    found.push(...piece);
    if (found.length === most) break;
  }
  return Cursor.unlimited(Uint8Array.from(found));
}

/** The first frame of a track. */
export function pictureOfTracks(track: Track, tracks: readonly Track[]): AvifPicture | NoPicture {
  const colour = firstFrame(track);
  if ('defect' in colour) return colour;
  const alphaTrack = tracks.find(
    ({ auxiliary, auxiliaryOf }) => auxiliaryOf.includes(track.id) && ALPHA_TYPES.includes(auxiliary),
  );
  const alpha = alphaTrack && firstFrame(alphaTrack);
  if (alpha && 'defect' in alpha) return alpha;
  const premultiplied = alphaTrack !== undefined && track.premultipliedBy.includes(alphaTrack.id);
  return { colour, alpha, premultiplied };
}

function firstFrame({ frame, width, height }: Track): CodedPicture | NoPicture {
  if (frame === undefined) return { defect: 'does not say where its first frame lies' };
  const tile: CodedImage = { extents: [placeOf(frame)], operatingPoint: 0, layer: -1 };
  return { columns: 1, rows: 1, tiles: [tile], width, height };
}

const placeOf = ({ offset, length }: FirstFrame): ByteRange => ({ start: offset, end: offset + length });
