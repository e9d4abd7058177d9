import { imageTooLarge } from './body_errors.ts';
import { MAX_IMAGE_BYTES } from './limits.ts';

/** Where image bytes go as they arrive: so they can be put straight into the image core's memory. */
export interface ImageSink {
  /**
   * Called at most once, before any bytes, with an upper bound of what will come; not called when none is
   * known.
   */
  expect(bytes: number): void;
  /** Takes a copy: `chunk` is valid only during the call. */
  write(chunk: Uint8Array): void;
  /** All bytes written, in order, in one piece. */
  finish(): Uint8Array;
}

/** Makes every buffer that reading a body needs, so that a test can count them. */
export type Allocate = (bytes: number) => Uint8Array<ArrayBuffer>;

export const newBytes: Allocate = (bytes) => new Uint8Array(bytes);

/** Sizes tried, in turn, when nothing is known of the length. */
const STEPS = [64 * 1024, 1024 * 1024, MAX_IMAGE_BYTES];

/**
 * An ImageSink that is one plain array.
 *
 * The expected size is allocated once, when the first byte comes. Without one the array grows 64 KB → 1 MB →
 * 25 MB: the last step is the limit itself, because doubling would hold old and new together (up to 1.5 × the
 * image) where this holds 26 MB at most. Growing without a copy (resizable ArrayBuffer, WebAssembly.Memory)
 * was measured and refused: workerd doesn't count such memory when it decides to collect, so 150 dropped 25
 * MB images stayed resident (3.3 GB).
 */
export function arraySink(allocate: Allocate = newBytes): ImageSink {
  let expected = 0;
  let held: Uint8Array<ArrayBuffer> | undefined;
  let length = 0;

  const room = (bytes: number): Uint8Array<ArrayBuffer> => {
    if (held && bytes <= held.length) return held;
    const size = bytes <= expected ? expected : (STEPS.find((step) => step >= bytes) ?? bytes);
    const larger = allocate(size);
    if (held) larger.set(held.subarray(0, length));
    held = larger;
    return larger;
  };

  return {
    expect(bytes) {
      expected = bytes;
    },
    write(chunk) {
      room(length + chunk.length).set(chunk, length);
      length += chunk.length;
    },
    finish: () => held?.subarray(0, length) ?? allocate(0),
  };
}

/** Counts what goes into `sink` and refuses the byte after the limit. */
export class LimitedSink {
  readonly sink: ImageSink;
  #written = 0;

  constructor(sink: ImageSink) {
    this.sink = sink;
  }

  get written(): number {
    return this.#written;
  }

  /** @param bytes upper bound from a declared length; clamped to the limit */
  expect(bytes: number): void {
    this.sink.expect(Math.min(bytes, MAX_IMAGE_BYTES));
  }

  /** @throws ApiError payload_too_large */
  write(chunk: Uint8Array): void {
    if (this.#written + chunk.length > MAX_IMAGE_BYTES) throw imageTooLarge();
    this.#written += chunk.length;
    this.sink.write(chunk);
  }

  finish(): Uint8Array {
    return this.sink.finish();
  }
}
