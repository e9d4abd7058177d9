/** Numbers that the PNG routines and their host (src/core/constants.ts) share. */

/** Layouts of stored pixels that are not looked up in a table. */
export const LAYOUT_RGB8 = 0;
export const LAYOUT_RGBA8 = 1;
export const LAYOUT_GREY_ALPHA8 = 2;
export const LAYOUT_GREY16 = 3;
export const LAYOUT_RGB16 = 4;
export const LAYOUT_GREY_ALPHA16 = 5;
export const LAYOUT_RGBA16 = 6;

/** Filter types (ISO/IEC 15948 section 9.2), and the one that stands for each row's best. */
export const FILTER_NONE = 0;
export const FILTER_AVERAGE = 3;
export const FILTER_BEST = 5;

/** Bytes that the filters read before a row: zero, they are the pixel left of the first. */
export const ROW_LEAD = 16;

/**
 * Where a palette counts its colours, has the step of its greys' levels, its colours, which are taken, and
 * its table.
 */
export const PALETTE_STEP = 4;
export const PALETTE_COLOURS = 16;
export const PALETTE_TAKEN = 1040;
export const PALETTE_SLOTS = 1296;
/** Slots of the table, of eight bytes each: a colour, then its index + 1. */
export const PALETTE_TABLE_SLOTS = 1024;
