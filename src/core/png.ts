/**
 * What PNG codecs must know about the core's routines: layouts of pixels, bytes around rows, where colours
 * are.
 */
export * from '../../wasm/assembly/png/constants.ts';
