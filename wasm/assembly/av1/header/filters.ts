/** Parameters of the loop filter, CDEF and loop restoration (sections 5.9.11, 5.9.19 and 5.9.20). */
import { quadAt, Restoration, setQuad } from '../frame';
import { Decoder } from '../state';
import { BitReader, readBit, readBits, readFlag, readSigned } from './bits';

const REFERENCES = 8;
const MODE_DELTAS = 2;
/** RESTORATION_TILESIZE_MAX */
const MAX_UNIT_SIZE = 256;

/** loop_filter_params */
export function readLoopFilter(d: Decoder, reader: BitReader): void {
  for (let i = 0; i < 4; i++) setQuad(d.loopFilterLevel, i, 0);
  d.loopFilterIntraDelta = 1;
  d.loopFilterSharpness = 0;
  d.loopFilterDeltaEnabled = false;
  if (d.codedLossless || d.allowIntrabc) return;
  d.loopFilterLevel.a = <i32>readBits(reader, 6);
  d.loopFilterLevel.b = <i32>readBits(reader, 6);
  if (d.planeCount > 1 && (d.loopFilterLevel.a || d.loopFilterLevel.b)) {
    d.loopFilterLevel.c = <i32>readBits(reader, 6);
    d.loopFilterLevel.d = <i32>readBits(reader, 6);
  }
  d.loopFilterSharpness = <i32>readBits(reader, 3);
  d.loopFilterDeltaEnabled = readFlag(reader);
  if (!d.loopFilterDeltaEnabled || !readFlag(reader)) return;
  for (let i = 0; i < REFERENCES; i++) {
    if (!readFlag(reader)) continue;
    const delta = readSigned(reader, 7);
    if (i === 0) d.loopFilterIntraDelta = delta;
  }
  for (let i = 0; i < MODE_DELTAS; i++) if (readFlag(reader)) readSigned(reader, 7);
}

/** cdef_params. Sets `enableCdef` to false if this frame uses none. */
export function readCdef(d: Decoder, reader: BitReader): void {
  d.cdefDamping = 3;
  d.cdefBits = 0;
  memory.fill(d.cdefYPrimary, 0, 8);
  memory.fill(d.cdefYSecondary, 0, 8);
  memory.fill(d.cdefUvPrimary, 0, 8);
  memory.fill(d.cdefUvSecondary, 0, 8);
  if (d.codedLossless || d.allowIntrabc) d.enableCdef = false;
  if (!d.enableCdef) return;
  d.cdefDamping = <i32>readBits(reader, 2) + 3;
  d.cdefBits = <i32>readBits(reader, 2);
  for (let i: usize = 0; i < (<usize>1) << (<usize>d.cdefBits); i++) {
    readStrengths(reader, d.cdefYPrimary + i, d.cdefYSecondary + i);
    if (d.planeCount > 1) readStrengths(reader, d.cdefUvPrimary + i, d.cdefUvSecondary + i);
  }
}

function readStrengths(reader: BitReader, primary: usize, secondary: usize): void {
  store<u8>(primary, <u8>readBits(reader, 4));
  const strength = readBits(reader, 2);
  store<u8>(secondary, <u8>(strength === 3 ? 4 : strength));
}

/** lr_params */
export function readRestoration(d: Decoder, reader: BitReader): void {
  d.usesRestoration = false;
  for (let plane = 0; plane < 4; plane++) {
    setQuad(d.restorationType, plane, Restoration.None);
    setQuad(d.restorationSize, plane, MAX_UNIT_SIZE);
  }
  if (d.allLossless || d.allowIntrabc || !d.enableRestoration) return;
  let chroma = false;
  for (let plane = 0; plane < d.planeCount; plane++) {
    const type = remapped(<i32>readBits(reader, 2));
    setQuad(d.restorationType, plane, type);
    if (type === Restoration.None) continue;
    d.usesRestoration = true;
    if (plane > 0) chroma = true;
  }
  if (!d.usesRestoration) return;
  let shift = readBit(reader);
  if (d.use128x128) shift++;
  else if (shift) shift += readBit(reader);
  const size = MAX_UNIT_SIZE >> (2 - shift);
  const chromaShift = d.subX && d.subY && chroma ? readBit(reader) : 0;
  setQuad(d.restorationSize, 0, size);
  setQuad(d.restorationSize, 1, size >> chromaShift);
  setQuad(d.restorationSize, 2, size >> chromaShift);
  for (let plane = 0; plane < d.planeCount; plane++) {
    if (quadAt(d.restorationType, plane) === Restoration.None) continue;
    const unit = quadAt(d.restorationSize, plane);
    const subX = plane > 0 ? d.subX : 0;
    const subY = plane > 0 ? d.subY : 0;
    setQuad(d.unitColumns, plane, units(unit, (d.upscaledWidth + subX) >> subX));
    setQuad(d.unitRows, plane, units(unit, (d.frameHeight + subY) >> subY));
  }
}

/** Remap_Lr_Type */
function remapped(type: i32): i32 {
  if (type === 1) return Restoration.Switchable;
  if (type === 2) return Restoration.Wiener;
  return type === 3 ? Restoration.SelfGuided : Restoration.None;
}

/** count_units_in_frame */
function units(unit: i32, samples: i32): i32 {
  return max((samples + (unit >> 1)) / unit, 1);
}
