/**
 * The decoder's state: plain structs in linear memory, one Decoder a file, so that several files can be open
 * in one core.
 */
import { alloc } from '../../memory';
import { COLOUR_CMYK, MAX_COMPONENTS } from './constants';
import * as JpegFault from './faults';

/** T.81 B.2.3: the blocks of one MCU, summed over the scan's components. */
export const MAX_BLOCKS_IN_MCU: i32 = 10;
/**
 * The most MCU rows summed over all scans. 50 megapixels of 4:4:4 in 12 scans take under 10,000; a file of
 * thousands of empty scans over a large frame is refused before anything is decoded.
 */
export const MAX_SCAN_ROWS: i32 = 1 << 17;
/**
 * The most blocks summed over all scans: what bounds the time where rows are few and long. 50 megapixels of
 * 4:4:4 in 12 scans visit 16 million.
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

/** The colours of four components that are kept as CMYK, in place of RGBA, follow those of constants.ts. */
export const KEPT_CMYK: i32 = 6;
export const KEPT_INVERTED_CMYK: i32 = 7;
export const KEPT_INVERTED_YCCK: i32 = 8;
/** From a colour that becomes RGBA to the same that is kept. */
export const TO_KEPT: i32 = KEPT_CMYK - COLOUR_CMYK;

@unmanaged
export class Component {
  id: i32;
  h: i32;
  v: i32;
  quantSelector: i32;
  /** 64 u16 in natural order, kept from the component's first scan on; 0 before. */
  quant: usize;
  /** Whole blocks that hold image samples: what a scan of this component alone visits. */
  blocksWide: i32;
  blocksHigh: i32;
  /** Coefficients of one MCU row, for several scans: `stride` blocks a row, `v` rows. */
  band: usize;
  /** A u64 for each block of the band: which coefficients are not zero, by their place in zigzag order. */
  masks: usize;
  bandStride: i32;
  /** Samples a block side after the IDCT: 8, or less when shrinking. */
  size: i32;
  /** The last coefficient in zigzag order that its IDCT needs. */
  lastPlace: i32;
  /** Samples of the whole image after the IDCT. */
  width: i32;
  height: i32;
  upsampling: i32;
  /** Row 0 of the current MCU row; row -1 and the row after the last are readable too. */
  plane: usize;
  planeStride: i32;
  /** Samples a plane row that lie inside the image, in the band of columns being read. */
  planeWidth: i32;
  /** A full-size row when upsampling is needed. */
  row: usize;
  /** Progressive: for each coefficient the bit position it is known to, or -1: KNOWN_BYTES. */
  known: usize;
}

/** Reads one scan's entropy-coded bits; see bits.ts. */
@unmanaged
export class BitReader {
  /** Next compressed byte, and where the scan's data end. */
  source: usize;
  sourceEnd: usize;
  /** Where the bytes with stuffing dropped begin: each next one stands below. */
  top: usize;
  capacity: i32;
  /** The next byte to load stands below it. */
  pos: usize;
  /** A block may be started while pos is not below this. */
  limit: usize;
  /** Bytes down to here are un-stuffed. */
  rawEnd: usize;
  /** A marker or the end of the data was reached. */
  ended: bool;
  /** While checkpoints are recorded: where in the file the byte `chunkLead` bytes before `top` stands. */
  tracked: bool;
  chunkSource: usize;
  chunkLead: i32;
  /** Fill bytes were met inside the data: places in the file can't be told from places in the buffer. */
  irregular: bool;
  /** Bits not yet used, left-aligned, and how many; those behind them are zero, or the ones that follow. */
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
  /** Where its checkpoints are recorded; 0: nowhere. */
  checkpoints: usize;
  /**
   * Index of the frame's components, DC predictions, table definitions (in the file) and lookup tables: 4 of
   * each.
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
  /** See skip.ts; 0 where all coefficients are needed. */
  skip0: usize;
  skip1: usize;
  skip2: usize;
  skip3: usize;
}

@unmanaged
export class Decoder {
  input: usize;
  inputEnd: usize;
  /** The walk over the markers: how far it came, and a scan whose data's end is looked for (0: none). */
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
   * 4 quantisation tables as last defined in the file (address of Pq/Tq byte), 4 DC and 4 AC Huffman tables.
   */
  quantAt: usize;
  huffmanAt: usize;
  restartInterval: i32;
  firstScan: Scan | null;
  lastScan: Scan | null;
  scanCount: i32;
  scanRows: i32;
  scanBlocks: i64;
  /** All of the frame in one scan: blocks are transformed as they are decoded. */
  singleScan: bool;
  sawJfif: bool;
  sawAdobe: bool;
  adobeTransform: i32;
  sawEoi: bool;
  /** A COLOUR of constants.ts. */
  colour: i32;
  /** Lookup tables made so far, a linked list. */
  tables: usize;

  /** Shrunk blocks keep their low frequencies, in place of averages of their samples. */
  keepsLow: bool;
  outputWidth: i32;
  outputHeight: i32;
  /** Output rows of one MCU row. */
  mcuRows: i32;
  mcuColumns: i32;
  /**
   * Some component's fancy upsampling needs the row below: the last row of an MCU row is delayed until the
   * next.
   */
  context: bool;
  block: usize;
  sums: usize;
  strip: usize;

  /** See checkpoints.ts: how many a line, and MCUs between them. */
  checkpointsInLine: i32;
  checkpointStep: i32;
  /** Checkpoints are recorded by this read; were recorded for all lines by an earlier one. */
  recording: bool;
  recorded: bool;

  /** The read in progress. */
  bandX: i32;
  bandWidth: i32;
  firstMcu: i32;
  endMcu: i32;
  /** The MCU row in the planes; −1 before the first. */
  mcuRow: i32;
  /** Where decoding of that row stopped, to go on: the scan (null: the row is done), and its MCU or line. */
  nextScan: Scan | null;
  nextPlace: i32;
  /** Blocks that may still be decoded before the next stop. */
  blocksLeft: i32;
  /** No pixels are made of that row. */
  isPassed: bool;
  /** Rows are made of CMYK instead of RGBA. */
  keepsCmyk: bool;
  /** Its pixel rows that can be made and have not been. */
  readyFrom: i32;
  readyTo: i32;
  stripY: i32;
}

/** Bytes of what is known of a component's coefficients. */
const KNOWN_BYTES: usize = 64;
/** Places of 4 quantisation tables, 4 DC and 4 AC Huffman tables. */
const PLACES_BYTES: usize = 12 * sizeof<usize>();

const COMPONENTS_AT: usize = offsetof<Decoder>();
const KNOWN_AT: usize = COMPONENTS_AT + offsetof<Component>() * MAX_COMPONENTS;
const PLACES_AT: usize = KNOWN_AT + KNOWN_BYTES * MAX_COMPONENTS;
/** Bytes of a decoder with its components, before it reserves anything for a scale. */
export const DECODER_BYTES: usize = PLACES_AT + PLACES_BYTES;

/** A decoder that knows nothing yet. @returns null without memory */
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

// The four-fold fields of a scan, by place in the scan.
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
