import { describe, expect, it } from 'vitest';
import { worldLand } from '../../../scripts/playground/world_land.mjs';
import { MAP_HEIGHT, MAP_WIDTH, project } from '../../../src/playground/findings/world_map.ts';

type Point = readonly [latitude: number, longitude: number];

/** Cities some way from the coast, by their coordinates. */
const ashore: Record<string, Point> = {
  Chicago: [41.9, -87.7],
  Winnipeg: [49.9, -97.1],
  Fairbanks: [64.8, -147.7],
  'Mexico City': [19.4, -99.1],
  Bogotá: [4.7, -74.1],
  Brasília: [-15.8, -47.9],
  'La Paz': [-16.5, -68.1],
  Córdoba: [-31.4, -64.2],
  Madrid: [40.4, -3.7],
  Paris: [48.9, 2.35],
  Birmingham: [52.5, -1.9],
  Munich: [48.1, 11.6],
  Kiruna: [67.9, 20.2],
  Warsaw: [52.2, 21],
  Ankara: [39.9, 32.9],
  Moscow: [55.8, 37.6],
  Yakutsk: [62, 129.7],
  Novosibirsk: [55, 82.9],
  Tehran: [35.7, 51.4],
  Riyadh: [24.7, 46.7],
  Delhi: [28.6, 77.2],
  Chengdu: [30.7, 104.1],
  Mandalay: [22, 96.1],
  Nagano: [36.6, 138.2],
  Bamako: [12.6, -8],
  Cairo: [30, 31.2],
  Timbuktu: [16.8, -3],
  Nairobi: [-1.3, 36.8],
  Kinshasa: [-4.3, 15.3],
  Johannesburg: [-26.2, 28],
  Antananarivo: [-18.9, 47.5],
  'Alice Springs': [-23.7, 133.9],
  Canberra: [-35.3, 149.1],
  'South Pole': [-90, 0],
};

/** Places in the middle of seas. */
const atSea: Record<string, Point> = {
  'North Atlantic': [40, -40],
  'South Atlantic': [-30, -10],
  'North Pacific': [35, -160],
  'South Pacific': [-30, -120],
  'Indian Ocean': [-20, 80],
  Mediterranean: [34.5, 18],
  'Black Sea': [43.3, 34.5],
  'Caspian Sea': [40, 51.2],
  Baltic: [57, 19.5],
  'North Sea': [56, 3],
  'Red Sea': [20, 38.3],
  'Persian Gulf': [27.5, 51],
  'Bay of Bengal': [15, 88],
  'South China Sea': [14, 115],
  'Sea of Japan': [40, 134],
  'Sea of Okhotsk': [55, 150],
  'Hudson Bay': [60, -86],
  'Gulf of Mexico': [25, -90],
  Caribbean: [15, -73],
  'Gulf of California': [27.5, -111.5],
  'Gulf of Guinea': [2, 3],
  'Tasman Sea': [-38, 160],
  'Gulf of Carpentaria': [-14, 139],
  'Bering Sea': [58, -178],
  'Arctic Ocean': [83.5, 0],
};

/** Whether a point of the map lies in the path, by the even-odd rule. */
function isLand(path: string, x: number, y: number): boolean {
  let inside = false;
  for (const outline of path.split('Z').filter(Boolean)) {
    const corners = outline
      .slice(1)
      .split('L')
      .map((pair) => pair.split(' ').map(Number) as [number, number]);
    for (const [i, [x1, y1]] of corners.entries()) {
      const [x2, y2] = corners.at(i - 1)!;
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    }
  }
  return inside;
}

describe('the map of the world', () => {
  const path = worldLand();
  const landAt = ([latitude, longitude]: Point) => {
    const { x, y } = project({ latitude, longitude });
    return isLand(path, x, Math.min(y, MAP_HEIGHT - 0.01));
  };

  it('has cities on land and the middles of seas in water', () => {
    const wet = Object.entries(ashore).filter(([, point]) => !landAt(point));
    const dry = Object.entries(atSea).filter(([, point]) => landAt(point));
    expect(wet.map(([name]) => name)).toEqual([]);
    expect(dry.map(([name]) => name)).toEqual([]);
  });

  it('lies within its frame, and is a small file', () => {
    const numbers = path.match(/-?[\d.]+/g)!.map(Number);
    const xs = numbers.filter((_, i) => i % 2 === 0);
    const ys = numbers.filter((_, i) => i % 2 === 1);
    expect(Math.min(...xs, ...ys)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...xs)).toBeLessThanOrEqual(MAP_WIDTH);
    expect(Math.max(...ys)).toBeLessThanOrEqual(MAP_HEIGHT);
    expect(path.length).toBeLessThan(32_000);
  });

  it('puts places where degrees say, round the globe and held at the upper edge', () => {
    expect(project({ latitude: 0, longitude: 0 })).toEqual({ x: 180, y: 84 });
    expect(project({ latitude: 84, longitude: -180 })).toEqual({ x: 0, y: 0 });
    expect(project({ latitude: -90, longitude: 180 })).toEqual({ x: MAP_WIDTH, y: MAP_HEIGHT });
    expect(project({ latitude: 89, longitude: 190 })).toEqual({ x: 10, y: 0 });
    expect(project({ latitude: 10, longitude: -190 })).toEqual({ x: 350, y: 74 });
  });
});
