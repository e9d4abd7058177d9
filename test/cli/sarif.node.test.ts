import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { sarifOf } from '../../src/cli/sarif.ts';

const block = { name: 'exif', start: 20, bytes: 300 };

it('has what SARIF 2.1.0 requires: schema, version, driver, results with message, rule and place', () => {
  const document = sarifOf([{ path: './in/a b.jpg', blocks: [block] }], true, '1.0.0');
  expect(document).toEqual({
    $schema: expect.stringMatching(/sarif-schema-2\.1\.0\.json$/),
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'image-sanitizer',
            version: '1.0.0',
            rules: [
              {
                id: 'exif',
                shortDescription: { text: expect.any(String) },
                defaultConfiguration: { level: 'error' },
              },
            ],
          },
        },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
        results: [
          {
            ruleId: 'exif',
            level: 'error',
            message: { text: 'exif at bytes 20 to 319' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'in/a%20b.jpg' },
                  region: { byteOffset: 20, byteLength: 300 },
                },
              },
            ],
          },
        ],
      },
    ],
  });
});

it('tells of refused files, whose run was no success, and sorts by path', () => {
  const path = resolve('b.jpg');
  const document = sarifOf(
    [
      { path: 'z.jpg', blocks: [block] },
      { path, refusal: 'cut\noff' },
      { path: 'a.jpg', blocks: [{ ...block, name: 'icc' }, block] },
    ],
    true,
  ) as { runs: [{ results: { ruleId: string }[]; tool: { driver: object }; invocations: object[] }] };
  const [{ results, tool, invocations }] = document.runs;
  expect(results.map(({ ruleId }) => ruleId)).toEqual(['icc', 'exif', 'exif']);
  expect(tool.driver).toMatchObject({ rules: [{ id: 'exif' }, { id: 'icc' }] });
  expect(tool.driver).not.toHaveProperty('version');
  expect(invocations).toMatchObject([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [
        {
          message: { text: `${path}: cut\\u000aoff` },
          locations: [{ physicalLocation: { artifactLocation: { uri: pathToFileURL(path).href } } }],
        },
      ],
    },
  ]);
});

it('is no success where files were not looked at', () => {
  const { runs } = sarifOf([], false) as { runs: { invocations: object[] }[] };
  expect(runs[0]!.invocations[0]).toMatchObject({ executionSuccessful: false });
});
