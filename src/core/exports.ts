import type { instantiate } from '../../dist/core.js';

/** What the compiler says of wasm/assembly/index.ts, with names for references and truth values. */
type Built = Awaited<ReturnType<typeof instantiate>>;

/** To the host all are numbers: addresses, counts, 0 or 1; those of 64 bits are bigints. */
type Numbers<Given extends readonly unknown[]> = {
  [At in keyof Given]: Given[At] extends bigint ? bigint : number;
};
type Called<Export> = Export extends (...given: infer Given) => infer Result
  ? (...given: Numbers<Given>) => Result extends void ? void : Result extends bigint ? bigint : number
  : never;

/**
 * What the image core exports, as the build has it (dist/core.d.ts). What each takes and gives is said in
 * wasm/assembly. Addresses and sizes are 32-bit numbers of bytes that may come as negative ones (`>>> 0`).
 */
export type CoreExports = {
  readonly [Name in Exclude<keyof Built, 'memory'>]: Called<Built[Name]>;
} & { readonly memory: { readonly buffer: ArrayBuffer } };
