/** Apart from sizes.ts, so that plans can be made where there is no core. */
export { ROW_SLACK } from '../../wasm/assembly/constants.ts';
