import type { Size } from '../codecs/types.ts';
import { ROW_SLACK } from '../core/constants.ts';

/**
 * The edge of a block in pixels: `strength` per cent of the output's shortest edge, at least 2 (docs/api.md).
 */
export function blockEdge(strength: number, { width, height }: Size): number {
  return Math.max(2, Math.round((strength / 100) * Math.min(width, height)));
}

/**
 * How many blocks lie along an edge of the picture. What the picture's end leaves of a block joins the block
 * before it if it is at most half as long: a block of one pixel would show that pixel.
 */
export const blocksAlong = (length: number, block: number): number =>
  Math.max(1, Math.ceil(length / block - 0.5));

/** The block along an edge of `length` pixels that a place lies in, counted from 0. */
export const blockAt = (place: number, block: number, length: number): number =>
  Math.min(Math.floor(place / block), blocksAlong(length, block) - 1);

/** The most rows that are added to the delay line at once; taller strips are split. */
export const PIECE_ROWS = 64;

/**
 * The rows of a delay line for blocks of this edge: half as many again as are delayed, so that they seldom
 * have to move to its start. The last blocks of a picture may be as high as that.
 */
export const delayRows = (block: number, { height }: Size): number =>
  Math.min(height, Math.ceil(block * 1.5) + PIECE_ROWS);

/** Bytes of that delay line. */
export const delayBytes = (block: number, image: Size): number =>
  delayRows(block, image) * image.width * 4 + ROW_SLACK;

/**
 * Whether blocks of this edge make `pixelate` read its source twice, because a delay line would exceed the
 * limit.
 */
export const readsTwice = (image: Size, coarsestBlock: number, maxDelayBytes: number) =>
  delayBytes(coarsestBlock, image) > maxDelayBytes;

/** The coarsest block with which `pixelate` reads its source once. */
export function coarsestReadOnce(image: Size, maxDelayBytes: number): number {
  const rows = Math.floor((maxDelayBytes - ROW_SLACK) / (image.width * 4));
  if (rows >= image.height) return Math.max(image.width, image.height);
  return Math.max(0, Math.floor((rows - PIECE_ROWS) / 1.5));
}
