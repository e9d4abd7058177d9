/**
 * Scan headers (T.81 B.2.3): refuses invalid ones and keeps what each scan needs: its tables and its place in
 * the file.
 */

import { alloc } from '../../memory';
import { bigEndian16 } from './big_endian';
import { MAX_SCANS } from './constants';
import * as JpegFault from './faults';
import { lookupTable, TableKind } from './huffman';
import { standardTable } from './standard_tables';
import {
  Component,
  componentAt,
  Decoder,
  fail,
  MAX_BLOCKS_IN_MCU,
  MAX_SCAN_BLOCKS,
  MAX_SCAN_ROWS,
  Scan,
  scanComponent,
} from './state';
import { ZIGZAG } from './zigzag';

/** Bytes of a component's quantisation table: 64 u16. */
export const QUANT_BYTES: usize = 128;

/**
 * The most lookup tables that a file's scans can need. A sequential component has a DC and an AC table. A
 * progressive component has one for its first DC scan; each AC scan, which has one component, adds one more.
 */
export function mostLookupTables(components: i32, scans: i32): i32 {
  return components + max(components, scans);
}

/** Reads SOS. @param at the first byte after the length @param dataStart also the segment's end */
export function addScan(decoder: Decoder, at: usize, dataStart: usize, dataEnd: usize): bool {
  const length = <i32>(dataStart - at);
  const count: i32 = length > 0 ? load<u8>(at) : 0;
  if (count < 1 || count > 4 || length !== 4 + 2 * count) return fail(decoder, JpegFault.BAD_SCAN);
  if (decoder.singleScan) return fail(decoder, JpegFault.BAD_SCAN);
  const scanAt = alloc(offsetof<Scan>());
  if (!scanAt) return fail(decoder, JpegFault.OUT_OF_MEMORY);
  const scan = changetype<Scan>(scanAt);
  memory.fill(scanAt, 0, offsetof<Scan>());
  scan.componentCount = count;
  scan.dataStart = dataStart;
  scan.dataEnd = dataEnd;
  scan.restartInterval = decoder.restartInterval;
  const parameters = at + 1 + 2 * count;
  scan.spectralStart = load<u8>(parameters);
  scan.spectralEnd = load<u8>(parameters, 1);
  scan.high = load<u8>(parameters, 2) >> 4;
  scan.low = load<u8>(parameters, 2) & 15;

  const progressive = decoder.frameMarker === 0xc2;
  if (progressive && !progressionIsLegal(scan)) return fail(decoder, JpegFault.BAD_PROGRESSION);
  let blocks: i32 = 0;
  for (let place = 0; place < count; place++) {
    const index = indexOfComponent(decoder, scan, place, load<u8>(at + 1 + 2 * place));
    if (index < 0) return fail(decoder, JpegFault.BAD_SCAN);
    store<i32>(scanAt + offsetof<Scan>('component0') + ((<usize>place) << 2), index);
    const component = componentAt(decoder, index);
    blocks += component.h * component.v;
    const selectors = <i32>load<u8>(at + 2 + 2 * place);
    if (!useTables(decoder, scan, place, selectors >> 4, selectors & 15)) return false;
    if (!keepQuantTable(decoder, component)) return false;
    if (!noteProgress(scan, component, progressive)) return fail(decoder, JpegFault.BAD_PROGRESSION);
  }
  if (count > 1 && blocks > MAX_BLOCKS_IN_MCU) return fail(decoder, JpegFault.BAD_SCAN);
  decoder.singleScan = !progressive && count === decoder.componentCount;
  if (decoder.singleScan && decoder.firstScan != null) return fail(decoder, JpegFault.BAD_SCAN);
  return countWork(decoder, scan) && link(decoder, scan);
}

/** Whether the scan's parameters are legal in a progressive frame (T.81 G.1.1.1.1 and Table B.3). */
function progressionIsLegal(scan: Scan): bool {
  if (scan.spectralStart === 0 ? scan.spectralEnd !== 0 : scan.componentCount !== 1) return false;
  if (scan.spectralEnd < scan.spectralStart || scan.spectralEnd > 63) return false;
  return scan.low <= 13 && (scan.high === 0 || scan.high === scan.low + 1);
}

/** The component with this id that the scan does not have yet, or −1. */
function indexOfComponent(decoder: Decoder, scan: Scan, places: i32, id: i32): i32 {
  for (let index = 0; index < decoder.componentCount; index++) {
    if (componentAt(decoder, index).id !== id) continue;
    let taken = false;
    for (let place = 0; place < places; place++) taken = taken || scanComponent(scan, place) === index;
    if (!taken) return index;
  }
  return -1;
}

function useTables(decoder: Decoder, scan: Scan, place: i32, dc: i32, ac: i32): bool {
  const progressive = decoder.frameMarker === 0xc2;
  const needsDc = !progressive || (scan.spectralStart === 0 && scan.high === 0);
  const needsAc = !progressive || scan.spectralStart > 0;
  const acKind = !progressive ? TableKind.Ac : scan.high === 0 ? TableKind.AcFirst : TableKind.AcRefine;
  const scanAt = changetype<usize>(scan);
  if (needsDc) {
    const table = tableOf(decoder, 0, dc, TableKind.Dc);
    if (!table) return false;
    store<usize>(scanAt + offsetof<Scan>('dc0') + <usize>place * sizeof<usize>(), table);
  }
  if (needsAc) {
    const table = tableOf(decoder, 1, ac, acKind);
    if (!table) return false;
    store<usize>(scanAt + offsetof<Scan>('ac0') + <usize>place * sizeof<usize>(), table);
  }
  return true;
}

function tableOf(decoder: Decoder, tableClass: i32, selector: i32, kind: TableKind): usize {
  let table: usize = 0;
  if (selector <= 3) {
    const slot = <usize>(tableClass * 4 + selector);
    let definition = load<usize>(decoder.huffmanAt + slot * sizeof<usize>());
    if (!definition) definition = standardTable(tableClass, selector);
    if (definition) table = lookupTable(decoder, definition, kind);
  }
  if (table > 1) return table;
  fail(decoder, table ? JpegFault.OUT_OF_MEMORY : JpegFault.BAD_HUFFMAN_TABLE);
  return 0;
}

/**
 * Unpacks the component's quantisation table as defined at its first scan. Later definitions only apply to
 * components that have not had a scan yet.
 */
function keepQuantTable(decoder: Decoder, component: Component): bool {
  if (component.quant) return true;
  const at = load<usize>(decoder.quantAt + <usize>component.quantSelector * sizeof<usize>());
  if (!at) return fail(decoder, JpegFault.MISSING_QUANT_TABLE);
  const quant = alloc(QUANT_BYTES);
  if (!quant) return fail(decoder, JpegFault.OUT_OF_MEMORY);
  const wide = load<u8>(at) >> 4;
  for (let k: usize = 0; k < 64; k++) {
    const value: i32 = wide ? bigEndian16(at + 1 + 2 * k) : load<u8>(at + 1 + k);
    // T.81 B.2.4.1 forbids 0. Browsers and libjpeg show such files: a frequency that is not stored is none.
    // Without its mean, nothing of a block is left.
    if (value === 0 && k === 0) return fail(decoder, JpegFault.BAD_QUANT_TABLE);
    store<u16>(quant + load<u8>(ZIGZAG + k), <u16>value);
  }
  component.quant = quant;
  return true;
}

/**
 * Checks and notes that the scan continues the ones before it: DC before AC, each coefficient coded once,
 * then refined one bit at a time (T.81 G.1.1). A sequential component is coded once.
 */
function noteProgress(scan: Scan, component: Component, progressive: bool): bool {
  const known = component.known;
  if (!progressive) {
    const first = load<i8>(known) < 0;
    store<i8>(known, 0);
    return first;
  }
  if (scan.spectralStart > 0 && load<i8>(known) < 0) return false;
  for (let k = scan.spectralStart; k <= scan.spectralEnd; k++) {
    const before = <i32>load<i8>(known + k);
    if (scan.high === 0 ? before >= 0 : before !== scan.high) return false;
    store<i8>(known + k, <i8>scan.low);
  }
  return true;
}

/** Counts scans, MCU rows and blocks, so that no small file can ask for hours of decoding. */
function countWork(decoder: Decoder, scan: Scan): bool {
  decoder.scanCount++;
  decoder.scanRows += decoder.mcusHigh;
  for (let place = 0; place < scan.componentCount; place++) {
    const component = componentAt(decoder, scanComponent(scan, place));
    decoder.scanBlocks += <i64>component.blocksWide * <i64>component.blocksHigh;
  }
  return (
    (decoder.scanCount <= MAX_SCANS &&
      decoder.scanRows <= MAX_SCAN_ROWS &&
      decoder.scanBlocks <= MAX_SCAN_BLOCKS) ||
    fail(decoder, JpegFault.TOO_MANY_SCANS, decoder.scanCount)
  );
}

function link(decoder: Decoder, scan: Scan): bool {
  const last = decoder.lastScan;
  if (last == null) decoder.firstScan = scan;
  else last.next = scan;
  decoder.lastScan = scan;
  return true;
}
