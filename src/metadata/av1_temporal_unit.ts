import { leb128 } from './av1.ts';
import { Cursor } from './cursor.ts';

/** `obu_type`, AV1 specification §6.2.2. */
const SEQUENCE_HEADER = 1;
const TEMPORAL_DELIMITER = 2;
const FRAME_HEADER = 3;
const TILE_GROUP = 4;
const FRAME = 6;

/** Units that are looked at; those of one picture are few. */
const MAX_UNITS = 1024;

/** What of an AV1 bitstream its first picture is made of. */
export interface TemporalUnit {
  /**
   * Pieces of the bitstream: the first sequence header, then all frames and their tiles up to the end of the
   * temporal unit. Sequence headers behind the first, which could state other sizes, are left out, as are
   * units that no picture needs.
   */
  readonly pieces: readonly Uint8Array[];
  /** Frame headers, those that show a frame again counted, too. */
  readonly frames: number;
  /** All units were looked at, and each lies inside the bitstream. */
  readonly whole: boolean;
}

/** The first temporal unit that has a frame. Source: AV1 specification §5.3, §7.5. */
export function firstTemporalUnit(stream: Uint8Array): TemporalUnit {
  const cursor = Cursor.unlimited(stream);
  const pieces: Uint8Array[] = [];
  let [at, headers, frames] = [0, 0, 0];
  for (let n = 0; n < MAX_UNITS && at < stream.length; n++) {
    const { type, end } = unitAt(cursor, at);
    if (end > stream.length) break;
    if (type === TEMPORAL_DELIMITER && frames > 0) return { pieces, frames, whole: true };
    if (type === SEQUENCE_HEADER) headers += 1;
    if (type === FRAME_HEADER || type === FRAME) frames += 1;
    const isPart = type === FRAME_HEADER || type === TILE_GROUP || type === FRAME;
    if (isPart || (type === SEQUENCE_HEADER && headers === 1)) pieces.push(stream.subarray(at, end));
    at = end;
  }
  return { pieces, frames, whole: at === stream.length };
}

/** The unit at `at`: where it ends, perhaps beyond the bitstream. */
function unitAt(cursor: Cursor, at: number): { readonly type: number; readonly end: number } {
  const first = cursor.u8(at);
  const type = (first >> 3) & 15;
  const from = at + ((first & 4) === 0 ? 1 : 2);
  // A unit without a size reaches to the end.
  if ((first & 2) === 0) return { type, end: Math.max(from, cursor.length) };
  const { value, bytes } = leb128(cursor, from);
  return { type, end: from + bytes + value };
}
