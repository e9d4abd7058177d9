import type { Cursor } from '../cursor.ts';
import type { FileFacts } from '../facts.ts';
import type { Payload, PayloadKind, Payloads } from '../payloads.ts';
import { resultOf } from '../scan_as.ts';
import { readC2pa } from './c2pa.ts';
import { readComment } from './comments.ts';
import { readExif } from './exif.ts';
import { readIptc } from './iptc.ts';
import { PngTextReader, readPngTime } from './png_text.ts';
import { MAX_THUMBNAIL_BYTES, type Picture, readMpf, readThumbnail } from './thumbnails.ts';
import type { Values } from './values.ts';
import { ValuesDraft } from './values_draft.ts';
import { readXmp } from './xmp.ts';

/** What `readValues` may be asked to include. */
export interface ReadOptions {
  /** Whether to return the thumbnails themselves. */
  readonly thumbnails?: boolean;
}

/**
 * Reads what the metadata of a file say, as texts and numbers. Pure, and bounded like the scan: it reads only
 * what the scan found, each byte a few times at most, and never throws because of the file's content.
 * @param cursor that of the scan, over the whole file; gets a full allowance of reads once more
 * @param payloads what the scan found
 * @throws Fault 'limit' if there is no memory to inflate a compressed text of a PNG
 */
export const readValues = (
  cursor: Cursor,
  facts: FileFacts,
  payloads: Payloads,
  options?: ReadOptions,
): Values => resultOf(readValuesInParts(cursor, facts, payloads, options));

/** Like `readValues`, but yields as scanners do, so that other jobs can run. */
export function* readValuesInParts(
  cursor: Cursor,
  facts: FileFacts,
  payloads: Payloads,
  { thumbnails = false }: ReadOptions = {},
): Generator<number, Values> {
  const { meter } = cursor;
  meter.renew();
  const draft = new ValuesDraft();
  const { width, height } = facts;
  const picture: Picture = { width, height, wanted: thumbnails, allowance: MAX_THUMBNAIL_BYTES };
  const reading = { file: cursor, picture, texts: new PngTextReader(draft), draft };
  if (payloads.cut.size > 0) draft.cut = true;
  for (const payload of payloads.found) {
    const [window] = payload.windows;
    const parts = window && READERS[payload.kind](window, payload, reading);
    if (parts) yield* parts;
    if (meter.isDue) yield meter.pause();
  }
  if (meter.spent) draft.cut = true;
  return draft.finish();
}

/** What the readers share while one file is read. */
interface Reading {
  readonly file: Cursor;
  readonly picture: Picture;
  readonly texts: PngTextReader;
  readonly draft: ValuesDraft;
}

type Reader = (window: Cursor, payload: Payload, reading: Reading) => Generator<number, void> | void;

/**
 * One reader per kind of payload, as a generator if it may take long; `window` is the first of the payload's
 * windows, and usually the only one.
 */
const READERS: Record<PayloadKind, Reader> = {
  exif: (window, _, { picture, draft }) => readExif(window, false, picture, draft),
  tiff_file: (window, _, { picture, draft }) => readExif(window, true, picture, draft),
  xmp: (_, payload, { draft }) => readXmp(payload, draft),
  iptc: (window, { label }, { draft }) => readIptc(window, label, draft),
  comment: (_, payload, { draft }) => readComment(payload, draft),
  png_text: (window, { label }, { texts }) => texts.read(window, label),
  png_time: (window, _, { draft }) => readPngTime(window, draft),
  c2pa: (_, payload, { draft }) => readC2pa(payload, draft),
  mpf: (window, _, { file, picture, draft }) => readMpf(window, file, picture, draft),
  jfif_thumbnail: (_, payload, { picture, draft }) => readThumbnail(payload, picture, draft),
  jfxx_thumbnail: (_, payload, { picture, draft }) => readThumbnail(payload, picture, draft),
  photoshop_thumbnail: (_, payload, { picture, draft }) => readThumbnail(payload, picture, draft),
  item_thumbnail: (_, payload, { picture, draft }) => readThumbnail(payload, picture, draft),
};
