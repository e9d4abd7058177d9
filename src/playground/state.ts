import type { CallFacts, InspectResult, PurgeReport } from '../../client/index.ts';
import type { EngineName } from './engine/engine.ts';
import type { Box, Size, Turn } from './geometry.ts';
import type { SnippetKind } from './result/snippets.ts';
import { defaultSettings, planRequest, type RequestPlan, type Settings } from './settings/ops.ts';
import { type OutputFormat, type Source, settingsFor } from './settings/output_format.ts';
import type { Face, HiddenRegion, Known, Shape } from './settings/pixelation_plan.ts';
import type { CropRatio } from './stage/crop_ratio.ts';
import { currentLanguage } from './texts.ts';

/** A region with an id, so that its element stays the same while it is moved. */
export interface DrawnRegion extends HiddenRegion {
  readonly id: number;
}

/** Settings whose regions have ids. */
export interface PageSettings extends Settings {
  readonly regions: readonly DrawnRegion[];
}

export interface Photo {
  readonly file: File;
  /** Object URL of the displayed image; null while there is none. */
  readonly displayUrl: string | null;
  /** What the URL contains: the file itself, or a clean copy from the engine. Null while there is no URL. */
  readonly displayedBy: 'browser' | 'engine' | null;
  /** Size of the whole upright image in pixels, after the person's turn; null until known. */
  readonly size: Size | null;
}

export interface Result {
  readonly image: Blob;
  /** Object URL of the clean file. */
  readonly url: string;
  readonly format: OutputFormat;
  readonly report: PurgeReport;
  /** The engine that made it, and the cost of the service's call. */
  readonly engine: EngineName;
  readonly facts: CallFacts | null;
  readonly request: RequestPlan;
  /** The facts that determined its settings; null if the file was not inspected. */
  readonly source: Source | null;
  /** Bytes of the original. */
  readonly sourceBytes: number;
}

/** A button of an error. */
export interface ErrorAction {
  readonly label: string;
  run(): void;
}

/** A displayed error: what happened, and what to do. */
export interface ErrorMessage {
  readonly title: string;
  readonly message: string;
  /**
   * The message of the core or the service, in English; in other languages shown only if there is no other
   * text.
   */
  readonly detail?: string | undefined;
  readonly advice: string;
  readonly requestId?: string | undefined;
  /** Makes the same call again; present only if that may help. */
  readonly retry?: (() => void) | undefined;
  /** Other actions against the error. */
  readonly actions?: readonly ErrorAction[] | undefined;
}

/** The settings that belong to one photo. */
export type PhotoEditName = 'turn' | 'regions' | 'crop';
export type PhotoEdits = Pick<PageSettings, PhotoEditName>;

export const noEdits: PhotoEdits = { turn: 0, regions: [], crop: null };

export const photoEditsOf = ({ turn, regions, crop }: PhotoEdits): PhotoEdits => ({ turn, regions, crop });

/** The part of the state that belongs to one photo; the other settings are shared. */
export interface PhotoState
  extends Pick<
      State,
      'photo' | 'inspection' | 'detectedFaces' | 'detectionConfidence' | 'kindsLookedFor' | 'view' | 'result'
    >,
    PhotoEdits {}

/** Makes a name that is safe on every system. @param reserved bytes that will be appended to it */
export type NameRule = (name: string, reserved: number) => string;

/** One of the chosen photos. */
export interface ListedPhoto {
  readonly id: number;
  readonly file: File;
  /** The folder it was chosen with, with a trailing slash; empty if it was chosen alone. */
  readonly folder: string;
  /** Its part of the state; for the shown photo, as it was when that was last shown. */
  readonly kept: PhotoState;
  /** Why the last attempt to read or clean it failed; null if none did. */
  readonly failure: string | null;
}

/** The progress of cleaning all photos. */
export interface BatchProgress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  /** Progress of the photos in work, 0 to 1, by id. */
  readonly working: ReadonlyMap<number, number>;
}

export interface State extends Known {
  /** The visible part of the page: for choosing photos, or for editing them. */
  readonly place: 'intake' | 'editor';
  /** In the order in which they were chosen. */
  readonly photos: readonly ListedPhoto[];
  /** The shown photo; null while there is none. */
  readonly currentId: number | null;
  readonly batch: BatchProgress | null;
  readonly photo: Photo | null;
  readonly inspection: InspectResult | null;
  /** The confidence of the last detection, 0 to 1; 1 before it has run. */
  readonly detectionConfidence: number;
  readonly settings: PageSettings;
  /** What dragging on the photo does: move it while it is zoomed, draw areas to hide, or draw the crop. */
  readonly tool: 'move' | 'hide' | 'crop';
  /** Shape of the next drawn area. */
  readonly shape: Shape;
  readonly cropRatio: CropRatio;
  readonly view: 'edit' | 'result';
  readonly result: Result | null;
  readonly snippet: SnippetKind;
  readonly errorMessage: ErrorMessage | null;
  /** Files that were not accepted; shown until dismissed. */
  readonly leftOut: ErrorMessage | null;
  /** Whether a run over all photos has ended, and none was added or removed since. */
  readonly hasRun: boolean;
  readonly engine: EngineName;
  readonly apiKey: string | null;
  /**
   * Makes safe names if clean files keep their original names; null if they do not, since names reveal times,
   * places and people.
   */
  readonly nameRule: NameRule | null;
}

export const emptyState: State = {
  place: 'intake',
  photos: [],
  currentId: null,
  batch: null,
  photo: null,
  inspection: null,
  detectedFaces: null,
  detectionConfidence: 1,
  kindsLookedFor: [],
  settings: { ...defaultSettings, regions: [], format: 'auto', quality: 'auto' },
  tool: 'hide',
  shape: 'rectangle',
  cropRatio: 'free',
  view: 'edit',
  result: null,
  snippet: 'library',
  errorMessage: null,
  leftOut: null,
  hasRun: false,
  engine: 'device',
  apiKey: null,
  nameRule: null,
};

/** The plan for the shown photo; null before its size is known. */
export const planOf = ({
  settings,
  photo,
  ...known
}: Pick<State, 'settings' | 'photo' | keyof Known>): RequestPlan | null =>
  photo?.size ? planRequest(settings, known, photo.size) : null;

/** Whether the settings have changed since the result was made. */
export function isStale({
  result,
  photo,
  settings,
  ...known
}: Pick<State, 'result' | 'photo' | 'settings' | keyof Known>): boolean {
  if (!result || !photo?.size) return false;
  const then = knownThen(known, result.request.pixelation.asked);
  const current = planRequest(settingsFor(settings, result.source), then, photo.size);
  return JSON.stringify(current.ops) !== JSON.stringify(result.request.ops);
}

/** Without what was found since, if nobody has chosen anything among it. @param asked kinds not known then */
function knownThen(known: Known, asked: readonly string[]): Known {
  const isAsFound = ({ kind = 'face', hidden, isAdded }: Face) =>
    !asked.includes(kind) || (hidden && !isAdded);
  if (asked.length === 0 || !known.detectedFaces?.every(isAsFound)) return known;
  return {
    detectedFaces: asked.includes('face') ? null : known.detectedFaces,
    kindsLookedFor: known.kindsLookedFor.filter((kind) => !asked.includes(kind)),
  };
}

/** Whether the photo was turned since the result was made: then their coordinates differ. */
export const isTurnedSince = ({ request }: Result, turn: Turn): boolean => (request.ops.rotate ?? 0) !== turn;

/** Holds the page's state and renders all subscribed parts after a change. */
export class Store {
  #state = emptyState;
  readonly #renderers: (() => void)[] = [];
  #isScheduled = false;

  get state(): State {
    return this.#state;
  }

  update(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    this.scheduleRender();
  }

  updateSettings(change: Partial<PageSettings>): void {
    this.update({ settings: { ...this.#state.settings, ...change } });
  }

  /** Renders once in the next microtask, however many changes precede it. */
  scheduleRender(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      for (const render of this.#renderers) render();
    });
  }

  /** @param render updates a part of the page from the state; called after every change */
  subscribe(render: () => void): void {
    this.#renderers.push(render);
  }

  /**
   * A part of the page that is rendered again only when its content or the language has changed.
   * @param select its content, each value compared by identity; null leaves the part unchanged
   */
  view<Shown extends unknown[]>(
    select: (state: State) => [...Shown] | null,
    render: (...shown: NoInfer<Shown>) => void,
  ): void {
    let last: readonly unknown[] = [];
    this.subscribe(() => {
      const shown = select(this.#state);
      if (!shown) return;
      const key = [currentLanguage(), ...shown];
      if (key.length === last.length && key.every((part, at) => part === last[at])) return;
      last = key;
      render(...shown);
    });
  }
}

let lastRegionId = 0;

/** A drawn region is filled with one colour: text and numbers under blocks could be guessed. */
export function newRegion({ x, y, w, h }: Box, shape: Shape = 'rectangle'): DrawnRegion {
  lastRegionId++;
  return { id: lastRegionId, x, y, w, h, fill: 'solid', ...(shape === 'ellipse' && { shape }) };
}
