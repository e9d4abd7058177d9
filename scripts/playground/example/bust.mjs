/**
 * A bust of stone, drawn by following rays to the surface that a distance function describes (sphere tracing:
 * Hart, 1996): nobody's face, but what the face detector takes for one. Units: half a head is 1 high; x to
 * the right, y up, z to the viewer. The numbers are the sculptor's.
 */

const { abs, min, max, sqrt, sin } = Math;
const hypot = (x, y, z) => sqrt(x * x + y * y + z * z);

/** The union of two bodies whose seam is rounded over a width of k (Quilez, polynomial smooth minimum). */
function joined(a, b, k) {
  const h = max(0, k - abs(a - b)) / k;
  return min(a, b) - h * h * k * 0.25;
}
/** The first body without the second. */
const without = (a, b, k) => -joined(-a, b, k);

function ellipsoid(x, y, z, rx, ry, rz) {
  const a = x / rx;
  const b = y / ry;
  const c = z / rz;
  const near = hypot(a, b, c);
  const slope = hypot(a / rx, b / ry, c / rz);
  return slope === 0 ? -min(rx, ry, rz) : (near * (near - 1)) / slope;
}

/** A rod with round ends from a to b, of another radius at each. */
function rod(x, y, z, ax, ay, az, bx, by, bz, ra, rb) {
  const dx = bx - ax;
  const dy = by - ay;
  const dz = bz - az;
  const px = x - ax;
  const py = y - ay;
  const pz = z - az;
  const at = max(0, min(1, (px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz)));
  return hypot(px - dx * at, py - dy * at, pz - dz * at) - (ra + (rb - ra) * at);
}

/** Nothing of the head lies farther from its plain shape than this. */
const RELIEF = 0.35;

/** Distance to the head, hair aside. @param s distance from the middle plane: both halves are one */
function head(s, y, z) {
  let d = ellipsoid(s, y - 0.22, z + 0.12, 0.66, 0.8, 0.82);
  d = joined(d, ellipsoid(s, y + 0.28, z - 0.1, 0.53, 0.72, 0.6), 0.25);
  if (d > 2 * RELIEF) return d - RELIEF;
  d = joined(d, ellipsoid(s, y + 0.8, z - 0.42, 0.19, 0.15, 0.17), 0.2);
  d = joined(d, ellipsoid(s - 0.36, y + 0.16, z - 0.44, 0.15, 0.14, 0.15), 0.22);
  // Brow, sockets, balls, lids.
  d = joined(d, rod(s, y, z, 0.08, 0.19, 0.66, 0.42, 0.22, 0.5, 0.07, 0.045), 0.12);
  d = without(d, ellipsoid(s - 0.265, y - 0.03, z - 0.72, 0.17, 0.11, 0.15), 0.12);
  d = min(d, hypot(s - 0.262, y - 0.03, z - 0.51) - 0.125);
  const lid = hypot(s - 0.262, y - 0.03, z - 0.505) - 0.145;
  d = joined(d, max(lid, 0.085 - y - 2.4 * (s - 0.262) * (s - 0.262)), 0.02);
  d = joined(d, max(lid, y + 0.022), 0.02);
  // Nose.
  d = joined(d, rod(s, y, z, 0, 0.14, 0.64, 0, -0.24, 0.83, 0.055, 0.07), 0.1);
  d = joined(d, ellipsoid(s, y + 0.27, z - 0.81, 0.09, 0.075, 0.095), 0.06);
  d = joined(d, ellipsoid(s - 0.1, y + 0.29, z - 0.72, 0.06, 0.055, 0.08), 0.05);
  d = without(d, ellipsoid(s - 0.055, y + 0.345, z - 0.77, 0.03, 0.025, 0.045), 0.03);
  // Mouth: its mound, both lips, the line between them and at its ends, the furrow under the nose.
  d = joined(d, ellipsoid(s, y + 0.55, z - 0.46, 0.28, 0.2, 0.2), 0.15);
  d = joined(d, rod(s, y, z, 0.03, -0.495, 0.665, 0.23, -0.538, 0.595, 0.038, 0.02), 0.03);
  d = joined(d, rod(s, y, z, 0, -0.605, 0.66, 0.19, -0.572, 0.61, 0.048, 0.026), 0.04);
  d = without(d, rod(s, y, z, 0, -0.547, 0.715, 0.255, -0.54, 0.615, 0.013, 0.011), 0.02);
  d = without(d, ellipsoid(s, y + 0.42, z - 0.71, 0.025, 0.05, 0.025), 0.05);
  const ear = ellipsoid(s - 0.66, y + 0.02, z + 0.04, 0.06, 0.2, 0.13);
  return joined(d, without(ear, ellipsoid(s - 0.73, y, z - 0.05, 0.05, 0.12, 0.08), 0.05), 0.05);
}

/** Distance to hair in carved locks. */
function hair(x, y, z) {
  const s = abs(x);
  const cap = ellipsoid(x, y - 0.26, z + 0.1, 0.75, 0.84, 0.88);
  if (cap > 0.3) return cap - 0.08;
  const around = Math.atan2(x, y - 0.1);
  const locks = 0.028 * sin(26 * around + 3 * sin(6 * z + 4 * y)) * sin(9 * z + 5 * y + 2 * sin(7 * around));
  // Above the brow and behind the ears.
  const edge = min(0.6 - 0.42 * s * s - y + 0.03 * sin(17 * x), z + 0.05 + 0.3 * y);
  return max(cap + locks, edge, -0.42 - y);
}

/** Distance to neck, chest and what they stand on. */
function trunk(s, y, z) {
  if (y > -0.2) return 0.45 + y;
  const neck = rod(s, y, z, 0, -0.7, -0.1, 0, -1.6, -0.22, 0.32, 0.38);
  const chest = joined(neck, ellipsoid(s, y + 2.1, z + 0.25, 1.12, 0.72, 0.5), 0.28);
  // The lower edge is an arc.
  const cut = max(chest, hypot(s, y + 1.05, 0) - 1.62);
  const foot = max(hypot(s, 0, z + 0.25) - 0.3 - 0.12 * abs(y + 2.78), abs(y + 2.95) - 0.22) - 0.02;
  const base = max(s - 0.85, abs(y + 5.1) - 1.95, abs(z + 0.25) - 0.6) - 0.03;
  return min(cut, foot, base);
}

function distance(x, y, z) {
  const s = abs(x);
  return min(joined(head(s, y, z), trunk(s, y, z), 0.1), hair(x, y, z));
}

/** Light from above the left shoulder of the viewer, as in the street behind. */
const KEY = unit(-0.5, 0.62, 0.7);

function unit(x, y, z) {
  const length = hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Veins and stains: -1 to 1. */
const vein = (x, y, z) =>
  sin(7 * x + 4 * sin(3 * y + z) + 2 * sin(11 * z)) * 0.6 + sin(19 * y + 6 * sin(5 * x + 9 * z)) * 0.4;

function lightAt(x, y, z) {
  const e = 0.004;
  const [nx, ny, nz] = unit(
    distance(x + e, y, z) - distance(x - e, y, z),
    distance(x, y + e, z) - distance(x, y - e, z),
    distance(x, y, z + e) - distance(x, y, z - e),
  );
  // How much of the sky is seen from here.
  let open = 1;
  for (const reach of [0.05, 0.14, 0.3])
    open -= 0.3 * max(0, 1 - distance(x + nx * reach, y + ny * reach, z + nz * reach) / reach);
  const facing = max(0, nx * KEY[0] + ny * KEY[1] + nz * KEY[2]);
  let lit = facing > 0 ? 1 : 0;
  for (let t = 0.04; t < 1.3 && lit > 0.02; ) {
    const d = distance(x + KEY[0] * t, y + KEY[1] * t, z + KEY[2] * t);
    lit = min(lit, max(0, (8 * d) / t));
    t += max(0.03, d);
  }
  const s = abs(x);
  let stone = 0.5 + 0.025 * vein(x, y, z);
  // Iris and pupil are carved, brows and lips a little darker.
  const inEye = hypot(s - 0.262, y - 0.03, z - 0.51) < 0.13 ? sqrt((s - 0.255) ** 2 + (y - 0.035) ** 2) : 1;
  if (inEye < 0.068) stone *= inEye < 0.03 ? 0.25 : 0.5;
  const light = facing * lit * 1.15 + (0.55 + 0.45 * ny) * 0.5 * max(0.1, open) + max(0, nx) * 0.12 + 0.05;
  const warmth = facing * lit;
  const dirt = 1 - 0.35 * (1 - max(0, open));
  return [
    stone * light * dirt * (1 + 0.04 * warmth),
    stone * light * dirt * (0.965 + 0.01 * warmth),
    stone * light * dirt * (0.93 - 0.06 * warmth + 0.05 * (1 - warmth)),
  ];
}

/** Where a ray straight into the picture meets the stone; null where it meets nothing. */
function meeting(x, y) {
  if (abs(x) > 1.3 || y > 1.3) return null;
  for (let z = 1, step = 0; step < 80 && z > -1.2; step++) {
    const d = distance(x, y, z);
    if (d < 0.002) return z;
    z -= d * 0.85;
  }
  return null;
}

/**
 * @param {number} width of the drawing; the head takes up a little less than half of it
 * @param {number} height
 * @returns {Float32Array} red, green, blue of linear light and cover for each pixel, 0 to 1
 */
export function drawBust(width, height) {
  const pixels = new Float32Array(width * height * 4);
  const scale = width / 2.7;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5 - width / 2) / scale;
      const y = 1.25 - (row + 0.5) / scale;
      const z = meeting(x, y);
      if (z !== null) pixels.set([...lightAt(x, y, z), 1], (row * width + column) * 4);
    }
  }
  return pixels;
}
