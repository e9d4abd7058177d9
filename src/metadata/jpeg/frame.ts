import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';

interface Component {
  readonly id: number;
  readonly horizontal: number;
  readonly vertical: number;
  /** The quantisation table's number. */
  readonly table: number;
  /** Whether a scan with its samples (in a progressive frame: its DC coefficients) was seen. */
  covered: boolean;
}

/** Most components of a frame; T.81 allows 255, every decoder only four. */
export const MAX_COMPONENTS = 4;
/** Number of steps in a quantisation table. */
const STEPS = 64;
/** Most scans read; libjpeg-turbo's fuzzers refuse more than 500. */
const MAX_SCANS = 10_000;
/** Work of finding a scan's components, in bytes searched. */
const SCAN_WORK = 1024;

/** A component's sampling factors. */
type Sampling = readonly [horizontal: number, vertical: number];

/**
 * Number of blocks of each component in a non-interleaved scan, T.81 A.1.1 and A.2.2.
 * @param all sampling factors of all components of the frame
 * @param side of a block: 8, or 1 for the samples of a lossless process
 */
export function blocksOf(width: number, height: number, all: readonly Sampling[], side = 8): number[] {
  const widest = Math.max(...all.map(([horizontal]) => horizontal), 1);
  const tallest = Math.max(...all.map(([, vertical]) => vertical), 1);
  const along = (length: number, factor: number, most: number) =>
    Math.ceil(Math.ceil((length * factor) / most) / side);
  return all.map(
    ([horizontal, vertical]) => along(width, horizontal, widest) * along(height, vertical, tallest),
  );
}

/** The frame header and the scans of one JPEG image: its size, and whether the scans can hold it. */
export class JpegFrame {
  found = false;
  #process = 0;
  #precision = 8;
  #height = 0;
  #width = 0;
  #scans = 0;
  #scanBytes = 0;
  /** Mean step of each quantisation table, by table number. */
  readonly #meanSteps = new Map<number, number>();
  #components: Component[] = [];
  #defect: string | null = null;

  /** Number of blocks of each component, as `blocksOf` counts them; counted once the height is known. */
  #blocks: readonly number[] | undefined;

  readonly cursor: Cursor;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  /** Reads SOFn, T.81 B.2.2; the first one counts. */
  start(marker: number, at: number, end: number): void {
    if (this.found) return;
    const { cursor } = this;
    const count = cursor.u8(at + 5);
    if (count < 1 || count > MAX_COMPONENTS || at + 6 + 3 * count > end) {
      this.#defect ??= 'its frame header is broken';
      return;
    }
    this.found = true;
    this.#process = marker & 0x0f;
    this.#precision = cursor.u8(at);
    this.#height = cursor.u16(at + 1);
    this.#width = cursor.u16(at + 3);
    for (let i = 0; i < count; i++) {
      const sampling = cursor.u8(at + 7 + 3 * i);
      this.#components.push({
        id: cursor.u8(at + 6 + 3 * i),
        horizontal: sampling >> 4,
        vertical: sampling & 15,
        table: cursor.u8(at + 8 + 3 * i),
        covered: false,
      });
    }
  }

  /**
   * Reads DQT, T.81 B.2.4.1. If a table number is repeated the first counts: it is the one of the first scan.
   */
  tables(from: number, end: number): void {
    const { cursor } = this;
    let at = from;
    while (at < end) {
      const kind = cursor.u8(at);
      const stepBytes = kind >> 4 === 0 ? 1 : 2;
      const steps = at + 1;
      at = steps + STEPS * stepBytes;
      if (kind < 0 || at > end) return;
      let sum = 0;
      for (let i = steps; i < at; i += stepBytes) sum += stepBytes === 1 ? cursor.u8(i) : cursor.u16(i);
      const table = kind & 15;
      if (!this.#meanSteps.has(table)) this.#meanSteps.set(table, sum / STEPS);
    }
  }

  /** Reads DNL, T.81 B.2.5: the height, if the frame header left it open. */
  lines(at: number): void {
    if (this.#height === 0) this.#height = this.cursor.u16(at);
  }

  /**
   * Reads SOS, T.81 B.2.3, and compares the length of its data with the minimum that its blocks can take.
   * @param dataBytes length of the entropy-coded data that follows
   */
  scan(at: number, end: number, dataBytes: number): void {
    const { cursor } = this;
    const count = cursor.u8(at);
    if (
      !this.found ||
      this.#scans >= MAX_SCANS ||
      count < 1 ||
      count > MAX_COMPONENTS ||
      at + 1 + 2 * count + 3 > end
    )
      return;
    cursor.meter.work(SCAN_WORK);
    this.#scans += 1;
    this.#scanBytes += dataBytes;
    const first = cursor.u8(at + 1 + 2 * count);
    const members: Component[] = [];
    for (let i = 0; i < count; i++) {
      const id = cursor.u8(at + 1 + 2 * i);
      const component = this.#components.find((each) => each.id === id && !members.includes(each));
      if (component) members.push(component);
    }
    if (this.#progressive && first !== 0) return;
    for (const component of members) component.covered = true;
    // a sequential frame whose scans select coefficients contradicts itself; decoders handle it each in their
    // own way
    const contradictory =
      !this.#progressive && this.#process !== 3 && (first !== 0 || cursor.u8(at + 2 + 2 * count) !== 63);
    if (!contradictory && dataBytes * 8 < this.#leastBits(members)) {
      this.#defect ??= 'its image data is cut short: there is less of it than the image size needs';
    }
  }

  get #progressive(): boolean {
    return (this.#process & 3) === 2;
  }

  /**
   * The fewest bits that a scan's Huffman codes can take. A code has at least one bit. A sequential block has
   * one for its DC coefficient and one that ends its AC coefficients; a block of a progressive DC scan and a
   * lossless sample have one. 0 for arithmetic coding.
   */
  #leastBits(members: readonly Component[]): number {
    if (this.#process > 3 || this.#height === 0) return 0;
    const lossless = this.#process === 3;
    this.#blocks ??= blocksOf(
      this.#width,
      this.#height,
      this.#components.map(({ horizontal, vertical }) => [horizontal, vertical] as const),
      lossless ? 1 : 8,
    );
    const all = this.#blocks;
    const blocks = this.#components.reduce(
      (sum, component, index) => sum + (members.includes(component) ? all[index]! : 0),
      0,
    );
    return blocks * (lossless || this.#progressive ? 1 : 2);
  }

  /** Why the image that ends here is incomplete, or null. */
  defect(): string | null {
    if (this.#defect !== null) return this.#defect;
    if (!this.found) return 'it ends before the image data begins';
    if (this.#scans === 0) return 'it has no image data';
    if (this.#components.some((component) => !component.covered))
      return 'a colour component has no image data';
    return null;
  }

  /**
   * Writes what the headers say. `adobeTransform` comes from APP14, if there is one; the colour model is
   * determined as in libjpeg (jdapimin.c, default_decompress_parms).
   */
  describe(draft: FactsDraft, adobeTransform: number | undefined, jfif: boolean): void {
    draft.width = this.#width;
    draft.height = this.#height;
    draft.bitDepth = this.#precision;
    draft.channels = this.#components.length;
    draft.progressive = this.#progressive || this.#scans > 1;
    // T.81 B.2.2: sampling factors are 1 to 4.
    const isFactor = (factor: number) => factor >= 1 && factor <= 4;
    if (
      this.found &&
      this.#components.every((each) => isFactor(each.horizontal) && isFactor(each.vertical))
    ) {
      draft.jpeg = {
        sampling: this.#components.map(({ horizontal, vertical }) => [horizontal, vertical] as const),
        scans: this.#scans,
      };
    }
    const meanStep = this.#meanSteps.get(this.#components[0]?.table ?? -1) ?? 0;
    if (meanStep > 0) draft.density = { scanBytes: this.#scanBytes, meanStep };
    const ids = String.fromCharCode(...this.#components.map((component) => component.id));
    switch (this.#components.length) {
      case 1:
        draft.colour = 'grey';
        break;
      case 3:
        if (jfif) draft.colour = 'ycbcr';
        else if (adobeTransform !== undefined) draft.colour = adobeTransform === 0 ? 'rgb' : 'ycbcr';
        else draft.colour = ids === 'RGB' ? 'rgb' : 'ycbcr';
        break;
      case 4:
        draft.colour = adobeTransform === 2 ? 'ycck' : 'cmyk';
        break;
      default:
        draft.colour = 'unknown';
    }
  }
}
