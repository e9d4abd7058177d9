/** Numbers that the PNG routines and their host (src/core/png.ts) share. */

/** Layouts of stored pixels that are not looked up in a table. */
export const LAYOUT_RGB8 = 0;
export const LAYOUT_RGBA8 = 1;
export const LAYOUT_GREY_ALPHA8 = 2;
export const LAYOUT_GREY16 = 3;
export const LAYOUT_RGB16 = 4;
export const LAYOUT_GREY_ALPHA16 = 5;
export const LAYOUT_RGBA16 = 6;

/** Bytes that the filters read before a row: zero, they are the pixel left of the first. */
export const ROW_LEAD = 16;

/** Where a palette's colours begin; its first four bytes count them. */
export const PALETTE_COLOURS = 16;
