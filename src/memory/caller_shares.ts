import type { Caller, Holding, WantedShare } from './holding.ts';
import { areSafe, type UploadClaim } from './safe_uploads.ts';

/** The share of the memory for files that are being received or wait for their job. */
const RECEIVING_SHARE = 0.5;
/** The share of the memory for such files of all callers without a key together. */
const ANONYMOUS_SHARE = 0.375;
/** The share of the memory for such files of one caller. */
const CALLER_SHARE = 0.25;
/** The share of the memory for long jobs of one caller, or of all callers without a key. */
const LONG_JOBS_SHARE = 0.5;

/** What the rules look at in the other holdings. */
export type OtherHolding = Pick<Holding, 'caller' | 'phase' | 'bytes' | 'most' | 'isLong'>;

interface Group {
  readonly share: number;
  has(other: OtherHolding): boolean;
}

/** The groups that a caller shares memory with: first the caller's own calls. */
function groupsOf(caller: Caller | undefined): Group[] {
  if (!caller) return [];
  const own = { share: CALLER_SHARE, has: (other: OtherHolding) => other.caller?.id === caller.id };
  if (!caller.isAnonymous) return [own];
  return [own, { share: ANONYMOUS_SHARE, has: (other: OtherHolding) => other.caller?.isAnonymous === true }];
}

/**
 * Whether a file may be received beside what others hold. It must fit into the share of files, so that the
 * rest is left for jobs, and into its caller's share, so that the rest is left for other callers. In any case
 * uploads can finish one after the other, and the largest of a group may take all it asks for.
 * @param capacity all the memory without the part kept for small calls
 * @param ofKept it fits into that part: then there is room for it, within its caller's share
 */
export function mayReceive(
  want: UploadClaim,
  caller: Caller | undefined,
  others: readonly OtherHolding[],
  capacity: number,
  ofKept = false,
): boolean {
  const uploads = others.filter(({ phase }) => phase === 'receiving' || phase === 'received');
  if (!ofKept && !areSafe([want, ...uploads], capacity * RECEIVING_SHARE)) return false;
  return groupsOf(caller).every(({ share, has }) =>
    areSafe([want, ...uploads.filter(has)], capacity * share),
  );
}

const sumOf = (holdings: readonly OtherHolding[]) => holdings.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Whether a job may begin. Not while its caller's unread answers hold more than the caller's share, since the
 * job's answer would only add to them. Nor if it is long and would take more than half of the memory together
 * with other long jobs of its caller, since nobody gets that memory back before they end. A single long job
 * may take more.
 */
export function mayWork(
  { bytes, isLong }: Pick<WantedShare, 'bytes' | 'isLong'>,
  caller: Caller | undefined,
  others: readonly OtherHolding[],
  capacity: number,
): boolean {
  const unread = others.filter(({ phase }) => phase === 'sending');
  const long = isLong ? others.filter((other) => other.phase === 'working' && other.isLong) : [];
  return groupsOf(caller).every(({ share, has }) => {
    const held = sumOf(long.filter(has));
    const mayJoin = held === 0 || held + bytes <= capacity * LONG_JOBS_SHARE;
    return mayJoin && sumOf(unread.filter(has)) <= capacity * share;
  });
}

/** Whether a job of this caller is at work. */
export const hasJob = (caller: Caller | undefined, others: readonly OtherHolding[]): boolean =>
  caller !== undefined && others.some((other) => other.phase === 'working' && other.caller?.id === caller.id);
