/** Why decoding stopped. src/core/av1/faults.ts has the messages for callers. */
export const NONE = 0;
export const OUT_OF_MEMORY = 1;
/** The data end inside an OBU or a header. */
export const TRUNCATED = 2;
/** An OBU header or size is invalid. */
export const BAD_OBU = 3;
export const NO_SEQUENCE_HEADER = 4;
export const NO_FRAME = 5;
/** A sequence or frame header has values outside their range. */
export const BAD_SEQUENCE_HEADER = 6;
export const BAD_FRAME_HEADER = 7;
/** The picture is a frame that is predicted from others. */
export const PREDICTED = 8;
export const TOO_LARGE = 9;
/** The tile groups miss a tile, or have one twice. */
export const BAD_TILE_GROUP = 10;
/** A tile's data end early, or some are left over. */
export const BAD_TILE = 11;
/** An intra block copy's source is not decoded yet. */
export const BAD_BLOCK_COPY = 12;
export const BAD_PROFILE = 13;
/** The picture is a layer that is predicted from lower ones. */
export const PREDICTED_LAYER = 14;
/** More OBUs than are walked over. */
export const TOO_MANY_UNITS = 15;
