import { expect, it } from 'vitest';
import { allBlockNames, inputFormats } from '../../src/vocabulary/vocabulary.ts';
import { allFixtures, fixtures } from '../fixtures/metadata/all.ts';

it('has the formats and the names of blocks that files are found to have, and no more', () => {
  expect(Object.keys(fixtures).sort()).toEqual([...inputFormats].sort());
  const found = new Set(allFixtures.flatMap(({ blocks }) => blocks));
  expect([...found].sort()).toEqual([...allBlockNames].sort());
});
