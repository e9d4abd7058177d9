import type { Caller, Holding, WantedShare } from './holding.ts';

/** The share of all memory that a service keeps for small calls. */
export const KEPT_SHARE = 0.1;
/** A file is small up to this share of the kept part: its job may be small, too. */
const SMALL_FILE = 3 / 20;
/** The share of the kept part that files may take. */
const FILES_SHARE = 3 / 5;

/** Bytes that other calls hold. */
interface HeldByOthers {
  readonly all: number;
  /** Of these, those of small jobs and of small files. */
  readonly smallJobs: number;
  readonly smallFiles: number;
}

const isFile = ({ phase }: Pick<Holding, 'phase'>) => phase === 'receiving' || phase === 'received';

/** Sums up what other calls hold. */
export function heldByOthers(others: readonly Pick<Holding, 'bytes' | 'phase' | 'isSmall'>[]): HeldByOthers {
  let [all, smallJobs, smallFiles] = [0, 0, 0];
  for (const { bytes, phase, isSmall } of others) {
    all += bytes;
    if (isSmall && isFile({ phase })) smallFiles += bytes;
    else if (isSmall) smallJobs += bytes;
  }
  return { all, smallJobs, smallFiles };
}

/**
 * Whether a call may use the kept part: a job that fits into it and does not hold it for long, or a file that
 * may have such a job.
 * @param kept bytes of that part
 */
export function isSmall({ phase, bytes, most, isLong }: WantedShare, kept: number): boolean {
  return phase === 'receiving' ? most <= kept * SMALL_FILE : bytes <= kept && !isLong;
}

/** Whether a job needs more than all the rest of the memory, and so uses the kept part as well. */
export const needsKeptPart = ({ bytes }: WantedShare, capacity: number, kept: number): boolean =>
  bytes > capacity - kept;

/**
 * Whether a call leaves enough of the kept part to small calls. Small files leave what jobs need of it. Small
 * jobs leave all of it to those of other callers, unless they are their caller's only job. All other calls
 * together leave all of it.
 * @param hasJob its caller has a job at work
 */
export function leavesKeptPart(
  want: WantedShare,
  held: HeldByOthers,
  capacity: number,
  kept: number,
  hasJob = false,
): boolean {
  const { all, smallJobs, smallFiles } = held;
  const toFiles = kept * FILES_SHARE;
  if (isSmall(want, kept)) {
    if (want.phase === 'receiving') return all + want.bytes <= capacity - kept + toFiles;
    return !hasJob || all + want.bytes <= capacity - kept;
  }
  const large = all - smallJobs - Math.min(smallFiles, toFiles);
  return needsKeptPart(want, capacity, kept) || large + want.bytes <= capacity - kept;
}

/**
 * Whether a small file fits into the files' share of the kept part, one file for each caller. Then it waits
 * neither for other callers' files nor for calls that were passed too often, which could not use that part
 * anyway.
 * @param smallBytes that small calls hold
 * @param others all that is held, including by this call
 */
export function fitsIntoKeptPart(
  want: WantedShare,
  caller: Caller | undefined,
  smallBytes: number,
  others: Iterable<Pick<Holding, 'caller' | 'phase' | 'isSmall' | 'bytes'>>,
  kept: number,
): boolean {
  if (!isSmall(want, kept) || smallBytes + want.most > kept * FILES_SHARE) return false;
  if (!caller) return true;
  for (const other of others)
    if (other.isSmall && isFile(other) && other.caller?.id === caller.id) return false;
  return true;
}

/**
 * The free bytes that a job may take if it turns out larger than predicted: the kept part only if little else
 * is free.
 */
export const spareBytes = (freeBytes: number, kept: number): number =>
  freeBytes > 2 * kept ? freeBytes - kept : freeBytes;
