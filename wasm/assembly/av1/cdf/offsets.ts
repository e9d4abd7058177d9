/**
 * Where the cumulative distributions of a tile lie, in bytes, from the beginning of its tables. Only those
 * that a key frame uses. Of each distribution of N symbols the first N − 1 values stand as 32768 − cdf, u16
 * each, then zeros, and in the last lane how often it was used; it has 2, 4, 8 or 16 lanes, the fewest that
 * hold N. How many each has, and of how many symbols: shapes.ts.
 */

export const Y_MODE: usize = 0;
export const UV_MODE_CFL: usize = 800;
export const UV_MODE: usize = 1216;
export const ANGLE_DELTA: usize = 1632;
export const PARTITION_8: usize = 1760;
export const PARTITION_16: usize = 1792;
export const PARTITION_32: usize = 1920;
export const PARTITION_64: usize = 2048;
export const PARTITION_128: usize = 2176;
export const TX_8: usize = 2240;
export const TX_16: usize = 2256;
export const TX_32: usize = 2280;
export const TX_64: usize = 2304;
export const TXFM_SPLIT: usize = 2328;
export const FILTER_INTRA_MODE: usize = 2416;
export const FILTER_INTRA: usize = 2432;
export const SEGMENT_ID: usize = 2528;
export const SKIP: usize = 2576;
export const DELTA_Q: usize = 2592;
export const DELTA_LF: usize = 2600;
export const INTRA_TX_1: usize = 2640;
export const INTRA_TX_2: usize = 3056;
export const INTER_TX_1: usize = 3680;
export const INTER_TX_2: usize = 3744;
export const INTER_TX_3: usize = 3776;
export const CFL_SIGN: usize = 3792;
export const CFL_ALPHA: usize = 3808;
export const USE_WIENER: usize = 4000;
export const USE_SGRPROJ: usize = 4004;
export const RESTORATION_TYPE: usize = 4008;
export const PALETTE_Y_MODE: usize = 4016;
export const PALETTE_UV_MODE: usize = 4100;
export const PALETTE_Y_SIZE: usize = 4112;
export const PALETTE_UV_SIZE: usize = 4224;
export const PALETTE_Y_COLOUR_2: usize = 4336;
export const PALETTE_Y_COLOUR_3: usize = 4360;
export const PALETTE_Y_COLOUR_4: usize = 4400;
export const PALETTE_Y_COLOUR_5: usize = 4448;
export const PALETTE_Y_COLOUR_6: usize = 4528;
export const PALETTE_Y_COLOUR_7: usize = 4608;
export const PALETTE_Y_COLOUR_8: usize = 4688;
export const PALETTE_UV_COLOUR_2: usize = 4768;
export const PALETTE_UV_COLOUR_3: usize = 4792;
export const PALETTE_UV_COLOUR_4: usize = 4832;
export const PALETTE_UV_COLOUR_5: usize = 4880;
export const PALETTE_UV_COLOUR_6: usize = 4960;
export const PALETTE_UV_COLOUR_7: usize = 5040;
export const PALETTE_UV_COLOUR_8: usize = 5120;
export const INTRABC: usize = 5200;
export const MV_JOINT: usize = 5208;
export const MV_CLASS: usize = 5216;
export const MV_SIGN: usize = 5280;
export const MV_CLASS0_BIT: usize = 5288;
export const MV_BIT: usize = 5296;
export const TXB_SKIP: usize = 5376;
export const EOB_PT_16: usize = 5648;
export const EOB_PT_32: usize = 5712;
export const EOB_PT_64: usize = 5776;
export const EOB_PT_128: usize = 5840;
export const EOB_PT_256: usize = 5904;
export const EOB_PT_512: usize = 6032;
export const EOB_PT_1024: usize = 6096;
export const EOB_EXTRA: usize = 6160;
export const DC_SIGN: usize = 6520;
export const COEFF_BASE_EOB: usize = 6544;
export const COEFF_BASE: usize = 6864;
export const COEFF_BR: usize = 10224;

/** Bytes of all that do not depend on base_q_idx; those of coefficients follow. */
export const MODE_BYTES: usize = 5376;
/** Bytes of those of coefficients, for one of the four ranges of base_q_idx. */
export const COEFFICIENT_BYTES: usize = 6528;
export const CDF_BYTES: usize = MODE_BYTES + COEFFICIENT_BYTES;
