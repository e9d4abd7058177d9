import type { Caller, Holding, WantedShare } from './holding.ts';
import { areSafe, type UploadClaim } from './safe_uploads.ts';

/** Of all the memory, what the files that are received or wait for their job may take. */
const RECEIVING_SHARE = 0.5;
/** Of all the memory, what those of callers without a key may take together. */
const ANONYMOUS_SHARE = 0.375;
/** Of all the memory, what those of one caller may take. */
const CALLER_SHARE = 0.25;
/** Of all the memory, what long jobs of one caller, or of all callers without a key, may take. */
const LONG_JOBS_SHARE = 0.5;

/** What is looked at of the holdings beside one that wants memory. */
export type Beside = Pick<Holding, 'caller' | 'phase' | 'bytes' | 'most' | 'isLong'>;

interface Group {
  readonly share: number;
  has(other: Beside): boolean;
}

/** Those with whom a caller shares, itself first. */
function groupsOf(caller: Caller | undefined): Group[] {
  if (!caller) return [];
  const own = { share: CALLER_SHARE, has: (other: Beside) => other.caller?.id === caller.id };
  if (!caller.isAnonymous) return [own];
  return [own, { share: ANONYMOUS_SHARE, has: (other: Beside) => other.caller?.isAnonymous === true }];
}

/**
 * Whether a file may be received beside what others hold: within what is left to files at all, so that the
 * rest is for jobs, and within its caller's part of that, so that the rest is for other callers. One after
 * the other always ends, and the largest of a group may take all it asks for.
 * @param capacity all the memory, without what is kept for small calls
 * @param ofKept it fits into that: there is always room for it, within its caller's part
 */
export function mayReceive(
  want: UploadClaim,
  caller: Caller | undefined,
  beside: readonly Beside[],
  capacity: number,
  ofKept = false,
): boolean {
  const uploads = beside.filter(({ phase }) => phase === 'receiving' || phase === 'received');
  if (!ofKept && !areSafe([want, ...uploads], capacity * RECEIVING_SHARE)) return false;
  return groupsOf(caller).every(({ share, has }) =>
    areSafe([want, ...uploads.filter(has)], capacity * share),
  );
}

const sumOf = (holdings: readonly Beside[]) => holdings.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Whether a job may begin: not while its caller leaves more answers unread than its part of the memory, since
 * what it makes would only add to them; and no long one that would take more than half together with others
 * of its caller, since nobody gets that back before they have ended. One alone may.
 */
export function mayWork(
  { bytes, isLong }: Pick<WantedShare, 'bytes' | 'isLong'>,
  caller: Caller | undefined,
  beside: readonly Beside[],
  capacity: number,
): boolean {
  const unread = beside.filter(({ phase }) => phase === 'sending');
  const long = isLong ? beside.filter((other) => other.phase === 'working' && other.isLong) : [];
  return groupsOf(caller).every(({ share, has }) => {
    const held = sumOf(long.filter(has));
    const mayJoin = held === 0 || held + bytes <= capacity * LONG_JOBS_SHARE;
    return mayJoin && sumOf(unread.filter(has)) <= capacity * share;
  });
}

/** Whether a caller has a job at work. */
export const hasJob = (caller: Caller | undefined, beside: readonly Beside[]): boolean =>
  caller !== undefined && beside.some((other) => other.phase === 'working' && other.caller?.id === caller.id);
