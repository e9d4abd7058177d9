/**
 * The decoder's state: plain structs in linear memory, one Decoder per file, so that one core can have
 * several files open.
 */
import { alloc } from '../../memory';
import { COLOUR_CMYK, MAX_COMPONENTS } from './constants';
import * as JpegFault from './faults';

/** T.81 B.2.3: the most blocks in one MCU, summed over the scan's components. */
export const MAX_BLOCKS_IN_MCU: i32 = 10;
/**
 * The most MCU rows, summed over all scans. 50 megapixels of 4:4:4 in 12 scans take under 10,000; a file with
 * thousands of empty scans over a large frame is refused before anything is decoded.
 */
export const MAX_SCAN_ROWS: i32 = 1 << 17;
/**
 * The most blocks, summed over all scans: bounds the time where rows are few but long. 50 megapixels of 4:4:4
 * in 12 scans take 16 million.
 */
export const MAX_SCAN_BLOCKS: i64 = 64 << 20;

/** How a component's rows become full-size rows (libjpeg-turbo jdsample.c, jinit_upsampler). */
export const enum Upsampling {
  None = 0,
  FancyH2V1 = 1,
  FancyH1V2 = 2,
  FancyH2V2 = 3,
  Box = 4,
}

/**
 * Colour models whose output stays CMYK instead of becoming RGBA; they continue the COLOUR numbers of
 * constants.ts.
 */
export const KEPT_CMYK: i32 = 6;
export const KEPT_INVERTED_CMYK: i32 = 7;
export const KEPT_INVERTED_YCCK: i32 = 8;
/** Add this to a CMYK colour of constants.ts to get the model that keeps it. */
export const TO_KEPT: i32 = KEPT_CMYK - COLOUR_CMYK;

@unmanaged
export class Component {
  id: i32;
  h: i32;
  v: i32;
  quantSelector: i32;
  /** 64 u16 in natural order, kept from the component's first scan on; 0 before. */
  quant: usize;
  /** Size in blocks that hold image samples, without padding: what a scan of this component alone codes. */
  blocksWide: i32;
  blocksHigh: i32;
  /** With several scans: coefficients of one MCU row, `bandStride` blocks per line, `v` lines. */
  band: usize;
  /** One u64 per block of the band: a mask of its non-zero coefficients, by place in zigzag order. */
  masks: usize;
  bandStride: i32;
  /** Samples along a block's side after the IDCT: 8, or less when shrinking. */
  size: i32;
  /** The last coefficient in zigzag order that its IDCT needs. */
  lastPlace: i32;
  /** Size of this component of the whole image after the IDCT, in samples. */
  width: i32;
  height: i32;
  upsampling: i32;
  /** Row 0 of the current MCU row. Row −1 and the row after the last can be read too. */
  plane: usize;
  planeStride: i32;
  /** Samples per plane row that lie inside the image, for the band of columns being read. */
  planeWidth: i32;
  /** Buffer for one full-size row, if the component is upsampled; else 0. */
  row: usize;
  /**
   * For each coefficient, the lowest bit position known so far (T.81's Al), or −1: KNOWN_BYTES. Checks that
   * scans continue each other.
   */
  known: usize;
}

/** Reads one scan's entropy-coded bits; see bits.ts. */
@unmanaged
export class BitReader {
  /** Next compressed byte, and the end of the scan's data. */
  source: usize;
  sourceEnd: usize;
  /** Un-stuffed bytes start below this address and go downwards. */
  top: usize;
  capacity: i32;
  /** The next un-stuffed byte to load is the one below this address. */
  pos: usize;
  /** A block may only be started while pos ≥ limit; else `replenish` first. */
  limit: usize;
  /** Lower end of the un-stuffed bytes. */
  rawEnd: usize;
  /** A marker or the end of the data was reached. */
  ended: bool;
  /**
   * While checkpoints are recorded (`tracked`): `chunkSource` is the place in the file of the byte that lies
   * `chunkLead` bytes before the one at `top`.
   */
  tracked: bool;
  chunkSource: usize;
  chunkLead: i32;
  /** Extra FF bytes were found inside the data, so places in the buffer no longer tell places in the file. */
  irregular: bool;
  /** Unused bits, left-aligned, and how many. Bits behind them are zero, or the ones that really follow. */
  acc: u64;
  bits: i32;
  fault: i32;
}

@unmanaged
export class Scan {
  reader: BitReader;
  next: Scan | null;
  dataStart: usize;
  dataEnd: usize;
  componentCount: i32;
  spectralStart: i32;
  spectralEnd: i32;
  high: i32;
  low: i32;
  restartInterval: i32;
  restartsLeft: i32;
  nextRestart: i32;
  /** Blocks still covered by the current end-of-band run (T.81 G.1.2.2). */
  eobRun: i32;
  /** This scan's checkpoints; 0 if it has none. */
  checkpoints: usize;
  /**
   * For each of up to 4 components: its index in the frame, its DC prediction, and its DC and AC lookup
   * tables.
   */
  component0: i32;
  component1: i32;
  component2: i32;
  component3: i32;
  prediction0: i32;
  prediction1: i32;
  prediction2: i32;
  prediction3: i32;
  dc0: usize;
  dc1: usize;
  dc2: usize;
  dc3: usize;
  ac0: usize;
  ac1: usize;
  ac2: usize;
  ac3: usize;
  /** Tables of skip.ts; 0 where all coefficients are needed. */
  skip0: usize;
  skip1: usize;
  skip2: usize;
  skip3: usize;
}

@unmanaged
export class Decoder {
  input: usize;
  inputEnd: usize;
  /**
   * The walk over the markers: how far it has come, and the scan whose end of data it is looking for (0:
   * none).
   */
  walkedTo: usize;
  scanBody: usize;
  scanData: usize;
  /** A SPACE of constants.ts. */
  space: i32;
  fault: i32;
  /** What the fault is about: a marker or a count. */
  faultDetail: i32;

  frameMarker: i32;
  width: i32;
  height: i32;
  componentCount: i32;
  components: usize;
  hMax: i32;
  vMax: i32;
  mcusWide: i32;
  mcusHigh: i32;
  /**
   * Addresses in the file of the latest definitions: 4 quantisation tables (at the Pq/Tq byte), then 4 DC and
   * 4 AC Huffman tables.
   */
  quantAt: usize;
  huffmanAt: usize;
  restartInterval: i32;
  firstScan: Scan | null;
  lastScan: Scan | null;
  scanCount: i32;
  scanRows: i32;
  scanBlocks: i64;
  /** The whole frame is in one sequential scan: blocks are transformed as soon as they are decoded. */
  singleScan: bool;
  sawJfif: bool;
  sawAdobe: bool;
  adobeTransform: i32;
  sawEoi: bool;
  /** A COLOUR of constants.ts. */
  colour: i32;
  /** Lookup tables made so far, a linked list. */
  tables: usize;

  /** Shrunk blocks keep their low frequencies, instead of averages of their samples. */
  keepsLow: bool;
  outputWidth: i32;
  outputHeight: i32;
  /** Output rows and columns of one MCU. */
  mcuRows: i32;
  mcuColumns: i32;
  /**
   * Some component's fancy upsampling needs the row below, so the last pixel row of each MCU row waits for
   * the next MCU row.
   */
  context: bool;
  block: usize;
  sums: usize;
  strip: usize;

  /** Checkpoints per line, and MCUs between two of them; see checkpoints.ts. */
  checkpointsInLine: i32;
  checkpointStep: i32;
  /** `recording`: this read records checkpoints. `recorded`: an earlier read has recorded all of them. */
  recording: bool;
  recorded: bool;

  /** The read in progress. */
  bandX: i32;
  bandWidth: i32;
  firstMcu: i32;
  endMcu: i32;
  /** The MCU row in the planes; −1 before the first. */
  mcuRow: i32;
  /** Where decoding of that row stopped: the scan (null: the row is done), and the MCU or line in it. */
  nextScan: Scan | null;
  nextPlace: i32;
  /** Blocks that may still be decoded before the next stop. */
  blocksLeft: i32;
  /** That MCU row is only decoded for its neighbours: it makes no pixels. */
  isPassed: bool;
  /** Output is CMYK instead of RGBA. */
  keepsCmyk: bool;
  /** Pixel rows [readyFrom, readyTo) of that MCU row that can be made now. */
  readyFrom: i32;
  readyTo: i32;
  stripY: i32;
}

/** Bytes of one component's `known`. */
const KNOWN_BYTES: usize = 64;
/** Bytes of the addresses of 4 quantisation, 4 DC and 4 AC Huffman tables. */
const PLACES_BYTES: usize = 12 * sizeof<usize>();

const COMPONENTS_AT: usize = offsetof<Decoder>();
const KNOWN_AT: usize = COMPONENTS_AT + offsetof<Component>() * MAX_COMPONENTS;
const PLACES_AT: usize = KNOWN_AT + KNOWN_BYTES * MAX_COMPONENTS;
/** Bytes of a decoder with its components, before anything is reserved for a scale. */
export const DECODER_BYTES: usize = PLACES_AT + PLACES_BYTES;

/** Creates an empty decoder. @returns null without memory */
export function createDecoder(): Decoder | null {
  const at = alloc(DECODER_BYTES);
  if (!at) return null;
  memory.fill(at, 0, DECODER_BYTES);
  memory.fill(at + KNOWN_AT, 0xff, KNOWN_BYTES * MAX_COMPONENTS);
  const decoder = changetype<Decoder>(at);
  decoder.components = at + COMPONENTS_AT;
  decoder.quantAt = at + PLACES_AT;
  decoder.huffmanAt = at + PLACES_AT + 4 * sizeof<usize>();
  for (let i = 0; i < MAX_COMPONENTS; i++) componentAt(decoder, i).known = at + KNOWN_AT + KNOWN_BYTES * i;
  return decoder;
}

// @inline
export function componentAt(decoder: Decoder, index: i32): Component {
  return changetype<Component>(decoder.components + <usize>index * offsetof<Component>());
}

// Access to a scan's fourfold fields, by the component's place in the scan.
// @inline
export function scanComponent(scan: Scan, place: i32): i32 {
  return load<i32>(changetype<usize>(scan) + ((<usize>place) << 2), offsetof<Scan>('component0'));
}

// @inline
export function predictionAt(scan: Scan, place: i32): usize {
  return changetype<usize>(scan) + offsetof<Scan>('prediction0') + ((<usize>place) << 2);
}

// @inline
export function dcTable(scan: Scan, place: i32): usize {
  return load<usize>(changetype<usize>(scan) + ((<usize>place) << 2), offsetof<Scan>('dc0'));
}

// @inline
export function acTable(scan: Scan, place: i32): usize {
  return load<usize>(changetype<usize>(scan) + ((<usize>place) << 2), offsetof<Scan>('ac0'));
}

// @inline
export function skipAt(scan: Scan, place: i32): usize {
  return changetype<usize>(scan) + offsetof<Scan>('skip0') + ((<usize>place) << 2);
}

/** Notes the first fault; later ones are consequences. @returns false, for the caller to pass on */
export function fail(decoder: Decoder, fault: i32, detail: i32 = 0): bool {
  if (decoder.fault === JpegFault.NONE) {
    decoder.fault = fault;
    decoder.faultDetail = detail;
  }
  return false;
}
