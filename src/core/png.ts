export * from '../../wasm/assembly/png/constants.ts';
