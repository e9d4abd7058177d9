import { Cursor } from '../cursor.ts';
import { UnitType, unitAt } from './av1_units.ts';

/** Most units examined; one picture has few. */
const MAX_UNITS = 1024;

/** The parts of an AV1 bitstream that make up its first picture. */
export interface TemporalUnit {
  /**
   * Pieces of the bitstream: the sequence header, once, then all frames and their tiles up to the end of the
   * temporal unit. Units that the picture does not need are left out.
   */
  readonly pieces: readonly Uint8Array[];
  /** Number of frame headers, including those that show a frame again. */
  readonly frames: number;
  /**
   * Why decoders could show different pictures, or none; a phrase to follow "the AV1 data". Possible reasons:
   * not all units were examined, or one extends beyond the bitstream; sequence headers differ (§7.5 demands
   * identical bits: some decoders use the first, others the last); a frame's layer is not higher than that of
   * the frame before (libaom shows the last frame, dav1d that of the highest layer).
   */
  readonly defect?: string;
}

const CUT = 'are truncated or have too many units';
const HEADERS_DIFFER = 'have sequence headers that differ';
const UNORDERED = 'have layers that do not ascend';

/** The first temporal unit that has a frame. Source: AV1 specification §5.3, §7.5. */
export function firstTemporalUnit(stream: Uint8Array): TemporalUnit {
  const cursor = Cursor.unlimited(stream);
  const pieces: Uint8Array[] = [];
  let sequence: Uint8Array | undefined;
  let defect: string | undefined;
  let [at, frames, highest] = [0, 0, -1];
  const found = () => ({ pieces, frames, ...(defect !== undefined && { defect }) });
  for (let n = 0; n < MAX_UNITS && at < stream.length; n++) {
    const { type, layer, payload, end } = unitAt(cursor, at);
    if (end > stream.length) break;
    if (type === UnitType.temporalDelimiter && frames > 0) return found();
    if (type === UnitType.sequenceHeader) {
      const header = stream.subarray(payload, end);
      if (sequence && !isSame(sequence, header)) defect ??= HEADERS_DIFFER;
      if (!sequence) pieces.push(stream.subarray(at, end));
      sequence ??= header;
    } else if (type === UnitType.frameHeader || type === UnitType.frame) {
      frames += 1;
      if (layer <= highest) defect ??= UNORDERED;
      highest = layer;
    }
    if (type === UnitType.frameHeader || type === UnitType.tileGroup || type === UnitType.frame)
      pieces.push(stream.subarray(at, end));
    at = end;
  }
  if (at !== stream.length) defect = CUT;
  return found();
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, i) => byte === other[i]);
