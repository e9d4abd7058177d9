import { Buffer } from 'node:buffer';
import { Transform, type TransformCallback } from 'node:stream';

const LINE_FEED = 0x0a;

/**
 * Passes on complete lines of bytes, each with its line end. A reader of messages then need not append each
 * chunk to the previous ones and search all of it again: a line of 25 MB comes in 400 chunks, and that work
 * would grow with the square of their number. Lines that are too long are dropped.
 */
export class WholeLines extends Transform {
  readonly #most: number;
  readonly #onTooLong: () => void;
  readonly #takes: (line: Buffer) => boolean;
  readonly #ready: (() => Promise<void>) | undefined;
  #pieces: Buffer[] = [];
  #length = 0;

  /**
   * @param most bytes of a line, including its line end
   * @param onTooLong called at the end of a longer line
   * @param takes whether a line is passed on
   * @param ready awaited after each line, before the next; must not reject. Absent: nothing is awaited
   */
  constructor(
    most: number,
    onTooLong: () => void,
    takes: (line: Buffer) => boolean = () => true,
    ready?: () => Promise<void>,
  ) {
    super();
    this.#ready = ready;
    this.#takes = takes;
    this.#most = most;
    this.#onTooLong = onTooLong;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pass(chunk, done);
  }

  #pass(chunk: Buffer, done: TransformCallback): void {
    for (let from = 0; from < chunk.length; ) {
      const feed = chunk.indexOf(LINE_FEED, from);
      const end = feed < 0 ? chunk.length : feed + 1;
      this.#take(chunk.subarray(from, end));
      from = end;
      if (feed < 0) break;
      this.#endLine();
      if (!this.#ready) continue;
      const rest = chunk.subarray(from);
      void this.#ready().then(() => this.#pass(rest, done));
      return;
    }
    done();
  }

  #take(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.#most) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #endLine(): void {
    const pieces = this.#pieces;
    const isTooLong = this.#length > this.#most;
    this.#pieces = [];
    this.#length = 0;
    const line = isTooLong ? undefined : Buffer.concat(pieces);
    if (!line) this.#onTooLong();
    else if (this.#takes(line)) this.push(line);
  }
}
