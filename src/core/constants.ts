/**
 * What codecs and steps must know about the core's routines: bytes around rows, layouts of PNG's pixels, and
 * where a palette's colours are. It loads no core, so plans can use it.
 */
export { ROW_SLACK } from '../../wasm/assembly/constants.ts';
export * from '../../wasm/assembly/png/constants.ts';
