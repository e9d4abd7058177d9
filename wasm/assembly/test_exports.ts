/** Parts of the AV1 reconstruction that only tests call. They add about 180 bytes to the module. */
export { acQ as av1AcQ, dcQ as av1DcQ, quantiserMatrix as av1QuantiserMatrix } from './av1/quantise/tables';
export { inverseTransform as av1InverseTransform } from './av1/transform/inverse';
