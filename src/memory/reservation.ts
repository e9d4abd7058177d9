/**
 * A share of the isolate's memory, held until disposed of. It begins with receiving a file or with the work,
 * and may end with sending the answer.
 *
 * While something is received or sent, its owner calls `moved` with every piece and `requirePace` several
 * times a second: the memory may be taken back by the latter. Nobody else could do that, since in a Worker no
 * request can touch the streams of another.
 */
export interface Reservation extends Disposable {
  /** What it holds now. */
  readonly bytes: number;
  /**
   * While receiving: waits until so much can be held in all.
   * @param outsideCores of which so much lies outside of cores
   * @throws what `MemoryBudget.reserve` throws; SlowTransferFault if it was taken back
   */
  extendTo(bytes: number, outsideCores: number, signal?: AbortSignal): Promise<void>;
  /** All has arrived, and holds so many bytes: nobody can take them back any more. */
  received(bytes: number, outsideCores: number): void;
  /**
   * Waits until so much can be held in all; parameters as of `MemoryBudget.reserve`. All that this one holds
   * goes over to the result.
   * @throws what `reserve` throws; OverloadedFault also where those who wait with a file in hand keep each
   * other from going on, and this is the last of them. This one then still holds what it held
   */
  growTo(
    bytes: number,
    what: string,
    signal?: AbortSignal,
    outsideCores?: number,
    isLong?: boolean,
  ): Promise<Reservation>;
  /** Gives back all but so many bytes, of which so many lie outside of cores. Never more than is held. */
  shrinkTo(bytes: number, outsideCores: number): void;
  /**
   * Takes whatever nobody holds just now; what is kept for small calls only where there is little else.
   * @param outsideShare of which so much may come to lie outside of cores, 0 to 1
   */
  takeFree(outsideShare: number): void;
  /** The work is done: from now on an answer of so many bytes is read from this memory. */
  startSending(bytes: number): void;
  /** So many more bytes were received or sent. */
  moved(bytes: number): void;
  /**
   * @throws SlowTransferFault when what is received or sent has to end because others wait; Fault 'stalled'
   * when it takes too long
   */
  requirePace(): void;
}
