import type { SanitizeOptions } from '../../../client/index.ts';
import { type Box, type Size, type Target, type Turn, targetOf } from '../geometry.ts';
import {
  type Face,
  type Fill,
  type HiddenRegion,
  type PixelationPlan,
  planPixelation,
} from './pixelation_plan.ts';
import { chosenKinds } from './things.ts';

/** Everything that can be set on the page. Rectangles are in the frame (see geometry.ts). */
export interface Settings {
  readonly faces: boolean;
  /** Whether number plates and text are looked for and covered. */
  readonly plates: boolean;
  readonly text: boolean;
  /** Names of the operator's detectors to use, among those that the page offers. */
  readonly detectors: readonly string[];
  readonly regions: readonly HiddenRegion[];
  /** Tight boxes around findings of the second detection that the person wants visible. */
  readonly spared: readonly Box[];
  readonly faceFill: Fill;
  /** The turn of the frame. */
  readonly turn: Turn;
  readonly crop: Box | null;
  readonly strength: number;
  readonly confidence: number;
  readonly padding: number;
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
  spared: [],
  faceFill: 'mosaic',
  turn: 0,
  crop: null,
  strength: 3,
  confidence: 0.6,
  padding: 1.5,
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
 * @param detectedFaces findings, in the frame; empty if detection has not run
 * @param frame size of the whole upright, turned image
 */
export function planRequest(settings: Settings, detectedFaces: readonly Face[], frame: Size): RequestPlan {
  const given = [settings, detectedFaces, frame];
  if (!last?.given.every((one, at) => one === given[at]))
    last = { given, plan: newPlan(settings, detectedFaces, frame) };
  return last.plan;
}

function newPlan(settings: Settings, detectedFaces: readonly Face[], frame: Size): RequestPlan {
  const target = targetOf(frame, settings.crop, settings.maxWidth);
  const pixelation = planPixelation(
    { ...settings, kinds: chosenKinds(settings), detectedFaces },
    frame,
    target,
  );
  const asks = (kind: string) => pixelation.kinds.includes(kind);
  const detectors = settings.detectors.filter(asks);
  const { crop } = target;
  const isCropped = crop.w < frame.width || crop.h < frame.height;
  const pixelate = {
    ...(!pixelation.faces && { faces: false }),
    ...(pixelation.regions.length > 0 && { regions: pixelation.regions.map(sentRegion) }),
    ...(pixelation.except.length > 0 && { except: [...pixelation.except] }),
    ...(pixelation.faces && ifChanged(settings.faceFill, defaultSettings.faceFill, 'faceFill')),
    ...(settings.plates && asks('plate') && { plates: true }),
    ...(settings.text && asks('text') && { text: true }),
    ...(detectors.length > 0 && { detectors: Object.fromEntries(detectors.map((name) => [name, true])) }),
    ...ifChanged(settings.strength, defaultSettings.strength, 'strength'),
    ...(pixelation.faces && ifChanged(settings.confidence, defaultSettings.confidence, 'confidence')),
    ...(pixelation.faces && ifChanged(settings.padding, defaultSettings.padding, 'padding')),
  };
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
    ...(Object.keys(pixelate).length > 0 && { pixelate }),
    ...(Object.keys(output).length > 0 && { output }),
  };
  return { ops, target, pixelation };
}

/** Removes fill and shape if they equal the service's defaults. */
const sentRegion = ({ fill, shape, ...box }: HiddenRegion) => ({
  ...box,
  ...(fill !== 'mosaic' && { fill }),
  ...(shape === 'ellipse' && { shape }),
});

/** The value under its name, or nothing if it is the default. */
function ifChanged<K extends string, V>(value: V, defaultValue: V, name: K): Partial<Record<K, V>> {
  return (value === defaultValue ? {} : { [name]: value }) as Partial<Record<K, V>>;
}
