import type { SanitizeOptions } from '../../client/index.ts';
import { type Box, type Size, type Target, targetOf } from './geometry.ts';
import { type Face, type HidingPlan, planHiding } from './hiding.ts';

/** Everything a person can set. Rectangles are in the frame: pixels of the whole upright picture. */
export interface Settings {
  readonly faces: boolean;
  readonly regions: readonly Box[];
  readonly crop: Box | null;
  readonly strength: number;
  readonly confidence: number;
  readonly padding: number;
  readonly grayscale: boolean;
  readonly format: 'jpeg' | 'png' | 'webp';
  readonly quality: number;
  readonly maxWidth: number | undefined;
}

/** The service's own defaults. */
export const defaultSettings: Settings = {
  faces: true,
  regions: [],
  crop: null,
  strength: 3,
  confidence: 0.6,
  padding: 1.5,
  grayscale: false,
  format: 'jpeg',
  quality: 92,
  maxWidth: undefined,
};

export interface Order {
  /** What is sent; members that equal the default are left out. */
  readonly ops: SanitizeOptions;
  readonly target: Target;
  readonly plan: HidingPlan;
}

/** @param found faces as `detect` gave them, tight; empty when it was not asked */
export function orderFor(settings: Settings, found: readonly Face[], frame: Size): Order {
  const target = targetOf(frame, settings.crop, settings.maxWidth);
  const plan = planHiding({ ...settings, found }, frame, target);
  const { crop } = target;
  const isCropped = crop.w < frame.width || crop.h < frame.height;
  const pixelate = {
    ...(!plan.faces && { faces: false }),
    ...(plan.regions.length > 0 && { regions: [...plan.regions] }),
    ...differing(plan.strength, defaultSettings.strength, 'strength'),
    ...(plan.faces && differing(settings.confidence, defaultSettings.confidence, 'confidence')),
    ...(plan.faces && differing(settings.padding, defaultSettings.padding, 'padding')),
  };
  const output = {
    ...differing(settings.format, defaultSettings.format, 'format'),
    ...(settings.format !== 'png' && differing(settings.quality, defaultSettings.quality, 'quality')),
    ...(settings.maxWidth !== undefined && { maxWidth: settings.maxWidth }),
  };
  const ops: SanitizeOptions = {
    ...(isCropped && { crop: { x: crop.x, y: crop.y, width: crop.w, height: crop.h } }),
    ...(settings.grayscale && { grayscale: true }),
    ...(Object.keys(pixelate).length > 0 && { pixelate }),
    ...(Object.keys(output).length > 0 && { output }),
  };
  return { ops, target, plan };
}

function differing<K extends string, V>(value: V, usual: V, name: K): Partial<Record<K, V>> {
  return (value === usual ? {} : { [name]: value }) as Partial<Record<K, V>>;
}
