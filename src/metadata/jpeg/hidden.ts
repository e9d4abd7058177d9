import { MAX_PIXELS } from '../../vocabulary.ts';
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
/** Frames in Huffman codes that are no hierarchy's: sequential and progressive. */
const FRAMES = [0xc0, 0xc1, PROGRESSIVE];

/** Scans that are looked at: libjpeg writes 10, scripts of others rarely more than 20. */
const MAX_SCANS = 32;
/** Blocks that are passed over: ten scans of 50 megapixels without subsampling have 13 million. */
const MAX_BLOCKS = 16_000_000;
/** Places that are kept apart; further ones join the last. */
const MAX_PLACES = 256;
/** Bytes that are searched in the time of a segment, and of a byte of a Huffman code's definition. */
const SEGMENT = 512;
const CODE_BYTE = 256;
/** Of a block whose coefficients are known: a bit each. */
const BYTES_A_BLOCK = 8;

const isLookedAt = ({ format, complete, width, height }: FileFacts): boolean =>
  format === 'jpeg' && complete && width * height <= MAX_PIXELS;

/**
 * Bytes that looking for hidden data takes beside the file: a progressive picture's refining scans are read
 * by what earlier ones have said of each coefficient.
 */
export function hiddenDataCost(facts: FileFacts): number {
  const { progressive, width, height, jpeg } = facts;
  if (!progressive || !jpeg || !isLookedAt(facts)) return 0;
  return blocksOf(width, height, jpeg.sampling).reduce((sum, blocks) => sum + BYTES_A_BLOCK * blocks, 0);
}

/**
 * Looks for bytes inside a JPEG's entropy-coded data that no MCU needs: behind the last of a scan, and of a
 * restart interval. Decoders pass over them, so anything can be hidden there. Bits that fill up a byte and
 * fill bytes (ITU-T T.81 F.1.2.3, B.1.1.2) are none of them. What cannot be followed (arithmetic codes,
 * corrupt data, tables that are left out, very many scans) is not looked at, nor what comes after it. Takes
 * time linear in the file and the picture.
 * @param facts of the file; nothing is found in what is no whole JPEG
 * @yields as scanners do
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
      // Of several the first counts, as for the scanner.
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
