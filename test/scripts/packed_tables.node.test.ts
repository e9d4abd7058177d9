import { globSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { unpackTables } from '../../scripts/core/compile.mjs';

/** CRC-32 of the numbers as the AV1 specification prints them, with commas between. */
const PRINTED: Readonly<Record<string, number>> = {
  COEFFICIENT_DEFAULTS_0: 2_958_955_079,
  COEFFICIENT_DEFAULTS_1: 2_079_430_396,
  COEFFICIENT_DEFAULTS_2: 567_853_263,
  COEFFICIENT_DEFAULTS_3: 3_702_191_202,
  MODE_DEFAULTS: 4_270_407_875,
  GAUSSIAN_SEQUENCE: 2_717_534_491,
  DC_STEPS: 2_928_553_507,
  AC_STEPS: 3_934_217_073,
  FUNDAMENTAL: 3_829_595_353,
};

it('packed tables have the numbers of the standard', () => {
  const found = globSync('wasm/assembly/**/*.ts').flatMap((path) => {
    const source = readFileSync(path, 'utf8');
    if (!source.includes('packed(`')) return [];
    const tables = unpackTables(source).matchAll(/const (\w+): usize = memory\.data<\w+>\(\[([^\]]*)\]\)/g);
    return [...tables].map(([, name, numbers]) => [name, crc32(numbers!)] as const);
  });
  expect(Object.fromEntries(found)).toEqual(PRINTED);
});
