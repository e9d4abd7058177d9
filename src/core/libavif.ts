import compiled from '../../dist/libavif.wasm';
import { limitFault } from '../faults.ts';
import { loadedModule } from './loaded_module.ts';
import { isolateMemoryPool, PAGE_BYTES } from './memory_pool.ts';

const code = loadedModule(compiled);

/** Loads libavif if imports do not bring it. Call it before `decodeByLibavif`. */
export const loadLibavif = code.load;

/** Bytes that an instance begins with, as its module demands. */
const INITIAL_BYTES = 256 * PAGE_BYTES;

/** A picture decoded by libavif, in the memory of its instance. Disposing gives that back to the pool. */
export interface LibavifFrame extends Disposable {
  readonly width: number;
  readonly height: number;
  /** RGBA, not premultiplied, 8 bits a sample. */
  readonly pixels: Uint8Array;
}

/** The exports of the module that are used, by the names that its linker gave them. */
interface Exports {
  /** __wasm_call_ctors, malloc. */
  G(): void;
  I(bytes: number): number;
  /** The table of functions; setThrew, stack restore and save. */
  readonly K: WebAssembly.Table;
  L(threw: number, value: number): void;
  M(stack: number): void;
  N(): number;
}

type Call = (...given: number[]) => unknown;

/**
 * Thrown through the module: JUMP for longjmp, by which libaom leaves corrupt data; DONE once the pixels are
 * there.
 */
const JUMP = Symbol('longjmp');
const DONE = Symbol('done');
/** The handle of any JavaScript value: none is ever looked at. */
const VALUE = 100;
/** WASI's errno `badf` for all files: there are none. */
const BAD_FILE = 8;
/** Bits per sample of the output. */
const DEPTH = 8;

/**
 * Decodes an AVIF with libavif and libaom (from @jsquash/avif; scripts/core/import_memory.mjs makes the
 * module import its memory), in an instance of its own and a memory of the pool. It runs in one piece. The
 * package's own host code needs a page's globals; this host offers only what decoding needs: growth, longjmp,
 * and the parts of embind by which the function registers itself and hands over pixels.
 * @param parts of the file, in order
 * @param maxBytes the most bytes that its memory may grow to
 * @returns undefined if it can't be decoded
 * @throws Fault 'limit' if that needs more memory
 */
export function decodeByLibavif(parts: readonly Uint8Array[], maxBytes: number): LibavifFrame | undefined {
  const memory = isolateMemoryPool.take(maxBytes);
  const giveBack = () => isolateMemoryPool.giveBack(memory, memory.buffer.byteLength);
  try {
    const lacking = INITIAL_BYTES - memory.buffer.byteLength;
    if (lacking > 0) memory.grow(lacking / PAGE_BYTES);
    isolateMemoryPool.keepLimit();
    const found = new Instance(memory, maxBytes).decode(parts);
    if (!found) giveBack();
    return found && { ...found, [Symbol.dispose]: giveBack };
  } catch (error) {
    giveBack();
    throw error;
  }
}

class Instance {
  readonly #memory: WebAssembly.Memory;
  readonly #maxBytes: number;
  readonly #exports: Exports;
  /** decode(std::string, uint32_t): the invoker that takes its arguments, and the function itself. */
  #decode = { invoker: 0, callee: 0 };
  #view = { at: 0, bytes: 0 };
  #size = { width: 0, height: 0 };

  constructor(memory: WebAssembly.Memory, maxBytes: number) {
    this.#memory = memory;
    this.#maxBytes = maxBytes;
    const offered = this.#imports();
    const { module } = code;
    const names = WebAssembly.Module.imports(module).map(({ name }) => name);
    const functions = Object.fromEntries(names.map((name) => [name, offered[name] ?? (() => 0)]));
    const imports = { a: { ...functions, memory } };
    this.#exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
    this.#exports.G();
  }

  /** Call it once: afterwards the instance is unusable. */
  decode(parts: readonly Uint8Array[]): Omit<LibavifFrame, keyof Disposable> | undefined {
    try {
      const text = this.#string(parts);
      (this.#exports.K.get(this.#decode.invoker) as Call)(this.#decode.callee, text, DEPTH);
    } catch (error) {
      if (error === DONE) {
        const { at, bytes } = this.#view;
        return { ...this.#size, pixels: new Uint8Array(this.#memory.buffer, at, bytes) };
      }
      // A trap is the file's fault, and so is a jump to nowhere.
      if (!(error instanceof WebAssembly.RuntimeError) && error !== JUMP) throw error;
    }
    return undefined;
  }

  /** A std::string: its length, its bytes, a zero. */
  #string(parts: readonly Uint8Array[]): number {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const text = this.#exports.I(4 + length + 1) >>> 0;
    new DataView(this.#memory.buffer).setUint32(text, length, true);
    let at = text + 4;
    for (const part of parts) {
      new Uint8Array(this.#memory.buffer).set(part, at);
      at += part.length;
    }
    return text;
  }

  #imports(): Record<string, Call> {
    const noFile = () => BAD_FILE;
    const value = () => VALUE;
    const invoke: Call = (index = 0, ...given) => this.#invoke(index, given);
    return {
      // _embind_register_function
      x: (_name, _count, _types, _signature, invoker = 0, callee = 0) => {
        this.#decode = { invoker, callee };
      },
      // _emval_get_global, _emval_get_method_caller (its name is how many arguments there are), _emval_call
      E: value,
      e: (types = 1) => types - 1,
      f: (count = 0, _handle, _destructors, args = 0) => this.#construct(count, args >>> 0),
      // abort, _emscripten_throw_longjmp, emscripten_resize_heap
      a: () => {
        throw new WebAssembly.RuntimeError('libavif aborted');
      },
      u: () => {
        throw JUMP;
      },
      v: (bytes = 0) => this.#grow(bytes >>> 0),
      // fd_close, fd_seek, fd_write
      ...{ w: noFile, n: noFile, y: noFile },
      // Calls inside a setjmp.
      ...{ d: invoke, r: invoke, s: invoke, t: invoke, k: invoke, q: invoke },
    };
  }

  /** new Uint8ClampedArray(view), new ImageData(array, width, height): arguments lie 8 bytes apart. */
  #construct(count: number, args: number): number {
    const words = new DataView(this.#memory.buffer);
    const word = (at: number) => words.getUint32(args + at, true);
    if (count === 1) this.#view = { bytes: word(0), at: word(4) };
    if (count !== 3) return VALUE;
    const { at, bytes } = this.#view;
    this.#size = { width: word(8), height: word(16) };
    const isThere = at > 0 && bytes > 0 && bytes === this.#size.width * this.#size.height * 4;
    // The code after this would free the pixels.
    throw isThere ? DONE : JUMP;
  }

  /** Ends decoding if that is too much: libaom would go on, and write where it got no memory. */
  #grow(bytes: number): number {
    if (bytes > this.#maxBytes) {
      throw limitFault('The layers of this AVIF take more memory than was measured');
    }
    this.#memory.grow(Math.ceil((bytes - this.#memory.buffer.byteLength) / PAGE_BYTES));
    isolateMemoryPool.keepLimit();
    return 1;
  }

  #invoke(index: number, given: readonly number[]): unknown {
    const stack = this.#exports.N();
    try {
      return (this.#exports.K.get(index) as Call)(...given);
    } catch (error) {
      if (error !== JUMP) throw error;
      this.#exports.M(stack);
      this.#exports.L(1, 0);
      return 0;
    }
  }
}
