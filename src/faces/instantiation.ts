/** What a library's own call of `WebAssembly.instantiate` is given for its bytes. */
interface Instantiated {
  readonly instance: WebAssembly.Instance;
  readonly module: WebAssembly.Module;
}
type Instantiate = (
  source: BufferSource | WebAssembly.Module,
  imports?: WebAssembly.Imports,
) => Promise<unknown>;

interface Waiting {
  readonly imports: WebAssembly.Imports;
  readonly deliver: (made: Instantiated) => void;
  /** The library's own start, still running: it goes on when an instance is delivered. */
  readonly start: Promise<unknown>;
}

/**
 * Gives a library that insists on compiling bytes an instance of a module that was imported instead: Workers
 * compile imported modules at deployment and forbid compiling bytes at run time.
 *
 * The library is handed `marker` as its "bytes". Only a call of `WebAssembly.instantiate` on that very buffer
 * is answered here; every other caller reaches the real function, also while a start is under way, and the
 * real function is put back however the start ends.
 *
 * onnxruntime-web remembers a failed start for ever. So when the instance cannot be made (no memory, say) its
 * call is left waiting, the start is reported as failed, and the next start makes the instance and lets the
 * first one go on.
 */
export class InstanceHandover {
  readonly #makeInstance: (imports: WebAssembly.Imports) => WebAssembly.Instance;
  /** Not WebAssembly: nothing but this class can do anything with it. */
  readonly marker = new ArrayBuffer(8);
  #memory: WebAssembly.Memory | undefined;
  #waiting: Waiting | undefined;

  constructor(makeInstance: (imports: WebAssembly.Imports) => WebAssembly.Instance) {
    this.#makeInstance = makeInstance;
  }

  /** Linear memory of the instance handed over, in bytes; 0 before there is one. */
  get heapBytes(): number {
    return this.#memory?.buffer.byteLength ?? 0;
  }

  /**
   * Runs `start`, answering its call for an instance. Not to be called again before the last call has
   * settled.
   * @throws whatever `start` or making the instance throws
   */
  async during<T>(start: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting;
    if (waiting) {
      waiting.deliver(this.#make(waiting.imports));
      this.#waiting = undefined;
      return waiting.start as Promise<T>;
    }
    const real = WebAssembly.instantiate;
    const { promise: failure, reject } = Promise.withResolvers<never>();
    let started: Promise<T> | undefined;
    const handOver: Instantiate = (source, imports) => {
      if (!ArrayBuffer.isView(source) || source.buffer !== this.marker)
        return real.call(WebAssembly, source, imports);
      try {
        return Promise.resolve(this.#make(imports ?? {}));
      } catch (error) {
        const { promise, resolve } = Promise.withResolvers<Instantiated>();
        // The library calls only after its start has returned, so `started` is set.
        this.#waiting = { imports: imports ?? {}, deliver: resolve, start: started! };
        reject(error);
        return promise;
      }
    };
    setInstantiate(handOver);
    try {
      started = start();
      return await Promise.race([started, failure]);
    } finally {
      if (WebAssembly.instantiate === handOver) setInstantiate(real);
    }
  }

  #make(imports: WebAssembly.Imports): Instantiated {
    const instance = this.#makeInstance(imports);
    this.#memory = [...Object.values(imports), instance.exports]
      .flatMap((space) => Object.values(space))
      .find((value) => value instanceof WebAssembly.Memory);
    // The module is wanted only for other threads, of which there are none.
    return { instance, module: undefined as unknown as WebAssembly.Module };
  }
}

function setInstantiate(value: Instantiate): void {
  (WebAssembly as { instantiate: unknown }).instantiate = value;
}
