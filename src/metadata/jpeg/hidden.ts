import { MAX_PIXELS } from '../../vocabulary/vocabulary.ts';
import { Cursor } from '../cursor.ts';
import type { Block, FileFacts } from '../facts.ts';
import { type Frame, readCodes, readFrame, Scan } from './coded_scan.ts';
import type { HuffmanCode } from './entropy_reader.ts';
import { blocksOf } from './frame.ts';
import { isFrame, nextMarker, skipEntropyCoded } from './scanner.ts';

/** Marker codes, ITU-T T.81 table B.1. */
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DHT = 0xc4;
const DRI = 0xdd;
const PROGRESSIVE = 0xc2;
/** Huffman-coded frames that are not part of a hierarchy: sequential and progressive. */
const FRAMES = [0xc0, 0xc1, PROGRESSIVE];

/** Most scans examined: libjpeg writes 10, scripts of other encoders rarely more than 20. */
const MAX_SCANS = 32;
/** Most blocks skipped: ten scans of 50 megapixels without subsampling have 13 million. */
const MAX_BLOCKS = 16_000_000;
/** Most separate places; further ones are merged into the last. */
const MAX_PLACES = 256;
/** Work of a segment, and of a byte in a Huffman table definition, in bytes searched. */
const SEGMENT = 512;
const CODE_BYTE = 256;
/** For each block with known coefficients: one bit per coefficient. */
const BYTES_A_BLOCK = 8;

const isLookedAt = ({ format, complete, width, height }: FileFacts): boolean =>
  format === 'jpeg' && complete && width * height <= MAX_PIXELS;

/**
 * Bytes needed to look for hidden data, besides the file: to read the refining scans of a progressive
 * picture, the reader must know which coefficients earlier scans made nonzero.
 */
export function hiddenDataCost(facts: FileFacts): number {
  const { progressive, width, height, jpeg } = facts;
  if (!progressive || !jpeg || !isLookedAt(facts)) return 0;
  return blocksOf(width, height, jpeg.sampling).reduce((sum, blocks) => sum + BYTES_A_BLOCK * blocks, 0);
}

/**
 * Looks for bytes inside a JPEG's entropy-coded data that no MCU needs: after the last MCU of a scan or of a
 * restart interval. Decoders skip them, so anything can be hidden there. Padding bits and fill bytes (ITU-T
 * T.81 F.1.2.3, B.1.1.2) do not count. What cannot be followed (arithmetic codes, corrupt data, missing
 * tables, very many scans) is not examined, nor anything after it. Takes time linear in the file and the
 * picture.
 * @param facts of the file; nothing is found in a file that is not a complete JPEG @yields as scanners do
 */
export function* hiddenData(bytes: Uint8Array, facts: FileFacts): Generator<number, Block[]> {
  const places: Block[] = [];
  if (!isLookedAt(facts)) return places;
  const cursor = Cursor.unlimited(bytes);
  const codes = new Map<number, HuffmanCode>();
  let frame: Frame | null | undefined;
  let interval = 0;
  let blocks = 0;
  let at = 2;
  for (let scans = 0; scans < MAX_SCANS; ) {
    const { code } = yield* nextMarker(cursor, at);
    const marker = cursor.u8(code);
    if (code < 0 || marker === EOI) break;
    at = code + 1;
    if (marker >= 0xd0 && marker <= SOI) continue;
    const start = code + 3;
    const end = at + cursor.u16(at);
    at = Math.max(start, end);
    const body = bytes.subarray(start, end);
    cursor.meter.work(SEGMENT);
    if (marker === DHT) {
      cursor.meter.work(CODE_BYTE * body.length);
      readCodes(body, codes);
    } else if (marker === DRI) interval = cursor.u16(start);
    else if (isFrame(marker)) {
      // The first frame counts, as in the scanner.
      if (frame === undefined) {
        frame = FRAMES.includes(marker) ? readFrame(body, marker === PROGRESSIVE, facts) : null;
      }
    }
    if (marker !== SOS) continue;
    scans++;
    const scan = frame && Scan.open(bytes, body, frame, codes);
    at = yield* skipEntropyCoded(cursor, end);
    blocks += scan?.blocks ?? 0;
    const found = blocks <= MAX_BLOCKS && scan && (yield* scan.unused(end, at, interval));
    if (!found) break;
    for (const { start, end } of found) {
      const last = places.at(-1);
      if (last && places.length >= MAX_PLACES) places[places.length - 1] = { ...last, end };
      else places.push({ name: 'unknown', start, end });
    }
  }
  return places;
}
