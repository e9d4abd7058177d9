/** Numbers that the colour conversion and its host (src/core/colour.ts) share. */

/** Codes are looked up by linear light in so many steps. */
export const LIGHT_STEPS = 16384;
/** Bits of fraction below a step in the tables of 8-bit channels. */
export const FRACTION_BITS = 12;
/** Codes of an 8-bit channel, and bytes of its table: four i32 a code. */
export const CHANNEL_TABLE_BYTES = 4096;
/** Codes of a 16-bit channel; its table has one f32 a code. */
export const CODES_16 = 65536;
/** Factors of a tone curve are looked up in so many steps. */
export const TONE_STEPS = 4096;
