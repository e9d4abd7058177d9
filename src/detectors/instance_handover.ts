/** The result that a library expects from `WebAssembly.instantiate` when it passes bytes. */
interface Instantiated {
  readonly instance: WebAssembly.Instance;
  readonly module: WebAssembly.Module;
}
type Instantiate = (
  source: BufferSource | WebAssembly.Module,
  imports?: WebAssembly.Imports,
) => Promise<unknown>;

type MakeInstance = (imports: WebAssembly.Imports) => WebAssembly.Instance | Promise<WebAssembly.Instance>;

interface PendingStart {
  readonly imports: WebAssembly.Imports;
  readonly deliver: (instantiated: Instantiated) => void;
  /** The library's own start, still running: it continues once an instance is delivered. */
  readonly start: Promise<unknown>;
}

/**
 * Gives a library that compiles bytes an instance of an imported module instead: Workers compile imported
 * modules at deployment and forbid compiling bytes at run time.
 *
 * The library is handed `marker` as its "bytes". Only a call of `WebAssembly.instantiate` on that buffer is
 * answered here; all others reach the real function, also while a start is in progress, and the real function
 * is restored however the start ends.
 *
 * onnxruntime-web does not start again after a failed start. So when the instance cannot be created (no
 * memory, for example), its call is left pending and the start is reported as failed; the next start creates
 * the instance and completes the pending call.
 */
export class InstanceHandover {
  readonly #makeInstance: MakeInstance;
  /** Stands for the module's bytes; it holds no WebAssembly. */
  readonly marker = new ArrayBuffer(8);
  #memory: WebAssembly.Memory | undefined;
  #pending: PendingStart | undefined;

  constructor(makeInstance: MakeInstance) {
    this.#makeInstance = makeInstance;
  }

  /** Linear memory of the instance handed over, in bytes; 0 before there is one. */
  get heapBytes(): number {
    return this.#memory?.buffer.byteLength ?? 0;
  }

  /**
   * Runs `start`, answering its call for an instance. Must not be called again before the previous call has
   * settled.
   * @throws whatever `start` or making the instance throws
   */
  async during<T>(start: () => Promise<T>): Promise<T> {
    const pending = this.#pending;
    if (pending) {
      pending.deliver(await this.#make(pending.imports));
      this.#pending = undefined;
      return pending.start as Promise<T>;
    }
    const real = WebAssembly.instantiate;
    // Not Promise.withResolvers: Node 20 and Firefox 115 lack it.
    let fail: (error: unknown) => void = () => undefined;
    const failure = new Promise<never>((_, reject) => {
      fail = reject;
    });
    let started: Promise<T> | undefined;
    const handOver: Instantiate = (source, imports) => {
      if (!ArrayBuffer.isView(source) || source.buffer !== this.marker)
        return real.call(WebAssembly, source, imports);
      return new Promise<Instantiated>((deliver) => {
        this.#make(imports ?? {}).then(deliver, (error: unknown) => {
          // The failure comes after the library's start has returned, so `started` is set.
          this.#pending = { imports: imports ?? {}, deliver, start: started! };
          fail(error);
        });
      });
    };
    setInstantiate(handOver);
    try {
      started = start();
      return await Promise.race([started, failure]);
    } finally {
      if (WebAssembly.instantiate === handOver) setInstantiate(real);
    }
  }

  async #make(imports: WebAssembly.Imports): Promise<Instantiated> {
    const instance = await this.#makeInstance(imports);
    this.#memory = [...Object.values(imports), instance.exports]
      .flatMap((space) => Object.values(space))
      .find((value) => value instanceof WebAssembly.Memory);
    // The library uses the module only for threads, and there are none.
    return { instance, module: undefined as unknown as WebAssembly.Module };
  }
}

function setInstantiate(value: Instantiate): void {
  (WebAssembly as { instantiate: unknown }).instantiate = value;
}
