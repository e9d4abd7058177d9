import type { BlockName, CallFacts, ClientErrorCode, PurgeReport } from '../../client/index.ts';
import type { DeviceError } from './engine/device_error.ts';
import type { EngineName, EngineProgress } from './engine/engine.ts';
import type { PhotoStatus } from './photo_list.ts';
import type { PixelationPlan } from './pixelation_plan.ts';
import type { BatchProgress } from './state.ts';

/** All texts of the page that depend on numbers and codes. */

/** "999 B", "9.9 KB", "166 KB", "3.2 MB" */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${(bytes / 1000).toFixed(bytes < 9950 ? 1 : 0)} KB`;
  return `${(bytes / 1e6).toFixed(bytes < 9.95e6 ? 1 : 0)} MB`;
}

/** "1 face", "2 faces" */
export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;

/** "a", "a and b", "a, b and c" */
export function joinList(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** What each metadata block is called, and what it may reveal. */
export const blockTexts: Record<BlockName, readonly [title: string, reveals: string]> = {
  exif: ['EXIF', 'camera, lens, settings, date and time'],
  gps: ['GPS', 'where the photo was taken'],
  iptc: ['IPTC', 'captions, names, places, rights'],
  photoshop: ['Photoshop', 'editing data, sometimes an old preview'],
  xmp: ['XMP', 'editing history, people, places'],
  icc: ['Colour profile', 'the screen or camera it was made for'],
  comment: ['Comment', 'free text'],
  text: ['Text', 'free text, software, prompts'],
  thumbnail: ['Thumbnail', 'a small copy, sometimes from before editing'],
  mpf: ['Further pictures', 'more images in the same file'],
  c2pa: ['Content credentials', 'a signed history of origin and edits'],
  jumbf: ['JUMBF', 'embedded data boxes'],
  makernote: ['Maker note', 'serial numbers and other data of the camera maker'],
  timestamp: ['Time stamp', 'when it was last changed'],
  trailer: ['Trailing data', 'anything after the end of the image'],
  gainmap: ['Gain map', 'a second picture for bright screens'],
  motion_photo: ['Motion photo', 'a video clip with sound'],
  suggested_palette: ['Suggested palette', 'a named list of colours, of any length'],
  histogram: ['Histogram', 'how often each colour occurred in the original'],
  image_offset: ['Image offset', 'where it stood on a page or screen'],
  free_space: ['Free space', 'remains of what was deleted, or anything else'],
  unknown: ['Unknown data', 'data that belongs to no known block'],
};

/** Around the sentences of what a file gives away (src/metadata/values/sentences.ts). */
export const revelationTexts = {
  topics: {
    place: 'Place',
    thumbnails: 'Embedded copy',
    people: 'People',
    times: 'Time',
    device: 'Camera',
    texts: 'Texts',
    provenance: 'Origin',
  },
  saysWhere: 'It says where it was taken.',
  anyoneCanRead: 'Anyone who gets this file can read the place from its GPS data.',
  silent: 'Its metadata say nothing of a place, a time, a device or a person.',
  empty: 'It carries no metadata.',
  more: 'There is more in it than is listed here.',
  blocks: (count: number) => `${pluralize(count, 'kind', 'kinds')} of metadata, by name and size`,
  picture: 'The picture',
  thumbnail: 'The copy inside the file',
  thumbnailMore: 'The copy inside the file: it may show more than the picture',
  thumbnailDiffers: 'A copy inside the file may show what was cropped away.',
  thumbnailBroken: 'This browser can’t show the copy inside the file.',
};

/** The name of the map. */
export const describePosition = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `Map of the world with a mark at ${Math.abs(latitude).toFixed(2)}° ${latitude < 0 ? 'south' : 'north'}, ${Math.abs(longitude).toFixed(2)}° ${longitude < 0 ? 'west' : 'east'}`;

/** A block's title within a sentence: only abbreviations and proper names keep their capitals. */
function titleInSentence(block: BlockName): string {
  const title = blockTexts[block]?.[0] ?? block;
  return /^[A-Z][a-z]/.test(title) && block !== 'photoshop'
    ? title.charAt(0).toLowerCase() + title.slice(1)
    : title;
}

export interface Sentence {
  readonly text: string;
  /** Also the class name that styles it. */
  readonly tone: 'good' | 'plain' | 'careful';
}

/** The purge report in sentences. */
export function describeReport(
  report: PurgeReport,
  { faces: hidesFaces, chosenFaces, leftFaces }: Pick<PixelationPlan, 'faces' | 'chosenFaces' | 'leftFaces'>,
): Sentence[] {
  const { sourceMetadataFound: found, verified, facesDetected, regionsPixelated, facesOnSecondLook } = report;
  const sentence = (text: string, tone: Sentence['tone'] = 'plain'): Sentence => ({ text, tone });
  const sentences = [
    found.length > 0
      ? sentence(`Removed: ${joinList(found.map(titleInSentence))}.`, 'good')
      : sentence('There was no metadata to remove.', 'good'),
    report.metadataStripped && verified.blocks.length === 0
      ? sentence(
          `Checked: all ${formatBytes(verified.scannedBytes)} of the new file were scanned, no metadata is left.`,
          'good',
        )
      : sentence(
          `Not clean: ${joinList(verified.blocks.map(titleInSentence))} left in the new file.`,
          'careful',
        ),
  ];
  if (hidesFaces && facesDetected > 0)
    sentences.push(
      sentence(`${pluralize(facesDetected, 'face was', 'faces were')} found and pixelated.`, 'good'),
    );
  if (hidesFaces && facesDetected === 0)
    sentences.push(
      sentence(
        'No faces were found. Detection can miss some: look for yourself, and draw over what it missed.',
        'careful',
      ),
    );
  if (!hidesFaces && regionsPixelated === 0) sentences.push(sentence('Nothing was pixelated.', 'careful'));
  if (facesOnSecondLook > 0)
    sentences.push(
      sentence(
        `${pluralize(facesOnSecondLook, 'face was', 'faces were')} still found after pixelating, and hidden more coarsely.`,
      ),
    );
  if (regionsPixelated > 0)
    sentences.push(
      sentence(
        `${pluralize(regionsPixelated, 'region was', 'regions were')} pixelated${chosenFaces > 0 ? `, ${pluralize(chosenFaces, 'chosen face')} among them` : ''}.`,
        'good',
      ),
    );
  if (leftFaces > 0)
    sentences.push(sentence(`${pluralize(leftFaces, 'face was', 'faces were')} left as chosen.`, 'careful'));
  if (hidesFaces && report.facesBelowConfidence > 0)
    sentences.push(
      sentence(
        `${pluralize(report.facesBelowConfidence, 'spot that may be a face was', 'spots that may be faces were')} left alone, as marked on the photo.`,
        'careful',
      ),
    );
  if (report.grayscale) sentences.push(sentence('Colour was removed.'));
  if (report.colour.converted)
    sentences.push(sentence(`Its colours were ${report.colour.from}; they are sRGB now, and look the same.`));
  // The warning that no faces were found has its own sentence above.
  for (const warning of report.warnings) {
    if (!warning.startsWith('no faces found')) sentences.push(sentence(warning, 'careful'));
  }
  return sentences;
}

/** "420 ms", "1.4 s" */
export const formatDuration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

/** "12 % smaller", "3 % larger", "as large as before" */
export function describeSizeChange(before: number, after: number): string {
  const percent = Math.round((after / before - 1) * 100);
  if (percent === 0) return 'as large as before';
  return percent < 0 ? `${-percent} % smaller` : `${percent} % larger`;
}

/** What the call cost, and how many calls are left. */
export function describeCost({ billable, plan, periodCostCents, rateLimit }: CallFacts): string {
  const left = `${pluralize(rateLimit.remaining, 'call')} of ${rateLimit.limit} left this minute`;
  const cost = billable ? 'This call was charged' : 'This call was free';
  if (plan === 'free') return `${cost}; ${left}.`;
  return `${cost}; ${left}; this month so far: $${(periodCostCents / 100).toFixed(3)}.`;
}

/** What the page says about where photos are cleaned; the document's elements name these by `data-place`. */
export const placeTexts = {
  device: {
    status: 'Photos stay on this device',
    promise: 'Your photo stays on this device. This page looks at it and cleans it here, in your browser.',
    offer: 'Now photos stay on this device. The service gets them sent to be cleaned, as by the API.',
    formats: 'JPEG, PNG, WebP, AVIF, TIFF or GIF, up to 64\u00a0MB and 50\u00a0megapixels each',
    title: 'Not sent',
    keeps: 'Your photo never leaves this device: all the work is done here, by your browser.',
    clean: 'Cleaned on this device. Nothing is sent.',
    worked: (duration: string) => `This device worked ${duration}, and nothing was sent.`,
  },
  service: {
    status: '',
    promise: 'Your photo will be sent to this service to be looked at and cleaned.',
    offer: 'Photos are sent to this service now, as by the API. Switch it off to keep them on this device.',
    formats: 'JPEG, PNG, WebP, AVIF, TIFF or GIF, up to 25\u00a0MB and 50\u00a0megapixels each',
    title: 'Not stored',
    keeps: 'Your photo is held in memory for one request, never written down, never logged.',
    clean: 'The photo is sent to the service, and not stored there.',
    worked: (duration: string) => `The service worked ${duration}.`,
  },
} as const satisfies Record<EngineName, object>;

/** Files that were not taken into the list. */
export interface LeftOut {
  readonly empty: readonly { readonly name: string }[];
  readonly tooLarge: readonly { readonly name: string; readonly size: number }[];
  /** How many were beyond the most photos. */
  readonly beyond: number;
}

/**
 * The message about files that were not taken; null where there are none.
 * @param limit of a file, in bytes
 * @param most photos that a list has
 */
export function leftOutMessage(
  { empty, tooLarge, beyond }: LeftOut,
  limit: number,
  most: number,
): (ErrorText & { readonly message: string }) | null {
  const count = empty.length + tooLarge.length + beyond;
  if (count === 0) return null;
  const largest = `At most ${limit / 2 ** 20} MB`;
  if (count === 1 && empty.length === 1)
    return { title: 'The file is empty', message: 'It holds no bytes.', advice: 'Choose another one.' };
  if (count === 1 && tooLarge[0]) {
    const message = `It has ${formatBytes(tooLarge[0].size)}.`;
    return {
      title: 'The file is too large',
      message,
      advice: `${largest}. It can be made smaller here, on this device.`,
    };
  }
  const parts = [
    tooLarge.length > 0 && `${pluralize(tooLarge.length, 'file is', 'files are')} too large`,
    empty.length > 0 && `${pluralize(empty.length, 'file is', 'files are')} empty`,
    beyond > 0 && `${beyond} beyond the first ${most}`,
  ].filter((part) => part !== false);
  return {
    title: `${pluralize(count, 'file was', 'files were')} left out`,
    message: `${joinList(parts)}.`,
    advice: tooLarge.length > 0 ? `${largest} each.` : 'The others are in the list.',
  };
}

/** States of photos in the list, as they are read out and shown. */
export const photoStatusTexts: Record<PhotoStatus | 'working', readonly [text: string, mark: string]> = {
  waiting: ['not cleaned yet', ''],
  working: ['being cleaned', '…'],
  clean: ['clean', '✓'],
  changed: ['clean, settings have changed since', '↻'],
  failed: ['could not be cleaned', '!'],
};

/** "12 photos, 3 of them clean" */
export const describePhotos = (count: number, clean: number) =>
  clean === 0
    ? pluralize(count, 'photo')
    : `${pluralize(count, 'photo')}, ${clean === count ? 'all' : clean} clean`;

/** How far the cleaning of all photos is. */
export const describeBatch = ({ done, failed, total }: Pick<BatchProgress, 'done' | 'failed' | 'total'>) =>
  `Cleaning: ${done} of ${total} done${failed > 0 ? `, ${failed} failed` : ''}`;

/** What is said when a run over all photos has ended. */
export const describeEnd = (clean: number, failed: number) =>
  `${pluralize(clean, 'photo is', 'photos are')} clean${failed > 0 ? `, ${failed} could not be cleaned` : ''}.`;

/** What was saved. */
export const savedTexts = {
  zip: (count: number) => `${pluralize(count, 'photo')} saved in a ZIP file.`,
  folder: (count: number, name: string) => `${pluralize(count, 'photo')} saved in ${name}.`,
  failed: {
    title: 'The files could not be saved',
    advice: 'Choose another place, or download the ZIP file.',
  },
} as const;

/** How far a stage is, for the end of a sentence; empty where nothing can be said. */
export function describeStage({ stage, done, total }: EngineProgress): string {
  if (done >= total) return '';
  if (stage === 'sending') return `sending, ${formatBytes(done)} of ${formatBytes(total)}`;
  if (stage === 'loading')
    return `loading the face finder, ${formatBytes(done)} of ${formatBytes(total)}, only this once`;
  return stage === 'encoding' ? `${Math.round((done / total) * 100)} %` : '';
}

export interface ErrorText {
  readonly title: string;
  readonly advice: string;
}

/** The text for each error code: what happened, and what to do. */
export const errorTexts: Record<ClientErrorCode, ErrorText> = {
  bad_request: { title: 'The request was malformed', advice: 'Reload the page and try again.' },
  invalid_ops: { title: 'A setting does not fit', advice: 'Correct it below and try again.' },
  invalid_api_key: {
    title: 'The API key is not valid',
    advice: 'Check it for missing characters, or forget it to go on without one.',
  },
  quota_exceeded: {
    title: 'The monthly limit of this key is reached',
    advice: 'It starts anew next month. You can forget the key and go on without one.',
  },
  not_found: { title: 'This part of the service is missing', advice: 'Reload the page.' },
  method_not_allowed: { title: 'The service refused the request', advice: 'Reload the page.' },
  payload_too_large: {
    title: 'The file is too large',
    advice: 'At most 25 MB. Save it smaller and choose it again.',
  },
  unsupported_media_type: {
    title: 'This is not an image',
    advice: 'Choose a JPEG, PNG, WebP, AVIF, TIFF or GIF.',
  },
  unprocessable_image: {
    title: 'This image can’t be read',
    advice: 'Choose a complete JPEG, PNG, WebP, AVIF, TIFF or GIF of at most 50 megapixels.',
  },
  rate_limit_exceeded: {
    title: 'That was one call too many',
    advice: 'It goes on by itself when the minute is over.',
  },
  internal_error: { title: 'Something failed in the service', advice: 'Nothing was kept. Try again.' },
  overloaded: { title: 'The service is busy', advice: 'Try again in a few seconds.' },
  admin_disabled: {
    title: 'Keys are not set up on this deployment',
    advice: 'Forget the key to go on without one.',
  },
  network_error: {
    title: 'The service can’t be reached',
    advice: 'Check your connection and try again. Your photo and settings are still here.',
  },
  unexpected_answer: {
    title: 'The answer makes no sense',
    advice: 'Something between you and the service may have changed it. Try again.',
  },
};

/** Files that this browser can read and the pipeline can't: what is offered. */
export const conversionTexts = {
  format: {
    title: 'This file can’t be cleaned as it is',
    advice:
      'Your browser can read it, so it can be converted here, on this device. What the file says besides the picture stays behind.',
    label: 'Convert here and go on',
  },
  pixels: {
    title: 'This photo has too many pixels',
    advice: 'It can be made smaller here, on this device, to 48 megapixels.',
    label: 'Make it smaller here and go on',
  },
  bytes: {
    label: 'Make it smaller here and go on',
    working: { title: 'Making it smaller…', message: '', advice: 'This takes a moment.' },
    failed: {
      title: 'This browser can’t read the file either',
      message: '',
      advice: 'Save it as a JPEG with another program, and choose that.',
    },
  },
} as const;

/** Labels of what an error's buttons do. */
export const remedyTexts = {
  chooseAnother: 'Choose another photo',
  useDevice: 'Do it on this device',
  forgetKey: 'Forget the key',
  resetSettings: 'Reset the settings',
  asPng: 'Clean it as PNG',
} as const;

/** Errors that mean something else, or can only happen, where the photo is cleaned on this device. */
export const deviceErrorTexts: Partial<Record<DeviceError['code'], ErrorText>> & {
  readonly not_loaded: ErrorText;
} = {
  internal_error: {
    title: 'The new file was not clean',
    advice: 'It was thrown away. Try another format.',
  },
  overloaded: { title: 'There is not enough memory', advice: 'Close other tabs and try again.' },
  not_loaded: {
    title: 'A part of this page could not be loaded',
    advice: 'Check your connection and try again. Your photo and settings are still here.',
  },
};
