import type { Values } from '../../../src/metadata/values/values.ts';

/** What exiftool prints of one file with `-json -n -G1`: "Group:Tag" → value. */
export type Tags = Readonly<Record<string, unknown>>;

/** A field of exiftool, and the fields of ours that say the same. */
export interface FieldPair {
  readonly tag: RegExp;
  /** Names of our fields; a value of any of them counts. */
  readonly fields: readonly string[];
  /** How the values are made alike. */
  readonly as: 'text' | 'list' | 'time' | 'rounded';
}

const exif = (tags: string, as: FieldPair['as'], ...fields: string[]): FieldPair => ({
  tag: new RegExp(`^(?:IFD\\d+|ExifIFD|SubIFD\\d*):${tags}$`),
  fields,
  as,
});
const pair = (tag: string, as: FieldPair['as'], ...fields: string[]): FieldPair => ({
  tag: new RegExp(`^${tag}$`),
  fields,
  as,
});
const xmp = (group: string, tag: string, property: string, as: FieldPair['as'] = 'text') =>
  pair(`XMP-${group}:${tag}`, as, property);

/** exiftool's names that are not the standards'. */
const EXIF_NAMES: readonly (readonly [tag: string, field: string])[] = [
  ['Make', 'Make'],
  ['Model', 'Model'],
  ['Software', 'Software'],
  ['HostComputer', 'HostComputer'],
  ['ProcessingSoftware', 'ProcessingSoftware'],
  ['OwnerName', 'CameraOwnerName'],
  ['SerialNumber', 'BodySerialNumber'],
  ['LensMake', 'LensMake'],
  ['LensModel', 'LensModel'],
  ['LensSerialNumber', 'LensSerialNumber'],
  ['Artist', 'Artist'],
  ['Copyright', 'Copyright'],
  ['DocumentName', 'DocumentName'],
  ['PageName', 'PageName'],
  ['ImageDescription', 'ImageDescription'],
  ['UserComment', 'UserComment'],
  ['ImageUniqueID', 'ImageUniqueID'],
  ['XP(?:Title|Comment|Author|Keywords|Subject)', 'XPTitle'],
];
const MAKER_NAMES = [
  'Canon:OwnerName',
  'Canon:CanonFirmwareVersion',
  'Canon:CanonImageType',
  'Canon:LensModel',
  'Canon:SerialNumber',
  'Canon:InternalSerialNumber',
  'Canon:LensSerialNumber',
  'Nikon:SerialNumber',
  'Apple:BurstUUID',
  'Apple:ContentIdentifier',
  'Apple:ImageUniqueID',
  'FujiFilm:InternalSerialNumber',
  'Panasonic:InternalSerialNumber',
  'Panasonic:LensSerialNumber',
  'Olympus:SerialNumber',
];
const IPTC_NAMES = `ObjectName EditStatus SubjectReference Category SupplementalCategories FixtureIdentifier
  ContentLocationCode ContentLocationName SpecialInstructions OriginatingProgram By-lineTitle City Sub-location
  Province-State Country-PrimaryLocationCode Country-PrimaryLocationName OriginalTransmissionReference Headline
  Credit Source CopyrightNotice Contact Caption-Abstract Writer-Editor UniqueDocumentID DocumentNotes`;

/** Every pair of fields that is compared, exiftool's side first. */
export const FIELD_PAIRS: readonly FieldPair[] = [
  ...EXIF_NAMES.map(([tag, field]) => exif(tag, 'text', field)),
  exif('ModifyDate', 'time', 'DateTime'),
  exif('DateTimeOriginal', 'time', 'DateTimeOriginal'),
  exif('CreateDate', 'time', 'DateTimeDigitized'),
  pair('Composite:SubSecModifyDate', 'time', 'DateTime'),
  pair('Composite:SubSecDateTimeOriginal', 'time', 'DateTimeOriginal'),
  pair('Composite:SubSecCreateDate', 'time', 'DateTimeDigitized'),
  ...MAKER_NAMES.map((name) => pair(name, 'text', name)),
  pair('Nikon:Lens', 'rounded', 'Nikon:Lens'),
  pair('Composite:RunTimeSincePowerUp', 'rounded', 'Apple:RunTime'),
  ...IPTC_NAMES.split(/\s+/).map((name) => pair(`IPTC\\d*:${name}`, 'text', name)),
  pair('IPTC\\d*:By-line', 'list', 'By-line'),
  pair('IPTC\\d*:Keywords', 'list', 'Keywords'),
  pair('Composite:DateTimeCreated', 'time', 'DateCreated'),
  pair('Composite:DigitalCreationDateTime', 'time', 'DigitalCreationDate'),
  pair('PNG:ModifyDate', 'time', 'tIME'),
  ...'Author Comment Copyright Description Disclaimer Software Title'.split(' ').map((name) => {
    return pair(`PNG:${name}(?:-\\w+)?`, 'text', name);
  }),
  pair('PNG:Datecreate', 'time', 'date:create'),
  pair('PNG:Datemodify', 'time', 'date:modify'),
  pair('PNG:Datetimestamp', 'time', 'date:timestamp'),
  pair('(?:File|GIF):Comment', 'text', 'Comment'),
  xmp('dc', 'Creator', 'dc:creator', 'list'),
  xmp('dc', 'Description', 'dc:description'),
  xmp('dc', 'Rights', 'dc:rights'),
  xmp('dc', 'Subject', 'dc:subject', 'list'),
  xmp('dc', 'Title', 'dc:title'),
  xmp('aux', 'Lens', 'aux:Lens'),
  xmp('aux', 'SerialNumber', 'aux:SerialNumber'),
  xmp('exif', 'DateTimeOriginal', 'exif:DateTimeOriginal', 'time'),
  xmp('exif', 'DateTimeDigitized', 'exif:DateTimeDigitized', 'time'),
  xmp('exif', 'DateTime', 'exif:DateTime', 'time'),
  xmp('exif', 'Lens', 'exif:Lens'),
  xmp('exif', 'Make', 'exif:Make'),
  xmp('exif', 'Model', 'exif:Model'),
  xmp('exifEX', 'LensModel', 'exifEX:LensModel'),
  xmp('tiff', 'Make', 'tiff:Make'),
  xmp('tiff', 'Model', 'tiff:Model'),
  xmp('xmp', 'CreateDate', 'xmp:CreateDate', 'time'),
  xmp('xmp', 'ModifyDate', 'xmp:ModifyDate', 'time'),
  xmp('xmp', 'MetadataDate', 'xmp:MetadataDate', 'time'),
  xmp('xmp', 'CreatorTool', 'xmp:CreatorTool'),
  xmp('xmp', 'Rating', 'xmp:Rating'),
  xmp('xmpMM', 'DocumentID', 'xmpMM:DocumentID'),
  xmp('xmpMM', 'InstanceID', 'xmpMM:InstanceID'),
  xmp('xmpMM', 'OriginalDocumentID', 'xmpMM:OriginalDocumentID'),
  xmp('xmpMM', 'DerivedFromDocumentID', 'xmpMM:DerivedFrom/stRef:documentID'),
  xmp('xmpMM', 'DerivedFromInstanceID', 'xmpMM:DerivedFrom/stRef:instanceID'),
  xmp('xmpMM', 'DerivedFromOriginalDocumentID', 'xmpMM:DerivedFrom/stRef:originalDocumentID'),
  xmp('xmpMM', 'HistoryInstanceID', 'xmpMM:History/stEvt:instanceID', 'list'),
  xmp('xmpRights', 'UsageTerms', 'xmpRights:UsageTerms'),
  xmp('xmpRights', 'WebStatement', 'xmpRights:WebStatement'),
  ...'AuthorsPosition CaptionWriter City Country Credit Headline Instructions Source State TransmissionReference'
    .split(' ')
    .map((name) => xmp('photoshop', name, `photoshop:${name}`)),
  xmp('photoshop', 'DateCreated', 'photoshop:DateCreated', 'time'),
  xmp('photoshop', 'History', 'photoshop:History'),
  xmp('iptcCore', 'Location', 'Iptc4xmpCore:Location'),
  xmp('iptcCore', 'CountryCode', 'Iptc4xmpCore:CountryCode'),
  xmp('iptcCore', 'CreatorWorkEmail', 'Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiEmailWork'),
  xmp('iptcCore', 'CreatorWorkTelephone', 'Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiTelWork'),
  xmp('iptcCore', 'CreatorWorkURL', 'Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiUrlWork'),
  xmp('iptcCore', 'CreatorAddress', 'Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiAdrExtadr'),
  xmp('iptcCore', 'CreatorCity', 'Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiAdrCity'),
  xmp('iptcCore', 'CreatorCountry', 'Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiAdrCtry'),
  xmp('iptcCore', 'CreatorPostalCode', 'Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiAdrPcode'),
  xmp('iptcCore', 'CreatorRegion', 'Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiAdrRegion'),
  xmp('iptcExt', 'PersonInImage', 'Iptc4xmpExt:PersonInImage', 'list'),
  xmp('iptcExt', 'PersonInImageName', 'Iptc4xmpExt:PersonInImageWDetails/Iptc4xmpExt:PersonName', 'list'),
  xmp(
    'iptcExt',
    'PersonInImageDescription',
    'Iptc4xmpExt:PersonInImageWDetails/Iptc4xmpExt:PersonDescription',
    'list',
  ),
  xmp('iptcExt', 'Event', 'Iptc4xmpExt:Event'),
  xmp('iptcExt', 'DigitalSourceType', 'Iptc4xmpExt:DigitalSourceType'),
  xmp('iptcExt', 'DigitalImageGUID', 'Iptc4xmpExt:DigImageGUID'),
  xmp('iptcExt', 'ModelAge', 'Iptc4xmpExt:ModelAge', 'list'),
  xmp('iptcExt', 'ImageRegionName', 'Iptc4xmpExt:ImageRegion', 'list'),
  xmp('iptcExt', 'OrganisationInImageName', 'Iptc4xmpExt:OrganisationInImageName', 'list'),
  ...['LocationCreated', 'LocationShown'].flatMap((where) =>
    (
      [
        ['City', 'City'],
        ['CountryCode', 'CountryCode'],
        ['CountryName', 'CountryName'],
        ['ProvinceState', 'ProvinceState'],
        ['Sublocation', 'Sublocation'],
        ['WorldRegion', 'WorldRegion'],
      ] as const
    ).map(([tag, part]) => xmp('iptcExt', where + tag, `Iptc4xmpExt:${where}/Iptc4xmpExt:${part}`, 'list')),
  ),
];

/** One comparison: what exiftool said, and whether ours says the same. */
export interface Comparison {
  readonly tag: string;
  readonly agrees: boolean;
  readonly theirs: string;
  readonly ours: readonly string[];
}

/** Compares all that exiftool says of a file, by the pairs of fields, places and thumbnails. */
export function compare(tags: Tags, values: Values): Comparison[] {
  const compared: Comparison[] = [];
  const all = [
    ...values.times,
    ...values.device,
    ...values.people,
    ...values.texts,
    ...(values.place?.names ?? []),
  ];
  for (const [tag, value] of Object.entries(tags)) {
    for (const { tag: pattern, fields, as } of FIELD_PAIRS) {
      if (!pattern.test(tag)) continue;
      const ours = all.filter(({ field }) => matches(field, fields)).map((each) => each.value);
      const theirs = (Array.isArray(value) ? value : [value])
        .map(String)
        .map(tidy)
        .filter((text) => !isNothing(text, as));
      for (const each of theirs) {
        compared.push({ tag, theirs: each, ours, agrees: ours.some((text) => same(text, each, as)) });
      }
    }
  }
  return [...compared, ...comparePlaces(tags, values), ...compareThumbnails(tags, values)];
}

const matches = (field: string, fields: readonly string[]) =>
  fields.includes(field) || (fields[0] === 'XPTitle' && /^XP/.test(field));

const tidy = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as values are tidied
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]+/g, ' ').trim();

/** What says nothing: exiftool prints blanks and zeros as they are. */
const isNothing = (text: string, as: FieldPair['as']) =>
  text === '' || (as === 'time' && !/[1-9]/.test(text));

function same(ours: string, theirs: string, as: FieldPair['as']): boolean {
  if (as === 'time')
    return likeTime(ours).startsWith(likeTime(theirs)) || likeTime(theirs).startsWith(likeTime(ours));
  if (as === 'rounded') {
    const numbers = (text: string) => text.split(/\s+/).map(Number.parseFloat).filter(Number.isFinite);
    const [a, b] = [numbers(ours), numbers(theirs)];
    return a.length === b.length && a.every((value, n) => Math.abs(value - b[n]!) < 1e-3);
  }
  // numbers lose their zeros in JSON
  return (
    ours === theirs ||
    (theirs !== '' && Number(ours) === Number(theirs)) ||
    (ours.length === 2000 && theirs.startsWith(ours))
  );
}

/** Digits of a time as exiftool writes it, its seconds filled in. */
const likeTime = (text: string) =>
  text
    .replace('T', ' ')
    .replace(/^(\d{4})-(\d\d)/, '$1:$2')
    .replace(/^(\d{4}:\d\d)-/, '$1:')
    .replace(/( \d\d:\d\d)(?!:?\d)/, '$1:00')
    .replace(/Z$/, '');

/** Positions to 1e-6 degrees; altitude, direction and accuracy to a hundredth. */
function comparePlaces(tags: Tags, values: Values): Comparison[] {
  const positions = values.place?.positions ?? [];
  const compared: Comparison[] = [];
  const check = (
    tag: string,
    member: 'latitude' | 'longitude' | 'altitude' | 'direction' | 'accuracy',
    allowed: number,
  ) => {
    const value = tags[tag];
    if (typeof value !== 'number') return;
    const ours = positions.map((position) => String(position[member] ?? ''));
    const agrees = positions.some(
      (position) => Math.abs((position[member] ?? Number.NaN) - value) <= allowed,
    );
    compared.push({ tag, theirs: String(value), ours, agrees });
  };
  check('Composite:GPSLatitude', 'latitude', 1e-6);
  check('Composite:GPSLongitude', 'longitude', 1e-6);
  check('XMP-exif:GPSLatitude', 'latitude', 1e-6);
  check('XMP-exif:GPSLongitude', 'longitude', 1e-6);
  check('Composite:GPSAltitude', 'altitude', 0.01);
  check('GPS:GPSImgDirection', 'direction', 0.01);
  check('GPS:GPSHPositioningError', 'accuracy', 0.01);
  const time = tags['Composite:GPSDateTime'];
  if (typeof time === 'string') {
    const ours = positions.map((position) => position.time ?? '');
    compared.push({
      tag: 'Composite:GPSDateTime',
      theirs: time,
      ours,
      // exiftool gives fractions of the second
      agrees: ours.some((each) => each !== '' && time.startsWith(likeTime(each))),
    });
  }
  return compared;
}

/** Thumbnails by their lengths. */
function compareThumbnails(tags: Tags, values: Values): Comparison[] {
  const compared: Comparison[] = [];
  for (const [tag, value] of Object.entries(tags)) {
    const length = /^IFD1:ThumbnailLength$/.test(tag)
      ? Number(value)
      : /^Photoshop:PhotoshopThumbnail$/.test(tag)
        ? Number(/(\d+) bytes/.exec(String(value))?.[1])
        : Number.NaN;
    if (!(length > 0)) continue;
    const ours = values.thumbnails.map(({ bytes }) => bytes);
    compared.push({ tag, theirs: String(length), ours: ours.map(String), agrees: ours.includes(length) });
  }
  return compared;
}
