import type { SanitizeOptions } from '../../../client/index.ts';
import { type Box, type Size, type Target, targetOf } from '../geometry.ts';
import {
  ifChanged,
  type Known,
  type PixelationChoices,
  type PixelationPlan,
  pixelationDefaults,
  planPixelation,
} from './pixelation_plan.ts';

/** Everything that can be set on the page. Rectangles are in the frame (see geometry.ts). */
export interface Settings extends PixelationChoices {
  readonly crop: Box | null;
  readonly grayscale: boolean;
  /** `auto`: that of the original (output_format.ts); requests contain the resulting format instead. */
  readonly format: 'auto' | 'jpeg' | 'png' | 'webp';
  /** `auto`: from the quality of the original (output_format.ts). */
  readonly quality: number | 'auto';
  readonly maxWidth: number | undefined;
}

/** The service's defaults. */
export const defaultSettings: Settings & { readonly quality: number } = {
  faces: true,
  plates: false,
  text: false,
  detectors: [],
  regions: [],
  faceFill: 'mosaic',
  turn: 0,
  crop: null,
  ...pixelationDefaults,
  grayscale: false,
  format: 'jpeg',
  quality: 92,
  maxWidth: undefined,
};

/** A sanitize request, and what it will do. */
export interface RequestPlan {
  /** The ops that are sent; members that equal the default are left out. */
  readonly ops: SanitizeOptions;
  readonly target: Target;
  readonly pixelation: PixelationPlan;
}

/** The last plan, and its inputs: several parts of the page request the same plan at each change. */
let last: { readonly given: readonly unknown[]; readonly plan: RequestPlan } | null = null;

/**
 * The request for these settings.
 * @param frame size of the whole upright, turned image
 */
export function planRequest(settings: Settings, known: Known, frame: Size): RequestPlan {
  const given = [settings, known.detectedFaces, known.kindsLookedFor, frame];
  if (!last?.given.every((one, at) => one === given[at]))
    last = { given, plan: newPlan(settings, known, frame) };
  return last.plan;
}

function newPlan(settings: Settings, known: Known, frame: Size): RequestPlan {
  const target = targetOf(frame, settings.crop, settings.maxWidth);
  const pixelation = planPixelation(settings, known, frame, target);
  const { crop } = target;
  const isCropped = crop.w < frame.width || crop.h < frame.height;
  const format = settings.format === 'auto' ? 'jpeg' : settings.format;
  const output = {
    ...(format !== 'jpeg' && { format }),
    ...(format !== 'png' &&
      settings.quality !== 'auto' &&
      ifChanged(settings.quality, defaultSettings.quality, 'quality')),
    ...(settings.maxWidth !== undefined && { maxWidth: settings.maxWidth }),
  };
  const ops: SanitizeOptions = {
    ...(settings.turn !== 0 && { rotate: settings.turn }),
    ...(isCropped && { crop: { x: crop.x, y: crop.y, width: crop.w, height: crop.h } }),
    ...(settings.grayscale && { grayscale: true }),
    ...(Object.keys(pixelation.pixelate).length > 0 && { pixelate: pixelation.pixelate }),
    ...(Object.keys(output).length > 0 && { output }),
  };
  return { ops, target, pixelation };
}
