import { DEFAULT_CONFIDENCE, DEFAULT_VIEWS, type Detector } from '../detectors/detector.ts';
import { searchBytes, searchViews, wantedWidth } from '../detectors/search.ts';
import type { FaceDetector } from '../faces/detector.ts';
import { ParameterFault } from '../faults.ts';
import type { DetectOps, SanitizeOps } from '../ops/schema.ts';
import type { ReadableDetector } from '../readable/detector.ts';
import { type MapKind, mapKinds, readingModel } from '../readable/model.ts';
import { OWN_KINDS } from '../vocabulary/own_kinds.ts';
import type { Finder, Finders, HidingRule } from './finder.ts';
import type { Runtime } from './runtime.ts';

/** What ops may say of one thing to find. */
type Rule =
  | boolean
  | {
      readonly confidence?: number | undefined;
      readonly padding?: number;
      readonly fill?: HidingRule['fill'];
    };

/** The part of a runtime that finders come from. */
type FinderRuntime = Pick<Runtime, 'detector' | 'readable' | 'detectors'>;

const DEFAULT_PADDING = 1.1;

/** A rule with defaults for what ops leave out. */
const ruleOf = (rule: Rule) => {
  const { confidence, padding = DEFAULT_PADDING, fill = 'solid' } = typeof rule === 'object' ? rule : {};
  return { confidence, padding, fill } as const;
};

/**
 * The finders that ops ask for. Areas that are given take the place of a first search, unless that is asked
 * for as well.
 * @throws ParameterFault for what this runtime can't find
 */
export function findersFor({ pixelate }: Pick<SanitizeOps, 'pixelate'>, runtime: FinderRuntime): Finders {
  const { faces, plates, text, detectors, verify, areas, padding, faceFill, confidence } = pixelate;
  const by = { padding, fill: faceFill };
  const faceFinderOf = (effort: FaceEffort) => faceFinder(runtime.detector, effort, confidence, by);
  const readable = readableFinder({ plate: plates, text }, runtime, 'pixelate');
  const quick = readable ? [readable.coarse] : [];
  return {
    first: [
      ...(faces ? [faceFinderOf('thorough')] : []),
      ...(readable ? [readable.thorough] : []),
      ...detectorFinders(detectors, runtime, 'pixelate.detectors'),
    ],
    around: [...(faces ? [faceFinderOf('one_read')] : []), ...quick],
    again: verify ? [...(faces || areas ? [faceFinderOf('one_read')] : []), ...quick] : [],
  };
}

/** The same for `detect`. @throws ParameterFault for what this runtime can't find */
export function findersForDetect(
  { kinds, detectors, confidence, padding }: DetectOps,
  runtime: FinderRuntime,
): Finder[] {
  const named = kinds.filter((kind) => !OWN_KINDS.includes(kind));
  const sought = { plate: kinds.includes('plate'), text: kinds.includes('text') };
  const readable = readableFinder(sought, runtime, 'kinds');
  return [
    ...(kinds.includes('face')
      ? [faceFinder(runtime.detector, 'thorough', confidence, { padding, fill: 'mosaic' })]
      : []),
    ...(readable ? [readable.thorough] : []),
    ...detectorFinders(Object.fromEntries(named.map((name) => [name, true])), runtime, 'kinds'),
    ...detectorFinders(detectors, runtime, 'detectors'),
  ];
}

type FaceEffort = Parameters<FaceDetector['detect']>[1]['effort'];

function faceFinder(detector: FaceDetector, effort: FaceEffort, confidence: number, by: HidingRule): Finder {
  return {
    // All of the picture, then the crops of a zoom pass.
    reads: effort === 'one_read' ? 1 : 2,
    wantedWidth: (size) => detector.wantedWidth(size),
    cost: (size) => detector.cost(size),
    async find(source, slice) {
      const { faces, belowConfidence } = await detector.detect(source, {
        confidence,
        effort,
        slice,
      });
      return { found: faces.map((face) => ({ ...face, kind: 'face', by })), doubtful: belowConfidence };
    },
  };
}

/**
 * The search for text and plates, with all views and with that of the whole; undefined if neither is asked
 * for.
 */
function readableFinder(
  rules: Readonly<Partial<Record<MapKind, Rule>>>,
  { readable }: Pick<Runtime, 'readable'>,
  path: string,
): { readonly thorough: Finder; readonly coarse: Finder } | undefined {
  const asked = mapKinds.filter((kind) => (rules[kind] ?? false) !== false);
  if (asked.length === 0) return undefined;
  if (!readable)
    throw new ParameterFault(path, `Expected no ${asked.join(' or ')}: nothing here can find it`);
  const ruleFor = new Map(asked.map((kind) => [kind, ruleOf(rules[kind]!)]));
  const least = new Map(
    asked.map((kind) => [kind, ruleFor.get(kind)!.confidence ?? readingModel.confidence[kind]]),
  );
  const finder = (effort: Parameters<ReadableDetector['read']>[1]['effort']): Finder => ({
    reads: 1,
    wantedWidth: (size) => readable.wantedWidth(size),
    cost: (size) => readable.cost(size),
    // The whole alone is a small part of all views, and reading is counted anyway.
    work: (size) => (effort === 'thorough' ? readable.work(size) : 0),
    find: async (source, slice) => ({
      found: (await readable.read(source, { least, effort, slice })).map((box) => ({
        ...box,
        by: ruleFor.get(box.kind)!,
      })),
      doubtful: [],
    }),
  });
  return { thorough: finder('thorough'), coarse: finder('coarse') };
}

function detectorFinders(
  rules: SanitizeOps['pixelate']['detectors'] | DetectOps['detectors'],
  { detectors = [] }: Pick<Runtime, 'detectors'>,
  path: string,
): Finder[] {
  return Object.entries(rules ?? {}).flatMap(([name, rule]) => {
    const detector = detectors.find((one) => one.name === name);
    if (!detector) {
      const known = detectors.map((one) => one.name).join(', ');
      const expected = known ? `one of ${known}` : 'none, as there are no further detectors here,';
      throw new ParameterFault(`${path}.${name}`, `Expected ${expected} but received ${name}`);
    }
    return rule === false ? [] : [finderBy(detector, rule as Rule)];
  });
}

/** The work of a detector of one's own is for its owner to know. */
function finderBy(detector: Detector, rule: Rule): Finder {
  const { name, views = DEFAULT_VIEWS } = detector;
  const { confidence = detector.confidence ?? DEFAULT_CONFIDENCE, ...hiding } = ruleOf(rule);
  const by = { name, ...hiding };
  return {
    reads: views.length,
    wantedWidth: (size) => wantedWidth(detector, size),
    cost: (size) => ({ inCores: 0, elsewhere: searchBytes(detector, size) }),
    find: async (source, slice, signal) => ({
      found: (await searchViews(source, detector, confidence, slice, signal)).map((box) => ({ ...box, by })),
      doubtful: [],
    }),
  };
}
