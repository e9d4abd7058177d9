import type { Caller, Holding, WantedShare } from './holding.ts';

/** Of all the memory, what a service keeps for small calls. */
export const KEPT_SHARE = 0.1;
/** A file of at most such a part of what is kept is small: its job may be. */
const SMALL_FILE = 3 / 20;
/** Of what is kept, the part that files may take. */
const FILES_SHARE = 3 / 5;

/** Bytes that are held beside a call. */
interface HeldBeside {
  readonly all: number;
  /** Of these, those of small jobs and of small files. */
  readonly smallJobs: number;
  readonly smallFiles: number;
}

const isFile = ({ phase }: Pick<Holding, 'phase'>) => phase === 'receiving' || phase === 'received';

/** What is held, in sums. */
export function heldBeside(beside: readonly Pick<Holding, 'bytes' | 'phase' | 'isSmall'>[]): HeldBeside {
  let [all, smallJobs, smallFiles] = [0, 0, 0];
  for (const { bytes, phase, isSmall } of beside) {
    all += bytes;
    if (isSmall && isFile({ phase })) smallFiles += bytes;
    else if (isSmall) smallJobs += bytes;
  }
  return { all, smallJobs, smallFiles };
}

/**
 * Whether a call may take of the kept part: a job that fits into it and does not hold it for long, or a file
 * whose job may.
 * @param kept bytes of that part
 */
export function isSmall({ phase, bytes, most, isLong }: WantedShare, kept: number): boolean {
  return phase === 'receiving' ? most <= kept * SMALL_FILE : bytes <= kept && !isLong;
}

/** Whether a job is larger than all the memory but what is kept. It takes that as well. */
export const needsKept = ({ bytes }: WantedShare, capacity: number, kept: number): boolean =>
  bytes > capacity - kept;

/**
 * Whether a call leaves to small ones what is kept for them: all but these leave all of it, however many they
 * are, small files as much as their jobs need, and small jobs all of it to those of other callers, unless
 * they are their caller's only ones.
 * @param hasJob its caller has a job at work
 */
export function leavesKept(
  want: WantedShare,
  held: HeldBeside,
  capacity: number,
  kept: number,
  hasJob = false,
): boolean {
  const { all, smallJobs, smallFiles } = held;
  const toFiles = kept * FILES_SHARE;
  if (isSmall(want, kept) && want.phase === 'receiving') return all + want.bytes <= capacity - kept + toFiles;
  if (isSmall(want, kept)) return !hasJob || all + want.bytes <= capacity - kept;
  const large = all - smallJobs - Math.min(smallFiles, toFiles);
  return needsKept(want, capacity, kept) || large + want.bytes <= capacity - kept;
}

/**
 * Whether a small file fits into what such files may take of the kept part, one of each caller: it waits
 * neither for files of others nor for calls that were passed too often, which could not take that anyway.
 * @param smallBytes that small calls hold
 * @param beside all that is held, its own too
 */
export function fitsIntoKept(
  want: WantedShare,
  caller: Caller | undefined,
  smallBytes: number,
  beside: Iterable<Pick<Holding, 'caller' | 'phase' | 'isSmall' | 'bytes'>>,
  kept: number,
): boolean {
  if (!isSmall(want, kept) || smallBytes + want.most > kept * FILES_SHARE) return false;
  if (!caller) return true;
  for (const other of beside)
    if (other.isSmall && isFile(other) && other.caller?.id === caller.id) return false;
  return true;
}

/** What a job may take that turns out larger: all but the kept part first, that as well where it must. */
export const spareBytes = (freeBytes: number, kept: number): number =>
  freeBytes > 2 * kept ? freeBytes - kept : freeBytes;
