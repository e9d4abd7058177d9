import { InflateStream } from '../../core/deflate/inflate.ts';
import type { Core } from '../../core/instance.ts';
import { decodingFault, Fault } from '../../faults.ts';
import { rowsOfStrip, rowsWork } from '../../scheduling/work.ts';
import type { Size, Work } from '../types.ts';
import { PASSES, type Pass, passSize } from './adam7.ts';
import { ImageData } from './chunks.ts';
import type { PngBuffers } from './cost.ts';
import { rowBytes } from './expansion.ts';
import type { PngHeader } from './header.ts';
import { PassRows, type PlaceRow, type RowSource } from './pass_rows.ts';

/**
 * Rows of an Adam7 image without holding its passes: one inflate stream seeks the start of each pass and is
 * cloned there. Then every row is assembled from the streams of its passes, which are read side by side. All
 * passes but the last are inflated twice (half of the image). Memory is one stream and two rows per pass.
 * Yields work while it seeks.
 */
export function* interlacedSource(
  core: Core,
  bytes: Uint8Array,
  header: PngHeader,
  buffers: PngBuffers,
  place: PlaceRow,
): Generator<Work, RowSource> {
  let data = new ImageData(bytes, header.dataAt, header.isChecked);
  const read = [data];
  let stream = new InflateStream(core, data, 'zlib');

  const present = PASSES.map((pass, i) => ({ pass, number: i + 1, size: passSize(pass, header) })).filter(
    ({ size }) => size.width > 0 && size.height > 0,
  );
  const passes: (Pass & { readonly width: number; readonly rows: PassRows })[] = [];
  for (const [i, { pass, number, size }] of present.entries()) {
    const name = (row: number) => `row ${row} of ${size.height} of interlace pass ${number}`;
    const rows = new PassRows(
      core,
      header,
      stream,
      size.width,
      { filtered: buffers.filtered, rows: buffers.rows[i]! },
      name,
    );
    if (i < present.length - 1) {
      data = data.clone();
      read.push(data);
      stream = new InflateStream(core, data, stream);
      yield* skipPass(stream, data, rowBytes(header.colourType, header.depth, size.width) + 1, size, name);
    }
    passes.push({ ...pass, width: size.width, rows });
  }

  return {
    row(y, out) {
      for (const pass of passes) {
        if (y < pass.y || (y - pass.y) % pass.stepY !== 0) continue;
        place(pass.rows.next(), out, pass);
      }
    },
    takeWork: () => read.reduce((work, each) => work + each.takeWork(), 0),
    last: { stream, data },
  };
}

function* skipPass(
  stream: InflateStream,
  data: ImageData,
  row: number,
  { width, height }: Size,
  name: (row: number) => string,
): Generator<Work> {
  let done = 0;
  while (done < height) {
    const rows = rowsOfStrip(width, height - done);
    let why = 'its data ends there';
    let skipped = 0;
    try {
      skipped = stream.skip(row * rows);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      why = error.message;
      skipped = stream.skipped;
    }
    if (skipped < row * rows) {
      throw decodingFault(`The PNG is damaged at ${name(done + Math.floor(skipped / row))}: ${why}`);
    }
    done += rows;
    yield rowsWork(rows, width) + data.takeWork();
  }
}
