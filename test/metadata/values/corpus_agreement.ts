import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { corpusBytes, corpusFolder } from '../../fixtures/corpus.ts';
import { haveTools } from '../../fixtures/tools.ts';
import { type Comparison, compare, type Tags } from './exiftool_fields.ts';
import { valuesOf } from './read.ts';

/** Whether exiftool by Phil Harvey, https://exiftool.org, is installed. */
export const haveExiftool = haveTools('exiftool');

/** A comparison of one value of one file. */
export interface CorpusComparison extends Comparison {
  readonly file: string;
}

/** Where the two differ, and why: the first row that fits. Everything else must agree. */
const REASONS: readonly (readonly [reason: string, applies: (each: CorpusComparison) => boolean])[] = [
  [
    'the fraction of a second that XMP gives, put there behind the time that Exif gives; blocks stay apart here',
    ({ tag, file }) => tag === 'Composite:SubSecModifyDate' && /libavif__seine_/.test(file),
  ],
  [
    'not UTF-8: read as Latin-1 here, printed as "?" there',
    ({ theirs, ours }) => theirs.includes('?') && ours.some((text) => asQuestion(text) === theirs),
  ],
  [
    'a time that breaks the rules of XMP, or one whose offset exiftool -n prints with colons',
    ({ tag, theirs }) => /^XMP-/.test(tag) && /(?:T.*:\d\d:\d\d:\d\d$|, )/.test(theirs),
  ],
  [
    'iOS 8 wrote the day of the year: "2014:09:259" is read as 16 September here, and printed as it is there',
    ({ tag, theirs }) => tag === 'Composite:GPSDateTime' && theirs.startsWith('2014:09:259'),
  ],
];

const asQuestion = (text: string) => text.replace(/[^\0-\x7f]/g, '?');

/** Why a comparison may disagree; undefined where nothing explains it. */
export const reasonFor = (each: CorpusComparison): string | undefined =>
  REASONS.find(([, applies]) => applies(each))?.[0];
export const reasons = REASONS.map(([reason]) => reason);

/** Reads the whole corpus twice, by `exiftool -json -n -G1` and here, and compares field by field. */
export function compareCorpus(): CorpusComparison[] {
  const { stdout } = spawnSync('exiftool', ['-json', '-n', '-G1', '-r', corpusFolder], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return (JSON.parse(stdout) as (Tags & { SourceFile: string })[]).flatMap((tags) => {
    const file = relative(corpusFolder, tags.SourceFile);
    const values = valuesOf(corpusBytes({ file }));
    return values === null ? [] : compare(tags, values).map((each) => ({ file, ...each }));
  });
}
