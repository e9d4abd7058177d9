import type { Cursor } from '../cursor.ts';
import { joinWindows, MAX_JOINED } from '../join.ts';
import type { Payload } from '../payloads.ts';
import { RdfReader } from './rdf.ts';
import type { ValuesDraft } from './values_draft.ts';
import { XmpFields } from './xmp_fields.ts';

/** How many times longer it takes to recode a byte than to search it. */
const RECODED_BYTE_WORK = 8;

/** Reads an XMP packet, whole or in pieces, in UTF-8 or UTF-16; yields as scanners do. */
export function* readXmp({ windows }: Payload, draft: ValuesDraft): Generator<number, void> {
  const joined = joinWindows(windows, MAX_JOINED);
  if (joined?.cut) draft.cut = true;
  const packet = joined && inUtf8(joined.window, draft);
  if (!packet) return;
  const fields = new XmpFields(draft);
  // the reader skips what precedes the packet by searching for the first tag
  const count = () => draft.structures(1);
  const reader = new RdfReader(packet, (path, items, text) => fields.take(path, items, text), count);
  const isWhole = yield* reader.read();
  fields.finish();
  if (!isWhole && !draft.hasPosition) yield* searchCoordinates(packet, draft);
}

/** The packet in UTF-8. In UTF-16 every other byte of markup is 0, and there may be a byte order mark. */
function inUtf8(packet: Cursor, draft: ValuesDraft): Cursor | null {
  const first = packet.u8(0);
  const second = packet.u8(1);
  const big = first === 0 || (first === 0xfe && second === 0xff);
  const little = second === 0 || (first === 0xff && second === 0xfe);
  if (!big && !little) return packet;
  const bytes = packet.span(0, draft.recodable(packet.length) & ~1);
  if (bytes === null) return null;
  packet.meter.work(RECODED_BYTE_WORK * bytes.length);
  const text = new TextDecoder(big ? 'utf-16be' : 'utf-16le').decode(bytes);
  return packet.unpacked(new TextEncoder().encode(text), { start: 0, end: 0 });
}

/** The property by which a packet that can't be read to its end still tells that it has a place. */
const COORDINATE = 'Latitude';

/** Even a malformed packet can reveal where somebody was: what it holds is told, as unreadable. */
function* searchCoordinates(packet: Cursor, draft: ValuesDraft): Generator<number, void> {
  for (let at = 0; at >= 0; ) {
    at = yield* packet.search(COORDINATE, at);
    const isProperty = at >= 3 && (packet.matches(at - 3, 'GPS') || packet.matches(at - 3, 'Gps'));
    if (isProperty) {
      draft.position({ kind: 'camera', block: 'xmp', field: 'GPSLatitude' }, Number.NaN, Number.NaN);
      return;
    }
    if (at >= 0) at += COORDINATE.length;
  }
}
