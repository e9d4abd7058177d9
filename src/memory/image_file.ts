/** Bytes with an owner, who gives their memory back by disposing of them; doing so again is harmless. */
export interface OwnedBytes extends Disposable {
  /**
   * The bytes; empty once disposed of. Get them anew after anything was reserved in their core: that may move
   * the memory.
   */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of memory that these keep from others: those of their whole core, or of their buffer. */
  readonly retainedBytes: number;
  /** Of these, the bytes outside of cores. */
  readonly outsideCores: number;
}

/** An image file: plain bytes that need no disposal, or owned bytes, which may lie in a core. */
export type ImageFile = Uint8Array | OwnedBytes;

/** A file's bytes where they lie now. */
export const bytesOf = (file: ImageFile): Uint8Array => (file instanceof Uint8Array ? file : file.bytes);

/** Bytes of a file's memory that do not lie in a core. */
export const bytesOutsideCores = (file: ImageFile): number =>
  file instanceof Uint8Array ? file.length : file.outsideCores;
