import type { GeoPoint } from './world_map.ts';

/** A town and its distance. */
export interface NearTown {
  readonly name: string;
  /** ISO 3166-1 alpha-2 */
  readonly country: string;
  /** In a straight line over the sphere. */
  readonly kilometres: number;
}

/** Steps of the table per degree, as in scripts/playground/towns.mjs. */
const STEPS = 50;
/** Mean radius of the Earth in kilometres (IUGG, R1). */
const EARTH = 6371;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Kilometres between two places, on a sphere (haversine formula). */
function distance(a: GeoPoint, b: GeoPoint): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const across = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  const share = half(a.latitude, b.latitude) + across * half(a.longitude, b.longitude);
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(share)));
}

/**
 * The town in a table that is nearest to a place. @param table in the format of scripts/playground/towns.mjs
 */
export function nearestTown(table: string, place: GeoPoint): NearTown | null {
  let nearest: NearTown | null = null;
  let [country, north, east] = ['', 0, 0];
  for (const line of table.split('\n')) {
    const [name, dy, dx] = line.split('\t') as [string, string?, string?];
    if (dy === undefined || dx === undefined) {
      country = name;
      continue;
    }
    north += Number(dy);
    east += Number(dx);
    const kilometres = distance(place, { latitude: north / STEPS, longitude: east / STEPS });
    if (!nearest || kilometres < nearest.kilometres) nearest = { name, country, kilometres };
  }
  return nearest;
}
