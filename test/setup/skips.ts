/** Tests that may be skipped where everything they could need is installed. */
export interface AllowedSkip {
  /** Path of a file, or of a file and then names of suites and tests, between ` > `: what begins so. */
  readonly name: string;
  readonly why: string;
  /** Whether the reason holds on this machine; absent: it may hold anywhere. */
  readonly holds?: boolean;
}

/** A test of a run: its file and the names around it, between ` > `. */
interface RunTest {
  readonly name: string;
  readonly skipped: boolean;
}

const covers = (allowed: AllowedSkip, name: string) =>
  name === allowed.name || name.startsWith(`${allowed.name} > `);
const fileOf = (name: string) => name.split(' > ')[0];

/**
 * Holds the skipped tests of a run against a list.
 * @returns a line for each that was skipped as allowed, and one for each fault: a test that was skipped and
 * is not listed, or whose reason does not hold here, and an entry for a file of this run that names no test
 * of it
 */
export function judgeSkips(tests: readonly RunTest[], list: readonly AllowedSkip[]) {
  const lines: string[] = [];
  const faults: string[] = [];
  for (const { name } of tests.filter(({ skipped }) => skipped)) {
    const reasons = list.filter((allowed) => covers(allowed, name));
    const reason = reasons.find(({ holds = true }) => holds);
    if (reason) lines.push(`Skipped, as allowed: ${name} (${reason.why})`);
    else if (reasons[0]) faults.push(`Skipped without its reason (${reasons[0].why}): ${name}`);
    else faults.push(`Skipped and not allowed: ${name}`);
  }
  const files = new Set(tests.map(({ name }) => fileOf(name)));
  for (const allowed of list) {
    const isOfRun = files.has(fileOf(allowed.name));
    if (isOfRun && !tests.some(({ name }) => covers(allowed, name))) {
      faults.push(`Allowed to be skipped, and there is no such test: ${allowed.name}`);
    }
  }
  return { lines, faults };
}
