import type { instantiate } from '../../dist/core.js';

/** The compiler's types of wasm/assembly/index.ts, with names for references and booleans. */
type Built = Awaited<ReturnType<typeof instantiate>>;

/** The host sees only numbers: addresses, counts, 0 or 1; 64-bit numbers are bigints. */
type Numbers<Given extends readonly unknown[]> = {
  [At in keyof Given]: Given[At] extends bigint ? bigint : number;
};
type Called<Export> = Export extends (...given: infer Given) => infer Result
  ? (...given: Numbers<Given>) => Result extends void ? void : Result extends bigint ? bigint : number
  : never;

/**
 * The exports of the image core, from the build (dist/core.d.ts). Their contracts are in wasm/assembly.
 * Addresses and sizes are 32-bit numbers of bytes, which may arrive as negative numbers (`>>> 0`).
 */
export type CoreExports = {
  readonly [Name in Exclude<keyof Built, 'memory'>]: Called<Built[Name]>;
} & { readonly memory: { readonly buffer: ArrayBuffer } };
