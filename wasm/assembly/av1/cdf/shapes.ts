/**
 * How many distributions a tile has, and of how many symbols, in the order of offsets.ts and of the tables of
 * defaults, which have the N − 1 values of each and nothing between them.
 */

export const MODE_KINDS = 54;
// biome-ignore format: a table
export const MODE_SHAPES: usize = memory.data<u16>([
  25, 13, 13, 14, 13, 13, 8, 7, // Y_MODE, UV_MODE_CFL, UV_MODE, ANGLE_DELTA
  4, 4, 4, 10, 4, 10, 4, 10, // PARTITION_8, PARTITION_16, PARTITION_32, PARTITION_64
  4, 8, 3, 2, 3, 3, 3, 3, // PARTITION_128, TX_8, TX_16, TX_32
  3, 3, 21, 2, 1, 5, 22, 2, // TX_64, TXFM_SPLIT, FILTER_INTRA_MODE, FILTER_INTRA
  3, 8, 3, 2, 1, 4, 5, 4, // SEGMENT_ID, SKIP, DELTA_Q, DELTA_LF
  26, 7, 39, 5, 2, 16, 1, 12, // INTRA_TX_1, INTRA_TX_2, INTER_TX_1, INTER_TX_2
  4, 2, 1, 8, 6, 16, 1, 2, // INTER_TX_3, CFL_SIGN, CFL_ALPHA, USE_WIENER
  1, 2, 1, 3, 21, 2, 2, 2, // USE_SGRPROJ, RESTORATION_TYPE, PALETTE_Y_MODE, PALETTE_UV_MODE
  7, 7, 7, 7, 5, 2, 5, 3, // PALETTE_Y_SIZE, PALETTE_UV_SIZE, PALETTE_Y_COLOUR_2, PALETTE_Y_COLOUR_3
  5, 4, 5, 5, 5, 6, // PALETTE_Y_COLOUR_4, PALETTE_Y_COLOUR_5, PALETTE_Y_COLOUR_6
  5, 7, 5, 8, 5, 2, // PALETTE_Y_COLOUR_7, PALETTE_Y_COLOUR_8, PALETTE_UV_COLOUR_2
  5, 3, 5, 4, 5, 5, // PALETTE_UV_COLOUR_3, PALETTE_UV_COLOUR_4, PALETTE_UV_COLOUR_5
  5, 6, 5, 7, 5, 8, 1, 2, // PALETTE_UV_COLOUR_6, PALETTE_UV_COLOUR_7, PALETTE_UV_COLOUR_8, INTRABC
  1, 4, 2, 11, 2, 2, 2, 2, // MV_JOINT, MV_CLASS, MV_SIGN, MV_CLASS0_BIT
  20, 2, // MV_BIT
]);

export const COEFFICIENT_KINDS = 13;
// biome-ignore format: a table
export const COEFFICIENT_SHAPES: usize = memory.data<u16>([
  65, 2, 4, 5, 4, 6, 4, 7, // TXB_SKIP, EOB_PT_16, EOB_PT_32, EOB_PT_64
  4, 8, 4, 9, 2, 10, 2, 11, // EOB_PT_128, EOB_PT_256, EOB_PT_512, EOB_PT_1024
  90, 2, 6, 2, 40, 3, 420, 4, // EOB_EXTRA, DC_SIGN, COEFF_BASE_EOB, COEFF_BASE
  210, 4, // COEFF_BR
]);
