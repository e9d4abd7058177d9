import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { townTable } from '../../../scripts/playground/towns.mjs';
import { nearestTown } from '../../../src/playground/findings/nearest_town.ts';

const table = townTable();

it.each([
  ['in Munich', 48.1372, 11.5755, 'Munich', 'DE', 3],
  ['beyond the date line from Suva', -17.5, -179.9, 'Suva', 'FJ', 250],
  ['in Sydney', -33.8583, 151.2111, 'Sydney', 'AU', 8],
  ['at sea south of Iceland', 62, -20, 'Reykjavík', 'IS', 300],
])('the nearest town %s', (_, latitude, longitude, name, country, within) => {
  const town = nearestTown(table, { latitude, longitude });
  expect(town).toMatchObject({ name, country });
  expect(town!.kilometres).toBeLessThan(within);
});

it('is none in an empty table', () => {
  expect(nearestTown('', { latitude: 0, longitude: 0 })).toBeNull();
});

it('is of a table of at most 60 KB', () => {
  expect(gzipSync(table, { level: 9 }).length).toBeLessThanOrEqual(60 * 1024);
  expect(gzipSync(table, { level: 9 }).length).toBeGreaterThan(30 * 1024);
});
