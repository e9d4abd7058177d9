import type { Holding } from './holding.ts';
import { isNewcomer, type Waiter, type WaitingLine } from './waiting_line.ts';

/** Whether the waiting call could go on without the holdings in `gone`. */
type FitsWithout = (gone: ReadonlySet<Holding>) => boolean;

/**
 * Chooses whom to evict so that a waiting call can go on: nobody's if that would not be enough, or if
 * enough is on its way back already. Evicts no more than necessary, in this order:
 *
 * 1. slow transfers, the slowest first;
 * 2. if no other call transfers or works: calls that wait behind this one and hold memory, the last first.
 *    They would block each other.
 *
 * A job at work is never chosen.
 * @param turning time of the turning clock
 */
export function chooseEvicted(
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
    if (other === waiter.holding || (other.waiting && !other.evicted)) continue;
    if (other.evicted) going.add(other);
    else if (other.pace?.isSlow(turning)) slow.push(other);
    else isAnyActive = true;
  }
  slow.sort((a, b) => (a.pace?.slowSince ?? 0) - (b.pace?.slowSince ?? 0));
  const isStuck = !isAnyActive && !isNewcomer(waiter);
  const behind = isStuck ? line.holdersBehind(waiter).filter(({ evicted }) => !evicted) : [];
  const candidates = [...slow, ...behind];
  if (candidates.length === 0 || fitsWithout(going)) return new Set();
  return fewest(candidates, (gone) => fitsWithout(new Set([...gone, ...going])));
}

/** The candidates that must go so that the call fits, preferring the first ones; no more than necessary. */
function fewest(candidates: readonly Holding[], fitsWithout: FitsWithout): ReadonlySet<Holding> {
  const gone = new Set<Holding>();
  for (const candidate of candidates) {
    if (fitsWithout(gone)) break;
    gone.add(candidate);
  }
  if (!fitsWithout(gone)) return new Set();
  // One that was chosen early may turn out not to matter: an answer, if uploads need more of their own share.
  for (const candidate of [...gone].reverse()) {
    gone.delete(candidate);
    if (!fitsWithout(gone)) gone.add(candidate);
  }
  return gone;
}
