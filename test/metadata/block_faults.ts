import type { FileFacts } from '../../src/metadata/facts.ts';

/**
 * What is wrong with the blocks and profile pieces of a scan: outside the file, empty, out of order. Empty
 * when nothing is.
 */
export function faultsOf(facts: FileFacts, length: number): string[] {
  const faults: string[] = [];
  let before = { start: 0, end: Number.POSITIVE_INFINITY };
  for (const block of facts.blocks) {
    const { name, start, end } = block;
    if (!Number.isInteger(start) || !Number.isInteger(end)) faults.push(`${name} has no whole offsets`);
    if (!(start >= 0 && start < end && end <= length))
      faults.push(`${name} [${start}, ${end}) leaves the file`);
    if (start < before.start || (start === before.start && end > before.end))
      faults.push(`${name} is out of order`);
    before = block;
  }
  for (const { start, end } of facts.colorimetry?.icc?.pieces ?? []) {
    if (!(start >= 0 && start <= end && end <= length))
      faults.push(`profile piece [${start}, ${end}) leaves the file`);
  }
  for (const side of [facts.width, facts.height, facts.frames, facts.channels, facts.bitDepth]) {
    if (!(side >= 0)) faults.push(`${side} is no measure`);
  }
  if (facts.complete !== (facts.defect === undefined))
    faults.push('complete and defect contradict each other');
  return faults;
}
