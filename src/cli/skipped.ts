import { extensionOf } from '../metadata/extensions.ts';

/** Why a file or folder below a named folder is skipped. */
export type SkipReason =
  | 'heic'
  | 'raw'
  | 'video'
  | 'picture'
  | 'other'
  | 'excluded'
  | 'output'
  | 'link'
  | 'special';

/** The word for each reason, in singular and plural. */
const words: Readonly<Record<SkipReason, readonly [one: string, several: string]>> = {
  heic: ['HEIC photo', 'HEIC photos'],
  raw: ['raw photo', 'raw photos'],
  video: ['video', 'videos'],
  picture: ['picture of another format', 'pictures of other formats'],
  other: ['other file', 'other files'],
  excluded: ['excluded', 'excluded'],
  output: ['output of an earlier run', 'outputs of earlier runs'],
  link: ['link to a folder', 'links to folders'],
  special: ['pipe or device', 'pipes and devices'],
};

/** Extensions of pictures that can't be read. */
const kinds: readonly (readonly [SkipReason, string])[] = [
  ['heic', 'heic heif heics heifs hif'],
  ['raw', '3fr arw cr2 cr3 crw dng erf iiq mrw nef nrw orf pef raf raw rw2 rwl sr2 srf srw x3f'],
  ['video', '3gp avi m4v mkv mov mp4 mpg mpeg mts webm wmv'],
  ['picture', 'ai bmp dib eps exr hdr ico j2k jp2 jxl jxr pcx pdf pnm ppm psd qoi svg tga wdp wmf xcf'],
];

const byExtension = new Map(
  kinds.flatMap(([kind, names]) => names.split(' ').map((extension) => [extension, kind] as const)),
);

/** What a file probably is whose extension is not that of an input format. */
export const kindOfOther = (name: string): SkipReason => byExtension.get(extensionOf(name)) ?? 'other';

/** Advice for photos in the format of iPhones. */
export const heicRemedy =
  'HEIC is not read: convert such photos to JPEG first (macOS: sips -s format jpeg; elsewhere: heif-convert)';

/** What was skipped and why, as lines for a person; none if nothing was. */
export function skippedLines(counts: ReadonlyMap<SkipReason, number>): string[] {
  const said = (Object.keys(words) as SkipReason[]).flatMap((reason) => {
    const count = counts.get(reason) ?? 0;
    return count > 0 ? [`${count} ${words[reason][count === 1 ? 0 : 1]}`] : [];
  });
  if (said.length === 0) return [];
  return [`Passed over: ${said.join(', ')}`, ...(counts.has('heic') ? [heicRemedy] : [])];
}
