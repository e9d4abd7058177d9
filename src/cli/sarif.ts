import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CarriedBlock, placeOf } from './check_text.ts';
import { printable } from './printable.ts';

/** The result of `check` for a file: its blocks, or why it was refused. */
export type Checked =
  | { readonly path: string; readonly blocks: readonly CarriedBlock[] }
  | { readonly path: string; readonly refusal: string };

/**
 * The findings as a SARIF 2.1.0 document (OASIS, 27 March 2020, errata 01): a rule for each kind of block, a
 * result for each block, a notification for each refused file. Files are sorted by path.
 * @param isWhole whether every file was examined
 */
export function sarifOf(checked: readonly Checked[], isWhole: boolean, version?: string): object {
  const sorted = checked.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const results = sorted.flatMap((file) =>
    'blocks' in file ? file.blocks.map((block) => resultOf(file.path, block)) : [],
  );
  const refusals = sorted.flatMap((file) => ('refusal' in file ? [notificationOf(file)] : []));
  const kinds = [...new Set(results.map(({ ruleId }) => ruleId))].sort();
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'image-sanitizer', ...(version && { version }), rules: kinds.map(ruleOf) } },
        invocations: [
          { executionSuccessful: isWhole && refusals.length === 0, toolExecutionNotifications: refusals },
        ],
        results,
      },
    ],
  };
}

const ruleOf = (name: string) => ({
  id: name,
  shortDescription: { text: `A picture carries metadata of the kind ${name}.` },
  defaultConfiguration: { level: 'error' },
});

const resultOf = (path: string, block: CarriedBlock) => ({
  ruleId: block.name,
  level: 'error',
  message: { text: `${block.name} at ${placeOf(block)}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: uriOf(path) },
        region: { byteOffset: block.start, byteLength: block.bytes },
      },
    },
  ],
});

const notificationOf = ({ path, refusal }: { readonly path: string; readonly refusal: string }) => ({
  level: 'error',
  message: { text: printable(`${path}: ${refusal}`) },
  locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(path) } } }],
});

/** A relative path stays a relative reference: code scanning resolves it from the root of the checkout. */
function uriOf(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return path
    .split(sep)
    .filter((part, i) => part !== '.' || i > 0)
    .map(encodeURIComponent)
    .join('/');
}
