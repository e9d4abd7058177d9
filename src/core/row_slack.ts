/** Separate from sizes.ts, so that plans can be made without a core. */
export { ROW_SLACK } from '../../wasm/assembly/constants.ts';
