import { decodingFault } from '../../faults.ts';

/** Numbers of a TIFF file in its own byte order; every read is checked against the file's end. */
export class TiffBytes {
  readonly bytes: Uint8Array;
  readonly littleEndian: boolean;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, littleEndian: boolean) {
    this.bytes = bytes;
    this.littleEndian = littleEndian;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  /** @throws Fault 'decoding' unless [at, at + count) lies inside the file */
  need(at: number, count: number, what: string): void {
    if (!(at >= 0 && count >= 0 && at + count <= this.bytes.length)) {
      throw decodingFault(`The TIFF's ${what} lies at bytes ${at} to ${at + count}; it has ${this.length}`);
    }
  }

  u8(at: number): number {
    return this.#view.getUint8(at);
  }

  u16(at: number): number {
    return this.#view.getUint16(at, this.littleEndian);
  }

  u32(at: number): number {
    return this.#view.getUint32(at, this.littleEndian);
  }

  /** Beyond 2⁵³ the value is rounded: larger than any file either way. */
  u64(at: number): number {
    return Number(this.#view.getBigUint64(at, this.littleEndian));
  }

  f32(at: number): number {
    return this.#view.getFloat32(at, this.littleEndian);
  }

  f64(at: number): number {
    return this.#view.getFloat64(at, this.littleEndian);
  }
}
