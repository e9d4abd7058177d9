/**
 * The unit of work is a pixel of a PNG: everything that a job does is counted as the pixels that take as
 * long. By this one count jobs give way (time_slice.ts), and it limits them (src/sanitize/cost_limit.ts).
 * Everything that a file or a caller can ask for in numbers has its price here, so that no input is cheap to
 * send and expensive to serve. The prices are rounded up from measurements of pictures that consist of one
 * such thing (docs/capacity.md, What one call can cost).
 */

/** Pixels that were processed since the last pull, or other work as pixels that take as long. */
export type Work = number;

/** Nanoseconds for a pixel: MAX_WORK takes about 25 s. */
export const WORK_TIME = 9;

/** The price of a row, beside its pixels, in each read: a picture one pixel wide has hardly anything else. */
export const ROW_WORK = 32;

/**
 * The longest row that is read, in pixels. Each step processes a row at once, for up to 60 ns a pixel, and
 * nobody gets a turn meanwhile. Only PNG and TIFF can have rows longer than a quarter of this.
 */
export const MAX_ROW_PIXELS = 262_144;

/** The price of a run of mosaic blocks in one row: its pixels are added to the blocks' sums, then painted. */
export const SPAN_WORK = 32;

/** The most that a file's header and a call's ops may announce, in pixels of a PNG: about 25 s of CPU. */
export const MAX_WORK = 2.82e9;

/** How many times the work that a job may announce it may turn out to take. */
export const COUNTED_TIMES = 3;

/**
 * The most work that a job may count, in pixels as it counts them. It is more than MAX_WORK for two reasons:
 * a pixel of some formats takes less than a third of a PNG's, and the number of faces is unknown beforehand.
 */
export const MAX_COUNTED_WORK = COUNTED_TIMES * MAX_WORK;

/** The work of reading rows of this width. */
export const rowsWork = (rows: number, width: number): Work => rows * (width + ROW_WORK);

/** The work of a strip: large enough for few calls a pixel, small enough for the processor's cache. */
const STRIP_WORK = 65_536;

/** The number of rows of a picture's strip: as many as STRIP_WORK allows, but at least one. */
export const rowsOfStrip = (width: number, height: number): number =>
  Math.max(1, Math.min(height, Math.floor(STRIP_WORK / (width + ROW_WORK))));
