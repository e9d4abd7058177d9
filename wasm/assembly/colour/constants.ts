/** Numbers that the colour conversion and its host (src/core/kernels/colour.ts) share. */

/** Steps of linear light in the table that codes are looked up in. */
export const LIGHT_STEPS = 16384;
/** Bits of fraction below a step in the tables of 8-bit channels. */
export const FRACTION_BITS = 12;
/** Bytes of an 8-bit channel's table: four i32 for each code. */
export const CHANNEL_TABLE_BYTES = 4096;
/** Number of codes of a 16-bit channel; its table has one f32 for each. */
export const CODES_16 = 65536;
/** Steps in the table of a tone curve's factors. */
export const TONE_STEPS = 4096;
