import type { CallFacts, InspectResult, PurgeReport } from '../../client/index.ts';
import type { EngineName } from './engine/engine.ts';
import type { Box, Size, Turn } from './geometry.ts';
import type { SnippetKind } from './result/snippets.ts';
import { defaultSettings, planRequest, type RequestPlan, type Settings } from './settings/ops.ts';
import { type OutputFormat, type Source, settingsFor } from './settings/output_format.ts';
import type { Face, HiddenRegion, Shape } from './settings/pixelation_plan.ts';
import type { CropRatio } from './stage/crop_ratio.ts';
import { currentLanguage } from './texts.ts';

/** A region with an id, so that its element stays the same while it is moved. */
export interface Region extends HiddenRegion {
  readonly id: number;
}

/** Settings whose regions have ids. */
export interface PageSettings extends Settings {
  readonly regions: readonly Region[];
}

export interface Photo {
  readonly file: File;
  /** Object URL of the displayed image; null while there is none. */
  readonly displayUrl: string | null;
  /** What the URL holds: the file itself, or a clean copy from the engine. Null while there is no URL. */
  readonly displayedBy: 'browser' | 'engine' | null;
  /** Size of the whole image in pixels, upright and turned as the person has turned it; null until known. */
  readonly size: Size | null;
}

export interface Result {
  readonly image: Blob;
  /** Object URL of the clean file. */
  readonly url: string;
  readonly format: OutputFormat;
  readonly report: PurgeReport;
  /** Who made it, and what the service's call cost. */
  readonly engine: EngineName;
  readonly facts: CallFacts | null;
  readonly request: RequestPlan;
  /** What its settings followed from; null where nobody has looked. */
  readonly source: Source | null;
  /** Bytes of the original. */
  readonly sourceBytes: number;
}

/** A button of an error. */
export interface ErrorAction {
  readonly label: string;
  run(): void;
}

/** An error as it is shown: what happened, and what to do. */
export interface ErrorMessage {
  readonly title: string;
  readonly message: string;
  /** What the core or the service says, in English: in other languages shown where nothing else tells. */
  readonly detail?: string | undefined;
  readonly advice: string;
  readonly requestId?: string | undefined;
  /** Makes the same call again; only where that may help. */
  readonly retry?: (() => void) | undefined;
  /** What else can be done about it. */
  readonly actions?: readonly ErrorAction[] | undefined;
}

/** The settings that belong to one photo. */
export type PhotoEditName = 'turn' | 'regions' | 'spared' | 'crop';
export type PhotoEdits = Pick<PageSettings, PhotoEditName>;

export const noEdits: PhotoEdits = { turn: 0, regions: [], spared: [], crop: null };

export const photoEditsOf = ({ turn, regions, spared, crop }: PhotoEdits): PhotoEdits => ({
  turn,
  regions,
  spared,
  crop,
});

/** What belongs to one photo; all other settings are shared by all. */
export interface PhotoState
  extends Pick<
      State,
      'photo' | 'inspection' | 'detectedFaces' | 'detectionConfidence' | 'kindsLookedFor' | 'view' | 'result'
    >,
    PhotoEdits {}

/** A name that is safe everywhere. @param reserved bytes that are put to it */
export type NameRule = (name: string, reserved: number) => string;

/** A photo among those that were chosen. */
export interface ListedPhoto {
  readonly id: number;
  readonly file: File;
  /** The folder it was chosen with, with a slash at its end; empty where it was chosen alone. */
  readonly folder: string;
  /** Its part of the state; of the photo that is shown, as it was when it came to be. */
  readonly kept: PhotoState;
  /** Why the last attempt to read or clean it failed; null where none did. */
  readonly failure: string | null;
}

/** All photos being cleaned. */
export interface BatchProgress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  /** How far those being worked on are, 0 to 1, by id. */
  readonly working: ReadonlyMap<number, number>;
}

export interface State {
  /** What is shown: where photos are chosen, or where they are edited. */
  readonly place: 'intake' | 'editor';
  /** In the order in which they were chosen. */
  readonly photos: readonly ListedPhoto[];
  /** The photo that is shown; null while there is none. */
  readonly currentId: number | null;
  readonly batch: BatchProgress | null;
  readonly photo: Photo | null;
  readonly inspection: InspectResult | null;
  /** In the frame (see geometry.ts), faces first; null before detection has run. */
  readonly detectedFaces: readonly Face[] | null;
  /** The confidence that detection was run with, 0 to 1; 1 before it has run. */
  readonly detectionConfidence: number;
  /** What was looked for beside faces. */
  readonly kindsLookedFor: readonly string[];
  readonly settings: PageSettings;
  /** What dragging on the photo does: move it where it is zoomed, draw what to hide, or draw the crop. */
  readonly tool: 'move' | 'hide' | 'crop';
  /** Of what is drawn next. */
  readonly shape: Shape;
  readonly cropRatio: CropRatio;
  readonly view: 'edit' | 'result';
  readonly result: Result | null;
  readonly snippet: SnippetKind;
  readonly errorMessage: ErrorMessage | null;
  /** Files that were not taken: said until it is dismissed. */
  readonly leftOut: ErrorMessage | null;
  /** Whether a run over all photos has ended, and none was added or taken out since. */
  readonly hasRun: boolean;
  readonly engine: EngineName;
  readonly apiKey: string | null;
  /**
   * Makes safe names where clean files keep their original's; null where they do not, since names tell times,
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

/** Whether the settings have changed since the result was made. */
export function isStale({
  result,
  photo,
  settings,
  detectedFaces,
}: Pick<State, 'result' | 'photo' | 'settings' | 'detectedFaces'>): boolean {
  if (!result || !photo?.size) return false;
  const current = planRequest(settingsFor(settings, result.source), detectedFaces ?? [], photo.size);
  return JSON.stringify(current.ops) !== JSON.stringify(result.request.ops);
}

/** Whether the photo was turned since the result was made: then the places of both differ. */
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

  /** Renders once in the next microtask, however many changes come before it. */
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
   * A part of the page that is made anew only when what it shows, or the language, has become another.
   * @param select what it shows, each compared by identity; null leaves the part as it is
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

/** What a person draws is covered whole: text and numbers under blocks can be guessed. */
export function newRegion({ x, y, w, h }: Box, shape: Shape = 'rectangle'): Region {
  lastRegionId++;
  return { id: lastRegionId, x, y, w, h, fill: 'solid', ...(shape === 'ellipse' && { shape }) };
}
