import { DEFAULT_CONFIDENCE, type Detector } from '../detectors/detector.ts';
import { ParameterFault } from '../faults.ts';
import type { DetectOps, SanitizeOps } from '../ops/schema.ts';
import type { Runtime } from './runtime.ts';

/** A detector that a job asks for, and what it asks of it. */
export interface ChosenDetector {
  readonly detector: Detector;
  readonly confidence: number;
  readonly padding: number;
  readonly fill: 'mosaic' | 'solid';
}

type Rules = SanitizeOps['pixelate']['detectors'] | DetectOps['detectors'];

const DEFAULT_PADDING = 1.1;

/**
 * The detectors that ops name.
 * @param path of the ops that name them
 * @throws ParameterFault for one that this runtime has not
 */
export function chosenDetectors(
  rules: Rules,
  { detectors = [] }: Pick<Runtime, 'detectors'>,
  path: string,
): ChosenDetector[] {
  return Object.entries(rules ?? {}).flatMap(([name, rule]) => {
    const detector = detectors.find((one) => one.name === name);
    if (!detector) {
      const known = detectors.map((one) => one.name).join(', ');
      const expected = known ? `one of ${known}` : 'none, as there are no further detectors here,';
      throw new ParameterFault(`${path}.${name}`, `Expected ${expected} but received ${name}`);
    }
    if (rule === false) return [];
    const {
      confidence,
      padding = DEFAULT_PADDING,
      fill = 'solid',
    } = rule === true ? {} : (rule as Partial<Omit<ChosenDetector, 'detector'>>);
    return [{ detector, confidence: confidence ?? detector.confidence ?? DEFAULT_CONFIDENCE, padding, fill }];
  });
}
