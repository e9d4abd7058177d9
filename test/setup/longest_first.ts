import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of the slow lane that take longest. Where no earlier run is known, as on a CI, Vitest would begin
 * with the files of most bytes, and leave one processor idle while the last of these runs.
 */
export const LONG = [
  'test/sanitize/job_memory.slow.node.test.ts',
  'test/metadata/properties.slow.test.ts',
  'test/metadata/values/properties.slow.test.ts',
  'test/api/refusals.slow.node.test.ts',
  'test/codecs/avif/fuzz.slow.node.test.ts',
  'test/browser/library_in_page.test.ts',
  'test/codecs/webp/fuzz.slow.node.test.ts',
  'test/metering/account_model.slow.test.ts',
  'test/metadata/values/hostile.slow.test.ts',
  'test/library/package.slow.node.test.ts',
  'test/library/recipes.slow.node.test.ts',
  'test/contract/negative.slow.test.ts',
  'test/cli/program.slow.node.test.ts',
  'test/metering/meter.model.slow.node.test.ts',
  'test/corpus.slow.node.test.ts',
  'test/codecs/webp/cwebp.slow.node.test.ts',
  'test/codecs/png/fuzz.slow.test.ts',
  'test/scripts/worst.slow.node.test.ts',
  'test/metadata/hostile.slow.test.ts',
  'test/api/routes/sanitize.slow.test.ts',
  'test/served/runtimes.slow.node.test.ts',
  'test/browser/layout.test.ts',
  'test/browser/avif_pictures.test.ts',
  'test/browser/hiding.test.ts',
  'test/browser/editing.test.ts',
];

/** Begins every group with those, in this order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = (file: TestSpecification) => file.project.config.sequence.groupOrder;
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((path) => moduleId.endsWith(path));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => order(a) - order(b) || place(a) - place(b));
  }
}
