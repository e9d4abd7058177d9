import { av1DecoderNeeds, type CodedHead, type DecoderNeeds } from '../../core/av1/memory.ts';
import type { Box } from '../boxes.ts';
import { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import type { Av1Coding, PredictedLayers } from '../facts.ts';
import { av1Head } from './av1_head.ts';
import { type Av1Sequence, av1Sequence } from './av1_sequence.ts';
import { firstTemporalUnit } from './av1_temporal_unit.ts';
import type { AvifPicture, CodedImage, CodedPicture } from './coded_picture.ts';
import { type ItemTable, LOOKUP_WORK } from './items.ts';
import type { Track } from './tracks.ts';

/**
 * Most tiles whose headers are read to predict the memory of decoding. No picture of 50 megapixels has more;
 * further tiles must not need more than these.
 */
const MAX_MEASURED_TILES = 256;
/** Work of reading the headers of a tile in a core, in bytes searched. */
const TILE_HEADER_WORK = 500_000;

/** Codes of ITU-T H.273. */
const UNSPECIFIED = 2;
const IDENTITY = 0;

/** Writes what the properties of the primary item say about size, depth, alpha and colour. */
export function describePicture(cursor: Cursor, table: ItemTable, draft: FactsDraft): void {
  const id = table.primary;
  const size = table.propertiesOf(id, 'ispe')[0];
  if (size) {
    draft.width = Math.max(0, cursor.u32(size.body + 4));
    draft.height = Math.max(0, cursor.u32(size.body + 8));
  }
  describeSamples(cursor, table, draft);
  for (const box of table.propertiesOf(id, 'colr')) describeColour(cursor, box, draft);
  for (const box of table.propertiesOf(id, 'clli', 'mdcv')) describePeak(cursor, box, draft);
}

/**
 * ContentLightLevelBox: max_content_light_level comes first. MasteringDisplayColourVolumeBox: the maximum
 * luminance follows the primaries and the white point, in units of 0.0001 (ISO/IEC 14496-12, as properties of
 * ISO/IEC 23008-12 §6.5).
 */
function describePeak(cursor: Cursor, { type, body, end }: Box, { peaks }: FactsDraft): void {
  if (type === 'clli' && end - body >= 4) peaks.content ||= Math.max(0, cursor.u16(body));
  if (type === 'mdcv' && end - body >= 24) peaks.display ||= Math.max(0, cursor.u32(body + 16)) / 10_000;
}

/**
 * Bit depth and channels from `pixi`, or else from the codec configuration of the item or of the first item
 * that it is derived from.
 */
function describeSamples(cursor: Cursor, table: ItemTable, draft: FactsDraft): void {
  const id = table.primary;
  const source = table.references.find(({ type, from }) => type === 'dimg' && from === id)?.to[0];
  const configuration =
    table.propertiesOf(id, 'av1C')[0] ??
    (source === undefined ? undefined : table.propertiesOf(source, 'av1C')[0]);
  const pixels = table.propertiesOf(id, 'pixi')[0];
  let monochrome = false;
  if (configuration) monochrome = describeConfiguration(cursor, configuration, draft);
  else if (pixels) {
    draft.bitDepth = Math.max(1, cursor.u8(pixels.body + 5));
    monochrome = cursor.u8(pixels.body + 4) === 1;
  }
  draft.hasAlpha = table.alphas.has(id);
  draft.colour = monochrome ? 'grey' : 'ycbcr';
  draft.channels = (monochrome ? 1 : 3) + (draft.hasAlpha ? 1 : 0);
}

/**
 * AV1-ISOBMFF §2.3.3: seq_tier, high_bitdepth, twelve_bit, monochrome, …
 * @returns whether the picture is monochrome
 */
function describeConfiguration(cursor: Cursor, { body }: Box, draft: FactsDraft): boolean {
  const flags = cursor.u8(body + 2);
  draft.bitDepth = (flags & 0x40) === 0 ? 8 : (flags & 0x20) === 0 ? 10 : 12;
  return (flags & 0x10) !== 0;
}

/**
 * `colr`, ISO/IEC 14496-12 §12.1.5: an ICC profile, or code points. If both are present, the ICC profile is
 * more exact.
 */
function describeColour(cursor: Cursor, { body, end }: Box, draft: FactsDraft): void {
  const kind = cursor.text(body, Math.min(body + 4, end), 4);
  if ((kind === 'prof' || kind === 'rICC') && end > body + 4) {
    draft.colorimetry.icc ??= { pieces: [{ start: body + 4, end }], encoding: 'raw' };
  }
  if (kind === 'nclx' && end - body >= 11) {
    const matrix = cursor.u16(body + 8);
    const fullRange = (cursor.u8(body + 10) & 0x80) !== 0;
    draft.colorimetry.codePoints ??= {
      primaries: cursor.u16(body + 4),
      transfer: cursor.u16(body + 6),
      matrix,
      fullRange,
    };
    if (matrix === 0 && draft.colour === 'ycbcr') draft.colour = 'rgb';
  }
}

/** Writes what a picture track says, for a file without a primary item. */
export function describeTrack(cursor: Cursor, track: Track, draft: FactsDraft): void {
  draft.width = track.width;
  draft.height = track.height;
  for (const box of track.properties) {
    if (box.type === 'av1C') draft.colour = describeConfiguration(cursor, box, draft) ? 'grey' : 'ycbcr';
    if (box.type === 'colr') describeColour(cursor, box, draft);
    if (box.type === 'clli' || box.type === 'mdcv') describePeak(cursor, box, draft);
  }
}

/**
 * Writes what the bitstreams say: their sample format, which determines the memory of decoding whatever the
 * container claims, and size and code points if the container does not state them.
 */
export function* describeBitstreams(
  cursor: Cursor,
  { colour, alpha }: AvifPicture,
  draft: FactsDraft,
): Generator<number, void> {
  draft.hasAlpha = alpha !== undefined;
  const measured = yield* measure(cursor, colour);
  const sequence = sequenceOf(measured);
  if (!sequence) return;
  const measuredAlpha = alpha && (yield* measure(cursor, alpha));
  const alphaSequence = measuredAlpha && sequenceOf(measuredAlpha);
  const predicted = predictedOf(measuredAlpha ? [measured, measuredAlpha] : [measured]);
  draft.avif = {
    colour: yield* layoutOf(cursor, measured, sequence),
    ...(alphaSequence && { alpha: yield* layoutOf(cursor, measuredAlpha, alphaSequence) }),
    ...(predicted && { predicted }),
  };
  const { depth, monochrome, codePoints } = sequence;
  draft.bitDepth = depth;
  const isStated = codePoints.primaries !== UNSPECIFIED || codePoints.transfer !== UNSPECIFIED;
  if (isStated) draft.colorimetry.codePoints ??= codePoints;
  const matrix = draft.colorimetry.codePoints?.matrix ?? codePoints.matrix;
  draft.colour = monochrome ? 'grey' : matrix === IDENTITY ? 'rgb' : 'ycbcr';
  draft.channels = (monochrome ? 1 : 3) + (alpha ? 1 : 0);
  if (draft.width === 0) draft.width = sequence.width;
  if (draft.height === 0) draft.height = sequence.height;
}

interface Measured {
  readonly picture: CodedPicture;
  /** Of the measured tiles. */
  readonly heads: readonly CodedHead[];
  readonly needs: DecoderNeeds;
}

/** A picture, the headers of its tiles, and what decoding it needs. Yields as scanners do. */
function* measure(cursor: Cursor, picture: CodedPicture): Generator<number, Measured> {
  const heads: CodedHead[] = [];
  let needs: DecoderNeeds = { decoderBytes: 0, predicted: false };
  for (const { extents, operatingPoint, layer } of new Set(picture.tiles.slice(0, MAX_MEASURED_TILES))) {
    const head = { data: av1Head(cursor, extents), operatingPoint, layer };
    heads.push(head);
    cursor.meter.work(TILE_HEADER_WORK);
    const { decoderBytes, predicted, bands } = av1DecoderNeeds([head]);
    needs = {
      decoderBytes: Math.max(needs.decoderBytes, decoderBytes),
      predicted: needs.predicted || predicted,
      ...(bands && { bands }),
    };
    if (cursor.meter.isDue) yield cursor.meter.pause();
  }
  return { picture, heads, needs };
}

/** The sequence header of the first tile; all tiles share it. */
function sequenceOf({ heads: [head] }: Measured): Av1Sequence | null {
  return head ? av1Sequence(Cursor.unlimited(head.data), 0, head.data.length) : null;
}

function* layoutOf(
  cursor: Cursor,
  { picture, needs: { decoderBytes, bands } }: Measured,
  sequence: Av1Sequence,
): Generator<number, Av1Coding> {
  const { columns, rows } = picture;
  const { width, height, depth, monochrome, subX, subY } = sequence;
  const shape = { columns, rows, width, height, depth, monochrome, subX, subY };
  const isBanded = bands && !picture.isGrid;
  const copiedBytes = yield* copiedBytesOf(cursor, picture);
  return { ...shape, decoderBytes, copiedBytes, ...(isBanded && { bands }) };
}

/** What the other decoder must read of colour and alpha. */
function predictedOf(pictures: readonly Measured[]): PredictedLayers | undefined {
  const isGrid = pictures.some(({ picture }) => picture.tiles.length > 1);
  if (isGrid || !pictures.some(({ needs }) => needs.predicted)) return undefined;
  return {
    frames: Math.max(...pictures.map(({ heads }) => firstTemporalUnit(heads[0]!.data).frames)),
    bytes: pictures.reduce((sum, { picture }) => sum + codedBytes(picture.tiles[0]!), 0),
  };
}

/** Bytes of all extents. */
export const codedBytes = ({ extents }: CodedImage): number =>
  extents.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0);

/** For a grid, the largest row of tiles: a tile may be repeated as often as fits in a row. */
function* copiedBytesOf(
  { meter }: Cursor,
  { columns, rows, tiles }: CodedPicture,
): Generator<number, number> {
  const [only] = tiles;
  if (tiles.length === 1) return only!.extents.length > 1 ? codedBytes(only!) : 0;
  let most = 0;
  for (let row = 0; row < rows; row++) {
    const inRow = tiles.slice(row * columns, (row + 1) * columns);
    most = Math.max(
      most,
      inRow.reduce((sum, tile) => sum + codedBytes(tile), 0),
    );
    meter.work(LOOKUP_WORK * inRow.reduce((sum, { extents }) => sum + 1 + extents.length, 0));
    if (meter.isDue) yield meter.pause();
  }
  return most;
}
