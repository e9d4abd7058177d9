import {
  isStale,
  type ListedPhoto,
  noEdits,
  type PageSettings,
  type PhotoEdits,
  type PhotoState,
  photoEditsOf,
  type State,
} from '../state.ts';

/** A chosen file, and the folder it was chosen with: empty, or with a trailing slash. */
export interface SourceFile {
  readonly file: File;
  readonly folder: string;
}

let lastId = 0;

/** The state of a newly chosen photo. */
export function newPhoto({ file, folder }: SourceFile): ListedPhoto {
  lastId++;
  return {
    id: lastId,
    file,
    folder,
    kept: {
      photo: { file, displayUrl: null, displayedBy: null, size: null },
      inspection: null,
      detectedFaces: null,
      detectionConfidence: 1,
      kindsLookedFor: [],
      view: 'edit',
      result: null,
      ...noEdits,
    },
    failure: null,
  };
}

/** The part of the state that belongs to the shown photo. */
function photoStateOf({ settings, ...state }: State): PhotoState {
  const { photo, inspection, detectedFaces, detectionConfidence, kindsLookedFor, view, result } = state;
  return {
    photo,
    inspection,
    detectedFaces,
    detectionConfidence,
    kindsLookedFor,
    view,
    result,
    ...photoEditsOf(settings),
  };
}

/** All photos, with the current edits of the shown one. */
export const photosOf = (state: State): readonly ListedPhoto[] =>
  state.photos.map((listed) =>
    listed.id === state.currentId ? { ...listed, kept: photoStateOf(state) } : listed,
  );

/** The settings for cleaning a photo: the shared ones, and its own boxes. */
export const settingsOf = (settings: PageSettings, edits: PhotoEdits): PageSettings => ({
  ...settings,
  ...photoEditsOf(edits),
});

/**
 * The state change that shows a photo of the list; the edits of the previous one are kept. @throws RangeError
 */
export function showing(state: State, id: number): Partial<State> {
  const photos = photosOf(state);
  const listed = photos.find((one) => one.id === id);
  if (!listed) throw new RangeError(`There is no photo ${id}`);
  const { turn, regions, crop, ...kept } = listed.kept;
  return {
    ...kept,
    photos,
    currentId: id,
    settings: settingsOf(state.settings, listed.kept),
    errorMessage: null,
  };
}

/** The state change that alters one photo's part, shown or not; none if it was removed. */
export function changing(
  state: State,
  id: number,
  change: Partial<Pick<PhotoState, 'photo' | 'inspection' | 'view' | 'result'>>,
  failure: string | null = null,
): Partial<State> {
  const photos = state.photos.map((listed) =>
    listed.id === id ? { ...listed, kept: { ...listed.kept, ...change }, failure } : listed,
  );
  return { photos, ...(id === state.currentId && change) };
}

/** The state change that replaces a photo's file; nothing is known about the new file yet. */
export function replacing(state: State, id: number, file: File): Partial<State> {
  const photos = state.photos.map((listed) =>
    listed.id === id ? { ...newPhoto({ file, folder: listed.folder }), id } : listed,
  );
  return id === state.currentId ? showing({ ...state, photos, currentId: null }, id) : { photos };
}

/** The state change that removes a photo and shows its neighbour; empties the state after the last. */
export function removing(state: State, id: number): Partial<State> {
  const at = state.photos.findIndex((listed) => listed.id === id);
  const photos = photosOf(state).filter((listed) => listed.id !== id);
  if (id !== state.currentId) return { photos, hasRun: false };
  const next = photos[Math.min(at, photos.length - 1)];
  if (next) return { ...showing({ ...state, photos, currentId: null }, next.id), hasRun: false };
  const settings = { ...state.settings, ...noEdits };
  const none = { photo: null, inspection: null, detectedFaces: null, kindsLookedFor: [], result: null };
  return { ...none, photos, currentId: null, hasRun: false, detectionConfidence: 1, view: 'edit', settings };
}

/** `changed`: it is clean, but its settings were changed afterwards. */
export type PhotoStatus = 'waiting' | 'clean' | 'changed' | 'failed';

/** @param settings shared by all photos */
export function statusOf({ kept, failure }: ListedPhoto, settings: PageSettings): PhotoStatus {
  if (failure !== null) return 'failed';
  if (!kept.result) return 'waiting';
  return isStale({ ...kept, settings: settingsOf(settings, kept) }) ? 'changed' : 'clean';
}
