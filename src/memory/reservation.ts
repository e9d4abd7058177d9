/**
 * A share of the isolate's memory, held until disposed of. It begins when a file is received or work begins,
 * and may last until the answer is sent.
 *
 * While something is received or sent, the owner calls `moved` for every piece, and `requirePace` several
 * times a second: its throwing is how memory is taken back. Nobody else could end the transfer, since in a
 * Worker no request can touch the streams of another.
 */
export interface Reservation extends Disposable {
  /** Bytes that it holds now. */
  readonly bytes: number;
  /**
   * While receiving: waits until this many bytes can be held in all.
   * @param outsideCores how many of them lie outside of cores
   * @throws what `MemoryBudget.reserve` throws; SlowTransferFault if the memory was taken back
   */
  extendTo(bytes: number, outsideCores: number, signal?: AbortSignal): Promise<void>;
  /**
   * The whole file has arrived and holds this many bytes. They can no longer be taken back because it was
   * slow.
   */
  received(bytes: number, outsideCores: number): void;
  /**
   * Waits until this many bytes can be held in all; parameters as of `MemoryBudget.reserve`. The result takes
   * over everything that this reservation holds.
   * @throws what `reserve` throws; OverloadedFault also if calls that wait with a file in hand block each
   * other and this is the last of them. This one then still holds what it held
   */
  growTo(
    bytes: number,
    what: string,
    signal?: AbortSignal,
    outsideCores?: number,
    isLong?: boolean,
  ): Promise<Reservation>;
  /** Gives back all but this many bytes, and says how many of them lie outside of cores. Never grows. */
  shrinkTo(bytes: number, outsideCores: number): void;
  /**
   * Takes all that is free now; the part kept for small calls only if there is little else.
   * @param outsideShare the share of it that may come to lie outside of cores, 0 to 1
   */
  takeFree(outsideShare: number): void;
  /** The work is done: from now on an answer of this many bytes is read from this memory. */
  startSending(bytes: number): void;
  /** Counts bytes that were received or sent. */
  moved(bytes: number): void;
  /**
   * @throws SlowTransferFault when the transfer must end because others wait; Fault 'stalled' when it takes
   * too long
   */
  requirePace(): void;
}
