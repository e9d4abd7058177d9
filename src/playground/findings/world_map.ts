/** The map's size in its own units: one unit is one degree. */
export const MAP_WIDTH = 360;
export const MAP_HEIGHT = 174;
/** Latitude of the upper edge, as in scripts/playground/world_land.mjs; the lower edge is the South Pole. */
const NORTH = 84;

export interface GeoPoint {
  /** Decimal degrees, north and east positive. */
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * The position of a place on the map: equirectangular, x and y from the upper left corner in its units.
 * Longitudes beyond 180° wrap around; places north of 84° lie on the upper edge.
 */
export function project({ latitude, longitude }: GeoPoint): { x: number; y: number } {
  const x = longitude === 180 ? MAP_WIDTH : (((longitude + 180) % 360) + 360) % 360;
  return { x, y: Math.min(Math.max(NORTH - latitude, 0), MAP_HEIGHT) };
}
