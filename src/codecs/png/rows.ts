import { InflateStream } from '../../core/deflate/inflate.ts';
import type { Core } from '../../core/instance.ts';
import { decodingFault } from '../../faults.ts';
import { Cursor } from '../../metadata/cursor.ts';
import type { Strip, Strip16, Work } from '../types.ts';
import { chunksFrom, ImageData, soundData } from './chunks.ts';
import { allocateBuffers, type PngBuffers, stripRows } from './cost.ts';
import { expansion } from './expansion.ts';
import { ColourType, type PngHeader } from './header.ts';
import { interlacedSource } from './interlaced.ts';
import { PassRows, type PlaceRow, type RowSource } from './pass_rows.ts';
import { expansion16 } from './samples16.ts';

/** Reads the image from top to bottom. All memory is reserved before the first row. */
export function* readStrips(core: Core, bytes: Uint8Array, header: PngHeader): Generator<Strip | Work> {
  const { width, height } = header;
  const buffers = allocateBuffers(core, header);
  const source = header.interlaced
    ? yield* interlacedSource(core, bytes, header, buffers, scatter(core, header, buffers))
    : plainSource(core, bytes, header, buffers);
  const most = stripRows(header);
  const stride = width * 4;
  for (let y = 0; y < height; y += most) {
    const rows = Math.min(most, height - y);
    if (core.disposed) throw new Error('This PNG was closed while it was read');
    for (let i = 0; i < rows; i++) source.row(y + i, buffers.strip + i * stride);
    source.endStrip?.(buffers.strip + (rows - 1) * stride);
    if (y + rows === height) yield* finish(bytes, source, height);
    yield { y, rows, pixels: core.view(buffers.strip, rows * stride) };
    yield source.takeWork();
  }
}

/** As `readStrips`, with all 16 bits of each sample, for images of depth 16. */
export function* readStrips16(core: Core, bytes: Uint8Array, header: PngHeader): Generator<Strip16 | Work> {
  const { width, height } = header;
  const buffers = allocateBuffers(core, header);
  const most = stripRows(header);
  const stride = width * 4;
  const samples = new Uint16Array(most * stride);
  const place = expansion16(core, header, samples);
  const source = header.interlaced
    ? yield* interlacedSource(core, bytes, header, buffers, place)
    : source16(core, bytes, header, buffers, place);
  for (let y = 0; y < height; y += most) {
    const rows = Math.min(most, height - y);
    if (core.disposed) throw new Error('This PNG was closed while it was read');
    for (let i = 0; i < rows; i++) source.row(y + i, i * stride);
    if (y + rows === height) yield* finish(bytes, source, height);
    yield { y, rows, samples: samples.subarray(0, rows * stride) };
    yield source.takeWork();
  }
}

/** Writes rows of an interlace pass as RGBA, spread over the image's rows. */
function scatter(core: Core, header: PngHeader, { rgba, table }: PngBuffers): PlaceRow {
  const expand = expansion(core, header, table);
  return (row, out, { x, stepX, width }) => {
    expand(row, rgba, width);
    core.exports.pngScatter(rgba, out + x * 4, width, stepX);
  };
}

/** The rows of an image that is not interlaced, and the stream that they come from. */
function plainRows(core: Core, bytes: Uint8Array, header: PngHeader, buffers: PngBuffers) {
  const data = new ImageData(bytes, header.dataAt, header.isChecked);
  const stream = new InflateStream(core, data, 'zlib');
  const name = (row: number) => `row ${row} of ${header.height}`;
  const rows = new PassRows(
    core,
    header,
    stream,
    header.width,
    { filtered: buffers.filtered, rows: buffers.rows[0]! },
    name,
  );
  return { rows, takeWork: () => data.takeWork(), last: { stream, data } };
}

function plainSource(core: Core, bytes: Uint8Array, header: PngHeader, buffers: PngBuffers): RowSource {
  const { rows, ...source } = plainRows(core, bytes, header, buffers);
  const plainRgb = header.colourType === ColourType.rgb && !header.transparency;
  if (header.depth === 8 && (plainRgb || header.colourType === ColourType.rgba)) {
    return { ...directRows(core, header, rows, buffers, plainRgb), ...source };
  }
  const expand = expansion(core, header, buffers.table);
  return { row: (_, out) => expand(rows.next(), out, header.width), ...source };
}

function source16(
  core: Core,
  bytes: Uint8Array,
  header: PngHeader,
  buffers: PngBuffers,
  place: PlaceRow,
): RowSource {
  const { rows, ...source } = plainRows(core, bytes, header, buffers);
  const whole = { x: 0, stepX: 1, width: header.width };
  return { row: (_, out) => place(rows.next(), out, whole), ...source };
}

/**
 * 8-bit RGB and RGBA are reconstructed in the strip itself: the row above is the strip's, or a copy of the
 * previous strip's last row.
 */
function directRows(core: Core, { width }: PngHeader, rows: PassRows, buffers: PngBuffers, rgb: boolean) {
  const { exports } = core;
  const stride = width * 4;
  const filtered = buffers.filtered + 1;
  return {
    row(_: number, out: number): void {
      const above = out === buffers.strip ? buffers.rgba : out - stride;
      const filter = rows.pull();
      const wrong = rgb
        ? exports.pngUnfilterRgb(filter, filtered, above, out, width)
        : exports.pngUnfilter(filter, filtered, above, out, stride, 4);
      if (wrong) throw rows.unknownFilter(filter);
    },
    endStrip(lastRow: number): void {
      core.view(buffers.rgba, stride).set(core.view(lastRow, stride));
    },
  };
}

/** Work of chunks of image data beyond the last row between two yields, in pixels: half a millisecond. */
const EXCESS_WORK = 65_536;

/**
 * After the last row, the zlib stream must end without an error, and an IEND chunk must follow. Surplus image
 * data, and anything after IEND, is tolerated, as by libpng. Yields work on the way.
 */
function* finish(bytes: Uint8Array, { last }: RowSource, height: number): Generator<Work, void> {
  const where = `after row ${height} of ${height}`;
  try {
    last.stream.skip(1);
    let work = 0;
    for (const _ of last.data) {
      work += last.data.takeWork();
      if (work < EXCESS_WORK) continue;
      yield work;
      work = 0;
    }
  } catch (error) {
    throw decodingFault(`The PNG is damaged ${where}: ${(error as Error).message}`);
  }
  const file = Cursor.unlimited(bytes);
  for (const chunk of chunksFrom(file, last.data.end)) {
    if (typeof chunk === 'number') yield chunk;
    else if (chunk.truncated) break;
    else if (chunk.type === 'IEND') {
      if (!soundData(file, chunk)) throw decodingFault("The PNG's IEND chunk is damaged");
      return;
    }
  }
  throw decodingFault(`The PNG ends ${where}, without an IEND chunk`);
}
