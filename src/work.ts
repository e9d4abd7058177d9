/**
 * What a job does beside looking at pixels, counted as the pixels that take as long. This one count is what
 * jobs give way by (src/time_slice.ts) and what bounds them (src/sanitize/cost_limit.ts): whatever a file or
 * a caller can ask for in numbers has its price here, so that no shape of input is cheap to ask for and dear
 * to serve. The prices are measured, on pictures that are nothing but such a thing, and rounded up
 * (docs/capacity.md, What one call can cost).
 */

/** Pixels that were worked on since the last pull, or what takes as long. */
export type Work = number;

/** Nanoseconds of a pixel: MAX_WORK takes about 25 s. */
export const WORK_TIME = 9;

/** A row by itself, by each reading: a picture one pixel wide has nothing else. */
export const ROW_WORK = 32;

/**
 * The longest row that is read: each step takes a row at once, for up to 60 ns a pixel, and nobody has a turn
 * meanwhile. No format but PNG and TIFF can have more than a quarter of it.
 */
export const MAX_ROW_PIXELS = 262_144;

/** A run of blocks of a mosaic in one row: added to their sums, then painted. */
export const SPAN_WORK = 32;

/** The most that a file's header and a call's ops may announce, in pixels of a PNG: about 25 s of CPU. */
export const MAX_WORK = 2.82e9;

/** What a job may turn out to be, as a multiple of what it may announce. */
export const COUNTED_TIMES = 3;

/**
 * The most that a job may then turn out to be, in pixels as it counts them: some formats' count for less than
 * a third of those of a PNG, and nobody knows before how many faces there will be.
 */
export const MAX_COUNTED_WORK = COUNTED_TIMES * MAX_WORK;

/** So many rows of this width. */
export const rowsWork = (rows: number, width: number): Work => rows * (width + ROW_WORK);

/** Work of a strip: few calls a pixel, and still within the processor's cache. */
const STRIP_WORK = 65_536;

/** Rows of a strip of a picture: one at least, and of narrow ones no more than its work allows. */
export const rowsOfStrip = (width: number, height: number): number =>
  Math.max(1, Math.min(height, Math.floor(STRIP_WORK / (width + ROW_WORK))));
