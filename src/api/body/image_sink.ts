import { imageTooLarge } from './body_errors.ts';
import { MAX_IMAGE_BYTES } from './limits.ts';

/** Receives the bytes of an image as they are read, e.g. to write them into the image core's memory. */
export interface ImageSink {
  /**
   * Called at most once, before any bytes, with an upper bound of their number; not called if no bound is
   * known.
   */
  expect(bytes: number): void;
  /** Copies `chunk`, which is valid only during the call. */
  write(chunk: Uint8Array): void;
  /** All bytes written, in order, in one array. */
  finish(): Uint8Array;
}

/** Allocates the buffers for reading a body; an argument, so that tests can count them. */
export type Allocate = (bytes: number) => Uint8Array<ArrayBuffer>;

export const newBytes: Allocate = (bytes) => new Uint8Array(bytes);

/** Sizes that an array of unknown length grows to, in bytes. */
const GROWTH_STEPS = [64 * 1024, 1024 * 1024, MAX_IMAGE_BYTES];

/** The size of the array that holds so many bytes of unknown length. */
const sizeOfArrayFor = (bytes: number): number => GROWTH_STEPS.find((step) => step >= bytes) ?? bytes;

/**
 * An ImageSink that collects the bytes in a plain array.
 *
 * The expected size is allocated once, with the first byte. Without one the array grows 64 KB → 1 MB → 25 MB:
 * the last step is the limit itself, because doubling holds the old and the new array together (up to 1.5 ×
 * the image), while this holds 26 MB at most. Growing in place (resizable ArrayBuffer, WebAssembly.Memory)
 * was measured and rejected: workerd doesn't count such memory when it decides to collect garbage, so 150
 * dropped images of 25 MB stayed resident (3.3 GB).
 */
export function arraySink(allocate: Allocate = newBytes): ImageSink {
  let expected = 0;
  let buffer: Uint8Array<ArrayBuffer> | undefined;
  let length = 0;

  const withCapacity = (bytes: number): Uint8Array<ArrayBuffer> => {
    if (buffer && bytes <= buffer.length) return buffer;
    const size = bytes <= expected ? expected : sizeOfArrayFor(bytes);
    const larger = allocate(size);
    if (buffer) larger.set(buffer.subarray(0, length));
    buffer = larger;
    return larger;
  };

  return {
    expect(bytes) {
      expected = bytes;
    },
    write(chunk) {
      withCapacity(length + chunk.length).set(chunk, length);
      length += chunk.length;
    },
    finish: () => buffer?.subarray(0, length) ?? allocate(0),
  };
}

/** Passes bytes on to `sink` up to MAX_IMAGE_BYTES. */
export class LimitedSink {
  readonly sink: ImageSink;
  #written = 0;

  constructor(sink: ImageSink) {
    this.sink = sink;
  }

  get written(): number {
    return this.#written;
  }

  /** @param bytes upper bound from a declared length; the sink is told at most the limit */
  expect(bytes: number): void {
    this.sink.expect(Math.min(bytes, MAX_IMAGE_BYTES));
  }

  /** @throws ApiError payload_too_large for the byte after the limit */
  write(chunk: Uint8Array): void {
    if (this.#written + chunk.length > MAX_IMAGE_BYTES) throw imageTooLarge();
    this.#written += chunk.length;
    this.sink.write(chunk);
  }

  finish(): Uint8Array {
    return this.sink.finish();
  }
}
