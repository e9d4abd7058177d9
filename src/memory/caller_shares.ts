import type { Caller, Holding, WantedShare } from './holding.ts';
import { areSafe, type UploadClaim } from './safe_uploads.ts';

/** The share of the memory for files that are being received or wait for their job. */
const RECEIVING_SHARE = 0.5;
/** The share of the memory for such files of all callers without a key together. */
const ANONYMOUS_SHARE = 0.375;
/** The share of the memory for such files of one caller. */
const CALLER_SHARE = 0.25;
/** The share of the memory for jobs and unread answers of one caller, or of all callers without a key. */
const WORKING_SHARE = 0.5;

/** What the rules look at in the other holdings. */
export type OtherHolding = Pick<Holding, 'caller' | 'phase' | 'bytes' | 'most'>;

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
 * Whether a job may begin. Jobs and unread answers of one caller, and those of all callers without a key,
 * take at most half of the memory, so that the other half is there for whoever comes: nobody gets memory back
 * before a job ends or an answer is read. One alone may take more.
 */
export function mayWork(
  { bytes }: Pick<WantedShare, 'bytes'>,
  caller: Caller | undefined,
  others: readonly OtherHolding[],
  capacity: number,
): boolean {
  const busy = others.filter(({ phase }) => phase === 'working' || phase === 'sending');
  return groupsOf(caller).every(({ has }) => {
    const held = sumOf(busy.filter(has));
    return held === 0 || held + bytes <= capacity * WORKING_SHARE;
  });
}

/** Whether a job of this caller is at work. */
export const hasJob = (caller: Caller | undefined, others: readonly OtherHolding[]): boolean =>
  caller !== undefined && others.some((other) => other.phase === 'working' && other.caller?.id === caller.id);
