import { expect, it } from 'vitest';
import { Cursor } from '../../src/metadata/cursor.ts';
import { Payloads } from '../../src/metadata/payloads.ts';
import { scan } from '../../src/metadata/scan.ts';
import { resultOf } from '../../src/metadata/scan_as.ts';
import { scanLateInParts } from '../../src/metadata/scan_late.ts';
import { allFixtures } from '../fixtures/metadata/all.ts';

it.each(allFixtures)('tells what scan tells: $name', async ({ bytes }) => {
  const found = [new Payloads(), new Payloads()] as const;
  const facts = scan(bytes, new Cursor(bytes), found[0]);
  const parts = await scanLateInParts(bytes, new Cursor(bytes), found[1]);
  expect(parts && resultOf(parts)).toEqual(facts);
  expect(found[1].found.length).toBe(found[0].found.length);
});

it('tells of no file of another format', async () => {
  expect(await scanLateInParts(new TextEncoder().encode('%PDF-1.7'))).toBeNull();
  expect(await scanLateInParts(new Uint8Array(0))).toBeNull();
});
