/** An emscripten module factory as @jsquash packages export it (their `codec/**.js`, one a codec). */
export type ModuleFactory<M> = (options: {
  noInitialRun: boolean;
  instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => object;
}) => Promise<M>;

/** One instance of an emscripten codec: made per job and dropped after it, since its heap never shrinks. */
export interface CodecInstance<M> {
  readonly codec: M;
  /** Bytes of linear memory held now. */
  heldBytes(): number;
}

/** Makes an instance of an imported module; nothing is compiled at run time. */
export async function instantiate<M>(
  factory: ModuleFactory<M>,
  module: WebAssembly.Module,
): Promise<CodecInstance<M>> {
  let memory: WebAssembly.Memory | undefined;
  const codec = await factory({
    noInitialRun: true,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports);
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
      done(instance);
      return instance.exports;
    },
  });
  return { codec, heldBytes: () => memory?.buffer.byteLength ?? 0 };
}
