/** Where two lists of numbers differ first, −1 for nowhere: much faster than a comparison that explains. */
export function firstDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return i;
  return -1;
}
