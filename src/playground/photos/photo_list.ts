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

/** A file that was chosen, and the folder it was chosen with: empty, or with a slash at its end. */
export interface SourceFile {
  readonly file: File;
  readonly folder: string;
}

let lastId = 0;

/** A photo as it is when it was chosen. */
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

/** The part of the state that belongs to the photo that is shown. */
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

/** All photos, with the edits of the one that is shown. */
export const photosOf = (state: State): readonly ListedPhoto[] =>
  state.photos.map((listed) =>
    listed.id === state.currentId ? { ...listed, kept: photoStateOf(state) } : listed,
  );

/** The settings that a photo is cleaned with: those of all, and its own boxes. */
export const settingsOf = (settings: PageSettings, edits: PhotoEdits): PageSettings => ({
  ...settings,
  ...photoEditsOf(edits),
});

/** The change that shows a photo of the list; the edits of the one before are kept. @throws RangeError */
export function showing(state: State, id: number): Partial<State> {
  const photos = photosOf(state);
  const listed = photos.find((one) => one.id === id);
  if (!listed) throw new RangeError(`There is no photo ${id}`);
  const { turn, regions, spared, crop, ...kept } = listed.kept;
  return {
    ...kept,
    photos,
    currentId: id,
    settings: settingsOf(state.settings, listed.kept),
    errorMessage: null,
  };
}

/** The change that alters one photo's part of the state, shown or not; none where it has been removed. */
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

/** The change that puts another file in a photo's place; nothing is known of it yet. */
export function replacing(state: State, id: number, file: File): Partial<State> {
  const photos = state.photos.map((listed) =>
    listed.id === id ? { ...newPhoto({ file, folder: listed.folder }), id } : listed,
  );
  return id === state.currentId ? showing({ ...state, photos, currentId: null }, id) : { photos };
}

/** The change that takes a photo out of the list, and shows its neighbour; none are left with the last. */
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

/** `changed`: it is clean, and its settings have changed since. */
export type PhotoStatus = 'waiting' | 'clean' | 'changed' | 'failed';

/** @param settings those of all photos */
export function statusOf({ kept, failure }: ListedPhoto, settings: PageSettings): PhotoStatus {
  if (failure !== null) return 'failed';
  if (!kept.result) return 'waiting';
  const { photo, result, detectedFaces } = kept;
  return isStale({ photo, result, detectedFaces, settings: settingsOf(settings, kept) })
    ? 'changed'
    : 'clean';
}
