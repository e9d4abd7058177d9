/** How often it is asked whether a transfer may go on. */
const WATCH_MS = 250;

/**
 * The result of `work`, e.g. of reading from a sender who may be slow. While it is not there, `check` is
 * called four times a second: what it throws ends the waiting.
 */
export async function watched<Result>(
  work: Promise<Result>,
  check: () => void,
  everyMs = WATCH_MS,
): Promise<Result> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      try {
        check();
      } catch (error) {
        reject(error);
      }
    }, everyMs);
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearInterval(timer);
  }
}
