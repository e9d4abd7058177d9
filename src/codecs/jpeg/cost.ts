import { type JpegEighths, jpegDecodeBytes, MAX_SCANS } from '../../core/jpeg/decode.ts';
import { PAGE_BYTES } from '../../core/memory_pool.ts';
import { heldBytesFor } from '../../core/sizes.ts';
import type { MemoryCost } from '../../memory/memory_cost.ts';
import type { FileFacts, JpegFacts } from '../../metadata/facts.ts';
import type { Want } from '../types.ts';

/**
 * The sampling that takes the most memory: in one scan an MCU has at most 10 blocks (T.81 B.2.3), in several
 * scans up to 16 for each component.
 */
const worstSampling = (channels: number, singleScan: boolean): JpegFacts['sampling'] => {
  if (channels <= 1) return [[1, 1]];
  if (!singleScan) return Array.from({ length: channels }, () => [1, 4] as const);
  const tall: JpegFacts['sampling'] = [
    [1, 4],
    [1, 4],
    [1, 1],
    [1, 1],
  ];
  return channels === 3 ? [tall[0]!, tall[1]!, [1, 2]] : tall;
};

/**
 * The most bytes that reading a JPEG holds in addition to its compressed bytes: what the core states, plus
 * the page of WASM memory in which the compressed bytes end. If the facts do not tell the layout, the worst
 * is assumed.
 */
export function jpegDecodeCost(facts: FileFacts, want: Want): MemoryCost {
  const { width, height, channels, jpeg, orientation } = facts;
  const singleScan = !facts.progressive;
  const bytes = jpegDecodeBytes({
    width: Math.max(1, width),
    height: Math.max(1, height),
    sampling: jpeg?.sampling ?? worstSampling(channels, singleScan),
    singleScan,
    scans: jpeg?.scans ?? MAX_SCANS,
    eighths: eighthsFor(width, want),
    keepsLow: want.forResizing ?? false,
    componentsOnly: want.componentsOnly ?? false,
    checkpoints: orientation >= 3,
  });
  return { inCores: heldBytesFor([bytes]) + PAGE_BYTES, elsewhere: 0 };
}

/** The eighths that a decoder shrinks to. */
const SHRUNK: readonly JpegEighths[] = [1, 2, 4];
/**
 * The scales that only resizing uses, and how many times the wanted columns each must leave at least: one or
 * two frequencies of a block are too few to represent those near the limit.
 */
const SHRUNK_FOR_RESIZING: readonly (readonly [eighths: JpegEighths, times: number])[] = [
  [1, 4 / 3],
  [2, 4 / 3],
  [3, 1],
  [4, 1],
  [5, 1],
];

/** The fewest eighths that leave at least `minWidth` columns; full size without it. */
export function eighthsFor(width: number, { minWidth, forResizing }: Want): JpegEighths {
  if (minWidth === undefined) return 8;
  const columns = (eighths: number) => Math.ceil((width * eighths) / 8);
  if (!forResizing) return SHRUNK.find((eighths) => columns(eighths) >= minWidth) ?? 8;
  return SHRUNK_FOR_RESIZING.find(([eighths, of]) => columns(eighths) >= minWidth * of)?.[0] ?? 8;
}
