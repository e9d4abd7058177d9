import { defaultSettings } from '../settings/ops.ts';
import { LEAST_QUALITY } from '../settings/output_format.ts';
import type { PageSettings, Result } from '../state.ts';

/** Least reduction of the quality, and the reduction for a file twice as long as its original. */
const LEAST_STEP = 5;
const STEPS_FOR_TWICE = 30;

/**
 * Settings that make a result smaller that is longer than its original; null if it is not longer, or if the
 * settings that make it long were chosen by the person.
 */
export function smaller(
  { report, request, sourceBytes }: Pick<Result, 'report' | 'request' | 'sourceBytes'>,
  { format, quality }: Pick<PageSettings, 'format' | 'quality'>,
): { readonly format: 'webp' } | { readonly quality: number } | null {
  if (report.bytes <= sourceBytes) return null;
  const made = request.ops.output ?? {};
  if (made.format === 'png') return format === 'auto' ? { format: 'webp' } : null;
  const before = made.quality ?? defaultSettings.quality;
  if (quality !== 'auto' || before <= LEAST_QUALITY) return null;
  const step = Math.round((report.bytes / sourceBytes - 1) * STEPS_FOR_TWICE);
  return { quality: Math.max(LEAST_QUALITY, before - Math.max(LEAST_STEP, step)) };
}
