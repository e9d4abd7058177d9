/** Bytes with an owner, who gives their memory back by disposing of them, once or more often. */
export interface OwnedBytes extends Disposable {
  /**
   * The bytes, empty once disposed of. To be taken anew after anything was reserved in their core, which may
   * move the memory.
   */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of memory that these keep from others: all of their core's, or of their buffer. */
  readonly retainedBytes: number;
  /** Of these, the bytes outside of cores. */
  readonly outsideCores: number;
}

/** An image file: bytes that nobody has to give back, or owned ones, which may lie in a core. */
export type ImageFile = Uint8Array | OwnedBytes;

/** The bytes of a file as they lie now. */
export const bytesOf = (file: ImageFile): Uint8Array => (file instanceof Uint8Array ? file : file.bytes);

/** Bytes of a file's memory that do not lie in a core. */
export const bytesOutsideCores = (file: ImageFile): number =>
  file instanceof Uint8Array ? file.length : file.outsideCores;
