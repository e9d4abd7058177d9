import type { BlockName, CallFacts, ClientErrorCode, PurgeReport } from '../../client/index.ts';
import type { DeviceError } from './engine/device_error.ts';
import type { EngineName, EngineProgress } from './engine/engine.ts';
import { describeVisible } from './settings/counts.ts';
import type { PixelationPlan } from './settings/pixelation_plan.ts';
import type { BatchProgress } from './state.ts';
import { formatList, formatNumber, t } from './texts.ts';

/** Texts of the page that depend on several numbers or codes, composed from texts/en.ts. */

/** "999 B", "9.9 KB", "166 KB", "3.2 MB" */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${formatNumber(bytes / 1000, bytes < 9950 ? 1 : 0)} KB`;
  return `${formatNumber(bytes / 1e6, bytes < 9.95e6 ? 1 : 0)} MB`;
}

/** The accessible name of the map. */
export const describePosition = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  t('map.label', {
    latitude: t(latitude < 0 ? 'map.south' : 'map.north', { degrees: formatNumber(Math.abs(latitude), 2) }),
    longitude: t(longitude < 0 ? 'map.west' : 'map.east', { degrees: formatNumber(Math.abs(longitude), 2) }),
  });

const listBlocks = (blocks: readonly BlockName[]) => formatList(blocks.map((block) => t(`inline.${block}`)));

export interface Sentence {
  readonly text: string;
  /** Also the class name that styles it. */
  readonly tone: 'good' | 'plain' | 'careful' | 'exposed';
}

type Hiding = Pick<PixelationPlan, 'faces' | 'kinds' | 'counts'>;

/** The headline of a result: it is called clean only if nobody's face is known to be visible. */
export function describeResult({ metadataStripped }: PurgeReport, { faces, counts }: Hiding): string {
  if (!metadataStripped) return t('result.notClean');
  const visible = counts.get('face')?.visible;
  if (faces) return t(visible ? 'result.stripped' : 'result.clean');
  return t(visible === 0 ? 'result.stripped' : 'result.facesVisible');
}

/** The purge report in sentences. @param plan what it was to hide */
export function describeReport(report: PurgeReport, plan: Hiding): Sentence[] {
  const { sourceMetadataFound: blocks, verified, facesDetected, regionsPixelated } = report;
  const { regionsFilled = 0, detected = [] } = report;
  const sentences: Sentence[] = [];
  const say = (text: string, tone: Sentence['tone'] = 'plain') => sentences.push({ text, tone });
  if (blocks.length > 0) say(t('report.removed', { blocks: listBlocks(blocks) }), 'good');
  else say(t('report.nothing'), 'good');
  if (report.metadataStripped && verified.blocks.length === 0)
    say(t('report.checked', { size: formatBytes(verified.scannedBytes) }), 'good');
  else say(t('report.notClean', { blocks: listBlocks(verified.blocks) }), 'careful');
  const visible = describeVisible(plan);
  if (visible) say(visible, 'exposed');
  if (facesDetected > 0) say(t('report.faces', { count: facesDetected }), 'good');
  const others = plan.kinds.map((kind) => {
    const count =
      kind === 'plate'
        ? report.platesHidden
        : kind === 'text'
          ? report.textsHidden
          : detected.filter(({ detector }) => detector === kind).length;
    return { kind, count: count ?? 0, known: plan.counts.get(kind) };
  });
  for (const { kind, count } of others) {
    if (count === 0) continue;
    if (kind === 'plate') say(t('report.plates', { count }), 'good');
    else
      say(
        kind === 'text' ? t('report.texts', { count }) : t('report.detected', { count, name: kind }),
        'good',
      );
  }
  if (regionsFilled > 0) say(t('report.filled', { count: regionsFilled }), 'good');
  if (regionsPixelated > 0) say(t('report.regions', { count: regionsPixelated }), 'good');
  const isFaceless = facesDetected === 0 && !plan.counts.get('face')?.count;
  if (plan.faces && isFaceless) say(t('report.noFaces'), 'careful');
  for (const { kind, count, known } of others) {
    if (count > 0 || (known && known.count > 0)) continue;
    if (kind === 'plate' || kind === 'text')
      say(t(kind === 'plate' ? 'report.noPlates' : 'report.noTexts'), 'careful');
    else say(t('report.noneDetected', { name: kind }), 'careful');
  }
  if (!plan.faces && report.hidden.length === 0) say(t('report.nothingHidden'), 'careful');
  const thingsLeft = others.reduce((sum, { known }) => sum + (known?.visible ?? 0), 0);
  if (thingsLeft > 0) say(t('report.thingsLeft', { count: thingsLeft }), 'careful');
  if (report.grayscale) say(t('report.grayscale'));
  if (report.colour.converted) say(t('report.colour', { from: report.colour.from }));
  report.warnings.forEach((warning, at) => {
    // The warning that no faces were found has its own sentence above.
    const code = report.warningCodes[at];
    if (code !== 'no_faces_found') say(code ? t(`warning.${code}`) : warning, 'careful');
  });
  return sentences;
}

/** The sentences shown at once, among them all about what is hidden and what is not, and those folded. */
export function mainSentences(sentences: readonly Sentence[]): { main: Sentence[]; more: Sentence[] } {
  const isMain = ({ tone }: Sentence) => tone !== 'plain';
  return { main: sentences.filter(isMain), more: sentences.filter((one) => !isMain(one)) };
}

/** "0.4 s", at least a tenth. */
export const formatDuration = (ms: number) => `${formatNumber(Math.max(0.1, ms / 1000), 1)} s`;

/** "12 % smaller", "3 % larger", "as large as before" */
export function describeSizeChange(before: number, after: number): string {
  const percent = Math.round((after / before - 1) * 100);
  if (percent === 0) return t('size.same');
  return t(percent < 0 ? 'size.smaller' : 'size.larger', { percent: Math.abs(percent) });
}

/** US dollars to a tenth of a cent. */
export const formatCost = (cents: number) => `$${formatNumber(cents / 100, 3)}`;

/** What the call cost, and how many calls are left. */
export function describeCost({ billable, plan, periodCostCents, rateLimit }: CallFacts): string {
  const values = { count: rateLimit.remaining, limit: rateLimit.limit };
  const call = t(billable ? 'cost.charged' : 'cost.free', values);
  return plan === 'free'
    ? t('cost.plain', { call })
    : t('cost.month', { call, cost: formatCost(periodCostCents) });
}

/** Texts about where photos are cleaned; elements of the document name them by `data-place`. */
export const describePlace = (
  engine: EngineName,
  place: 'status' | 'promise' | 'offer' | 'formats' | 'clean',
) => t(`${engine}.${place}`);

/** Progress of a stage, for the end of a sentence; empty if it is unknown. */
export function describeStage({ stage, done, total }: EngineProgress): string {
  if (done >= total) return '';
  if (stage === 'sending' || stage === 'loading')
    return t(`stage.${stage}`, { done: formatBytes(done), total: formatBytes(total) });
  return stage === 'encoding' ? t('stage.encoding', { percent: Math.round((done / total) * 100) }) : '';
}

/** Files that were not taken into the list. */
export interface LeftOut {
  readonly empty: readonly { readonly name: string }[];
  readonly tooLarge: readonly { readonly name: string; readonly size: number }[];
  /** Files beyond the maximum number of photos. */
  readonly beyond: readonly { readonly name: string }[];
  /** Files that were chosen together with others and are not images. */
  readonly notPhotos: readonly { readonly name: string }[];
}

/** Most files of a kind that are listed by name. */
const MOST_NAMED = 5;

/** "a.pdf, b.pdf", and how many more there are. */
function names(files: readonly { readonly name: string }[]): string {
  const named = files.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = files.length - named.length;
  return formatList(more > 0 ? [...named, t('leftOut.more', { more })] : named);
}

/** What happened, and what to do. */
export interface ErrorText {
  readonly title: string;
  readonly advice: string;
}

/**
 * The message about files that were not accepted; null if there are none.
 * @param bytes size limit of a file
 * @param most maximum number of photos in the list
 */
export function leftOutMessage(
  { empty, tooLarge, beyond, notPhotos }: LeftOut,
  bytes: number,
  most: number,
): (ErrorText & { readonly message: string }) | null {
  const count = empty.length + tooLarge.length + beyond.length + notPhotos.length;
  if (count === 0) return null;
  const limit = `${bytes / 2 ** 20} MB`;
  if (count === 1 && empty.length === 1)
    return {
      title: t('leftOut.empty'),
      message: t('leftOut.emptyMessage'),
      advice: t('leftOut.emptyAdvice'),
    };
  if (count === 1 && tooLarge[0])
    return {
      title: t('leftOut.tooLarge'),
      message: t('leftOut.tooLargeMessage', { size: formatBytes(tooLarge[0].size) }),
      advice: t('leftOut.tooLargeAdvice', { limit }),
    };
  const parts = [
    tooLarge.length > 0 && `${t('leftOut.countTooLarge', { count: tooLarge.length })} (${names(tooLarge)})`,
    empty.length > 0 && `${t('leftOut.countEmpty', { count: empty.length })} (${names(empty)})`,
    notPhotos.length > 0 &&
      `${t('leftOut.countNotPhotos', { count: notPhotos.length })} (${names(notPhotos)})`,
    beyond.length > 0 && t('leftOut.countBeyond', { beyond: beyond.length, most }),
  ].filter((part) => part !== false);
  return {
    title: t('leftOut.title', { count }),
    message: `${formatList(parts)}.`,
    advice: tooLarge.length > 0 ? t('leftOut.limitEach', { limit }) : t('leftOut.others'),
  };
}

/** "12 photos, 3 clean" */
export function describePhotos(count: number, clean: number): string {
  if (clean === 0) return t('photos.count', { count });
  return clean === count ? t('photos.allClean', { count }) : t('photos.someClean', { count, clean });
}

/** Progress of cleaning all photos. */
export const describeBatch = ({ done, failed, total }: Pick<BatchProgress, 'done' | 'failed' | 'total'>) =>
  failed > 0 ? t('photos.progressFailed', { done, total, failed }) : t('photos.progress', { done, total });

/** The text at the end of a run over all photos. */
export const describeEnd = (count: number, failed: number) =>
  failed > 0 ? t('photos.endFailed', { count, failed }) : t('photos.end', { count });

/** The text for an error code of the service. */
export const errorText = (code: ClientErrorCode): ErrorText => ({
  title: t(`error.${code}`),
  advice: t(`advice.${code}`),
});

/** The text for an error when the photo is cleaned on this device. */
export function deviceErrorText(code: DeviceError['code']): ErrorText {
  if (code === 'internal_error' || code === 'overloaded' || code === 'not_loaded')
    return { title: t(`error.device.${code}`), advice: t(`advice.device.${code}`) };
  return errorText(code);
}
