/**
 * The planes as a window of rows: superblock rows are written below what is left of the ones before, go
 * through the filters, and leave as finished rows.
 */

import type { Frame } from '../frame';

/** Bytes that `reserveWindow` will take of a picture whose headers have been read. */
export function windowBytes(_frame: Frame): usize {
  return 0;
}

/**
 * Reserves the window.
 * @returns false when the memory cannot grow that far
 */
export function reserveWindow(_frame: Frame): bool {
  return true;
}

/** Begins a reading: sets where the first superblock row is to be written. */
export function startWindow(_frame: Frame): void {}

/**
 * Takes the superblock row `frame.superblockRow`, whose blocks are all reconstructed: sets which rows are
 * finished, and where the next superblock row is to be written. Finished rows stay as they are until the next
 * call, but the next superblock row overwrites them.
 */
export function superblockRowDone(_frame: Frame): void {}
