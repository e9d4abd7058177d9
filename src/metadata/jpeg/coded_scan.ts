import type { ByteRange } from '../facts.ts';
import { AcScan, NonZero, skipDifference, skipSequential } from './blocks.ts';
import { EntropyReader, HuffmanCode } from './entropy_reader.ts';
import { blocksOf, MAX_COMPONENTS } from './frame.ts';

/** Blocks between two pauses. */
const BLOCKS_AT_ONCE = 4096;
/** Work of skipping the codes of a block in a picture of high quality, in bytes searched. */
const BLOCK = 214;
/** Most separate places of one scan; further ones are merged into the last. */
const MAX_PLACES = 256;

interface Component {
  readonly id: number;
  /** Blocks in an MCU of several components. */
  readonly blocks: number;
  /** Blocks in a scan of its own. */
  readonly alone: number;
  /** For a progressive frame, once a scan of its AC coefficients was read. */
  nonZero?: NonZero;
}

/** What a frame header says about its scans. */
export interface Frame {
  readonly isProgressive: boolean;
  readonly components: readonly Component[];
  /** In a scan of several components. */
  readonly mcus: number;
}

/**
 * Reads SOFn, T.81 B.2.2. Null if it has more components than decoders accept.
 * @param body the bytes after the segment's length
 * @param size of the picture, since its height may be in a DNL segment
 */
export function readFrame(
  body: Uint8Array,
  isProgressive: boolean,
  { width, height }: { readonly width: number; readonly height: number },
): Frame | null {
  if (!(body[5]! >= 1 && body[5]! <= MAX_COMPONENTS)) return null;
  const factors = Array.from({ length: body[5]! }, (_, n) => {
    const sampling = body[7 + 3 * n] ?? 0;
    return { id: body[6 + 3 * n] ?? 0, h: sampling >> 4, v: sampling & 15 };
  });
  const widest = Math.max(...factors.map(({ h }) => h));
  const tallest = Math.max(...factors.map(({ v }) => v));
  const sampling = factors.map(({ h, v }) => [h, v] as const);
  const alone = blocksOf(width, height, sampling);
  const components = factors.map(({ id, h, v }, n) => ({ id, blocks: h * v, alone: alone[n]! }));
  const mcus = Math.ceil(width / (8 * widest)) * Math.ceil(height / (8 * tallest));
  return { isProgressive, components, mcus };
}

/** Reads DHT, T.81 B.2.4.2; codes are keyed by class × 16 + number. */
export function readCodes(body: Uint8Array, codes: Map<number, HuffmanCode>): void {
  for (let at = 0; at + 17 <= body.length; ) {
    const counts = body.subarray(at + 1, at + 17);
    const symbols = at + 17 + counts.reduce((sum, count) => sum + count, 0);
    codes.set(body[at]!, new HuffmanCode(counts, body.subarray(at + 17, symbols)));
    at = symbols;
  }
}

/** The entropy-coded data of one scan, which are skipped block by block. */
export class Scan {
  readonly #bytes: Uint8Array;
  readonly #reader: EntropyReader;
  readonly #mcus: number;
  /** A function for each block of an MCU that skips it, given the number of the MCU. */
  readonly #blocks: readonly ((mcu: number) => void)[];
  readonly #progressive: AcScan | undefined;

  private constructor(
    bytes: Uint8Array,
    reader: EntropyReader,
    mcus: number,
    blocks: readonly ((mcu: number) => void)[],
    progressive: AcScan | undefined,
  ) {
    this.#bytes = bytes;
    this.#reader = reader;
    this.#mcus = mcus;
    this.#blocks = blocks;
    this.#progressive = progressive;
  }

  /** Reads SOS, T.81 B.2.3. Null if it is not a scan of the frame, or a table is missing. */
  static open(
    bytes: Uint8Array,
    body: Uint8Array,
    { isProgressive, components, mcus }: Frame,
    codes: ReadonlyMap<number, HuffmanCode>,
  ): Scan | null {
    const reader = new EntropyReader(bytes);
    const count = body[0] ?? 0;
    const [start = 0, end = 0, approximation = 0] = body.subarray(1 + 2 * count);
    const high = approximation >> 4;
    const members = Array.from({ length: count }, (_, n) => ({
      component: components.find(({ id }) => id === body[1 + 2 * n]),
      dc: codes.get((body[2 + 2 * n] ?? 0) >> 4),
      ac: codes.get(0x10 | ((body[2 + 2 * n] ?? 0) & 15)),
    }));
    const [first] = members;
    if (!first?.component) return null;
    const alone = count === 1 ? first.component.alone : mcus;
    if (isProgressive && start > 0) {
      const { component, ac } = first;
      if (!ac || count > 1 || end > 63) return null;
      component.nonZero ??= new NonZero(component.alone);
      const scan = new AcScan(reader, ac, { start, end, high }, component.nonZero);
      return new Scan(bytes, reader, alone, [(block) => scan.skip(block)], scan);
    }
    const blocks: (() => void)[] = [];
    for (const { component, dc, ac } of members) {
      const needed = isProgressive ? high > 0 || dc : dc && ac;
      if (!component || !needed) return null;
      const skip = !isProgressive
        ? () => skipSequential(reader, dc!, ac!)
        : high > 0
          ? () => reader.skip(1)
          : () => skipDifference(reader, dc!);
      for (let n = 0; n < (count === 1 ? 1 : component.blocks); n++) blocks.push(skip);
    }
    return new Scan(bytes, reader, alone, blocks, undefined);
  }

  /** Blocks of all MCUs. */
  get blocks(): number {
    return this.#mcus * this.#blocks.length;
  }

  /**
   * Skips the data in [at, end); `end` is the offset of the marker after them.
   * @param interval MCUs between restarts; 0 for none @yields as scanners do
   * @returns the bytes that no MCU needs; null if the data cannot be followed
   */
  *unused(at: number, end: number, interval: number): Generator<number, ByteRange[] | null> {
    const found: ByteRange[] = [];
    let from = at;
    let blocks = 0;
    for (let done = 0; done < this.#mcus; ) {
      const next = Math.min(this.#mcus, done + (interval || this.#mcus));
      this.#reader.start(from, end);
      this.#progressive?.restart();
      for (; done < next; done++) {
        for (const skip of this.#blocks) skip(done);
        blocks += this.#blocks.length;
        if (blocks < BLOCKS_AT_ONCE) continue;
        yield blocks * BLOCK;
        blocks = 0;
        if (this.#reader.isPast) return null;
      }
      if (this.#reader.isPast || this.#reader.isBroken) return null;
      const marker = done < this.#mcus ? this.#restartBehind(this.#reader.reached, end) : end;
      if (marker < 0) return null;
      const unused = this.#withoutFill(this.#reader.reached, marker);
      const last = found.at(-1);
      const isFull = last && found.length >= MAX_PLACES;
      if (unused.start < unused.end)
        found[found.length - (isFull ? 1 : 0)] = isFull ? { ...last, end: unused.end } : unused;
      from = marker + 2;
    }
    return found;
  }

  /** The offset of the FF of the next restart marker; −1 for none. */
  #restartBehind(from: number, end: number): number {
    for (let at = from; at + 1 < end; at++) {
      if (this.#bytes[at] === 0xff && isRestart(this.#bytes[at + 1]!)) return at;
    }
    return -1;
  }

  /** The range without leading restart markers and trailing fill bytes. */
  #withoutFill(start: number, end: number): ByteRange {
    const place = { start, end };
    while (place.end > start && this.#bytes[place.end - 1] === 0xff) place.end--;
    while (
      place.start + 1 < place.end &&
      this.#bytes[place.start] === 0xff &&
      isRestart(this.#bytes[place.start + 1]!)
    ) {
      place.start += 2;
    }
    return place;
  }
}

const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7;
