import type { Holding } from './holding.ts';
import { isNewcomer, type Waiter, type WaitingLine } from './waiting_line.ts';

/** Whether the waiting call could go on without the holdings in `gone`. */
type FitsWithout = (gone: ReadonlySet<Holding>) => boolean;

/**
 * Whose memory is taken so that a waiting call can go on: nobody's where that would not be enough, or where
 * enough is on its way back already. In this order, and no more than necessary:
 *
 * 1. slow transfers, the slowest first;
 * 2. where no other call moves or works: calls that wait behind it with a file in hand, the last first. They
 *    would keep each other from going on.
 *
 * A job at work is never chosen.
 * @param turning time of the turning clock
 */
export function chooseTaken(
  waiter: Waiter,
  holdings: Iterable<Holding>,
  line: WaitingLine,
  turning: number,
  fitsWithout: FitsWithout,
): ReadonlySet<Holding> {
  const going = new Set<Holding>();
  const slow: Holding[] = [];
  let isAnyActive = false;
  for (const other of holdings) {
    if (other === waiter.holding || (other.waiting && !other.taken)) continue;
    if (other.taken) going.add(other);
    else if (other.pace?.isSlow(turning)) slow.push(other);
    else isAnyActive = true;
  }
  slow.sort((a, b) => (a.pace?.slowSince ?? 0) - (b.pace?.slowSince ?? 0));
  const isStuck = !isAnyActive && !isNewcomer(waiter);
  const behind = isStuck ? line.holdersBehind(waiter).filter(({ taken }) => !taken) : [];
  const candidates = [...slow, ...behind];
  if (candidates.length === 0 || fitsWithout(going)) return new Set();
  return fewest(candidates, (gone) => fitsWithout(new Set([...gone, ...going])));
}

/** Those of `candidates`, the first before the last, without which it fits, and no one more. */
function fewest(candidates: readonly Holding[], fitsWithout: FitsWithout): ReadonlySet<Holding> {
  const gone = new Set<Holding>();
  for (const candidate of candidates) {
    if (fitsWithout(gone)) break;
    gone.add(candidate);
  }
  if (!fitsWithout(gone)) return new Set();
  // One that went first may be in nobody's way: an answer, where uploads want more of their share.
  for (const candidate of [...gone].reverse()) {
    gone.delete(candidate);
    if (!fitsWithout(gone)) gone.add(candidate);
  }
  return gone;
}
