import { env } from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';
import { missingTools, missingToolsLine } from '../fixtures/tools.ts';
import { allowedSkips } from './allowed_skips.ts';
import { judgeSkips } from './skips.ts';

/**
 * What a run of tests ends with: where REQUIRE_TOOLS is set, the tests that were skipped, and a failure if
 * one may not be; and one line about the tools that are missing.
 */
export default class ClosingLines implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (env.REQUIRE_TOOLS) {
      const tests = modules.flatMap(({ relativeModuleId, children }) =>
        [...children.allTests()].map((test) => ({
          name: `${relativeModuleId} > ${test.fullName}`,
          skipped: test.result().state === 'skipped',
        })),
      );
      const { lines, faults } = judgeSkips(tests, allowedSkips);
      for (const line of [...lines, ...faults]) console.log(line);
      if (faults.length > 0) process.exitCode = 1;
    }
    const line = missingToolsLine(missingTools());
    if (line) console.log(line);
  }
}
