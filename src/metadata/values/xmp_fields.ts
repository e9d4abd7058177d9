import {
  type Axis,
  type Coordinate,
  coordinateOf,
  LATITUDE,
  LONGITUDE,
  writtenDegrees,
} from './coordinates.ts';
import { finite } from './gps.ts';
import { promptKind } from './prompts.ts';
import { isoTime } from './times.ts';
import { type Area, type Group, type Kind, MAX_LIST } from './values.ts';
import type { ValuesDraft } from './values_draft.ts';
import { UNKNOWN } from './xmp_namespaces.ts';

type Row = { [G in Group]: readonly [group: G, kind: Kind<G>] }[Group];

/** Properties that are complete values, by path; `[]` is an item of a list. */
const ROWS: readonly (readonly [group: Group, kind: Kind, paths: string])[] = [
  ['times', 'taken', 'exif:DateTimeOriginal photoshop:DateCreated'],
  ['times', 'digitised', 'xmp:CreateDate exif:DateTimeDigitized'],
  ['times', 'modified', 'xmp:ModifyDate xmp:MetadataDate tiff:DateTime exif:DateTime'],
  ['device', 'maker', 'tiff:Make exif:Make'],
  ['device', 'model', 'tiff:Model exif:Model'],
  ['device', 'lens', 'aux:Lens aux:LensID exifEX:LensMake exifEX:LensModel exif:Lens'],
  ['device', 'body_serial', 'aux:SerialNumber exifEX:BodySerialNumber exifEX:SerialNumber'],
  ['device', 'body_serial', 'MicrosoftPhoto:CameraSerialNumber drone-dji:DroneSerialNumber'],
  ['device', 'body_serial', 'drone-dji:CameraSerialNumber'],
  ['device', 'lens_serial', 'aux:LensSerialNumber exifEX:LensSerialNumber'],
  ['device', 'firmware', 'aux:Firmware'],
  ['device', 'software', 'xmp:CreatorTool tiff:Software GIMP:Version'],
  ['device', 'host_computer', 'tiff:HostComputer GIMP:Platform'],
  ['device', 'owner', 'aux:OwnerName exifEX:CameraOwnerName'],
  ['people', 'author', 'dc:creator[] dc:creator dc:contributor[] tiff:Artist photoshop:AuthorsPosition'],
  ['people', 'author', 'photoshop:CaptionWriter plus:ImageCreator[]/plus:ImageCreatorName'],
  ['people', 'copyright', 'dc:rights[] dc:rights tiff:Copyright xmpRights:Owner[]'],
  ['people', 'copyright', 'plus:CopyrightOwner[]/plus:CopyrightOwnerName'],
  ['people', 'credit', 'photoshop:Credit'],
  ['people', 'person', 'Iptc4xmpExt:PersonInImage[]'],
  ['people', 'person', 'Iptc4xmpExt:PersonInImageWDetails[]/Iptc4xmpExt:PersonName[]'],
  ['people', 'person', 'Iptc4xmpExt:PersonInImageWDetails[]/Iptc4xmpExt:PersonDescription[]'],
  ['places', 'name', 'Iptc4xmpExt:LocationCreated[]/Iptc4xmpExt:LocationName[]'],
  ['places', 'name', 'Iptc4xmpExt:LocationShown[]/Iptc4xmpExt:LocationName[]'],
  ['places', 'sublocation', 'Iptc4xmpCore:Location'],
  ['places', 'city', 'photoshop:City'],
  ['places', 'region', 'photoshop:State'],
  ['places', 'country', 'photoshop:Country'],
  ['places', 'country_code', 'Iptc4xmpCore:CountryCode'],
  ['places', 'area', 'exif:GPSAreaInformation'],
  ['texts', 'title', 'dc:title[] dc:title photoshop:Headline Iptc4xmpExt:Event[] exifEX:ImageTitle'],
  ['texts', 'caption', 'dc:description[] dc:description tiff:ImageDescription tiff:ImageDescription[]'],
  ['texts', 'caption', 'Iptc4xmpCore:AltTextAccessibility[] Iptc4xmpCore:ExtDescrAccessibility[]'],
  ['texts', 'keyword', 'dc:subject[] dc:subject lr:hierarchicalSubject[] digiKam:TagsList[]'],
  ['texts', 'keyword', 'MicrosoftPhoto:LastKeywordXMP[] photoshop:SupplementalCategories[]'],
  ['texts', 'keyword', 'photoshop:Category Iptc4xmpExt:OrganisationInImageName[]'],
  ['texts', 'comment', 'exif:UserComment[] exif:UserComment'],
  ['texts', 'rating', 'xmp:Rating xmp:Label'],
  ['texts', 'instructions', 'photoshop:Instructions'],
  ['texts', 'source', 'photoshop:Source dc:source'],
  ['texts', 'rights', 'xmpRights:UsageTerms[] xmpRights:WebStatement'],
  ['texts', 'source_type', 'Iptc4xmpExt:DigitalSourceType'],
  ['texts', 'prompt', 'Iptc4xmpExt:AIPromptInformation Iptc4xmpExt:AIPromptInformation[]'],
  ['texts', 'file_name', 'crs:RawFileName xmpMM:PreservedFileName'],
  ['texts', 'document_id', 'xmpMM:DocumentID photoshop:TransmissionReference Iptc4xmpExt:DigImageGUID'],
  ['texts', 'document_id', 'xmpMM:DerivedFrom/stRef:documentID photoshop:DocumentAncestors[]'],
  ['texts', 'instance_id', 'xmpMM:InstanceID xmpMM:DerivedFrom/stRef:instanceID'],
  ['texts', 'original_id', 'xmpMM:OriginalDocumentID xmpMM:DerivedFrom/stRef:originalDocumentID'],
  ['texts', 'image_id', 'exif:ImageUniqueID xmp:Identifier[] dc:identifier'],
  ['texts', 'text', 'Iptc4xmpExt:ModelAge[]'],
  ['texts', 'edit', 'photoshop:History'],
];
const FIELDS: ReadonlyMap<string, Row> = new Map(
  ROWS.flatMap(([group, kind, paths]) =>
    paths.split(' ').map((path) => [path, [group, kind] as unknown as Row]),
  ),
);

/** Parts of an IPTC location, created or shown. */
const LOCATION = /^Iptc4xmpExt:Location(?:Created|Shown)\[\]\/Iptc4xmpExt:(\w+)(?:\[\])?$/;
const LOCATION_KINDS: Readonly<Record<string, Kind<'places'>>> = {
  Sublocation: 'sublocation',
  City: 'city',
  ProvinceState: 'region',
  CountryName: 'country',
  CountryCode: 'country_code',
  WorldRegion: 'world_region',
};
const CONTACT = /^Iptc4xmpCore:CreatorContactInfo\/Iptc4xmpCore:(Ci\w+)$/;
/**
 * Properties of a position by their own names, in whatever namespace: Exif's (CIPA DC-010), and those of
 * drones, one of which DJI misspelt.
 */
const POSITION =
  /:(?:GPS(Dest)?(Latitude|Longt?itude|Altitude|ImgDirection|HPositioningError|TimeStamp)(Ref)?|(AbsoluteAltitude))(?:\[\])?$/i;
/** Regions: Metadata Working Group 2.0 §5.9, Windows' people tagging, and IPTC image regions. */
const REGION = /^mwg-rs:Regions\/mwg-rs:RegionList\[\]\/(?:mwg-rs:(Name)|mwg-rs:Area\/stArea:([xywh]))$/;
const WINDOWS_REGION = /^MP:RegionInfo\/MPRI:Regions\[\]\/MPReg:(PersonDisplayName|Rectangle)$/;
const IPTC_REGION =
  /^Iptc4xmpExt:ImageRegion\[\]\/Iptc4xmpExt:(?:(Name)\[\]|RegionBoundary\/Iptc4xmpExt:rb([XYWH]|Unit))$/;
const HISTORY = /^xmpMM:History\[\]\/stEvt:(action|when|softwareAgent|changed|parameters|instanceID)$/;

type Structure = 'region' | 'windows' | 'iptc' | 'history' | 'camera' | 'shown';

/** Takes the properties of one packet, and assembles values that are spread over several properties. */
export class XmpFields {
  readonly #draft: ValuesDraft;
  /** Members of structures, by the kind and number of the structure, with their names. */
  readonly #structures = new Map<string, { kind: Structure; members: Map<string, string> }>();

  constructor(draft: ValuesDraft) {
    this.#draft = draft;
  }

  take(path: string, items: readonly number[], text: () => string): void {
    const row = FIELDS.get(path);
    const field = path.replaceAll('[]', '');
    if (row) this.#value(row, field, text());
    else if (path.startsWith('Iptc4xmpExt:') || path.startsWith('mwg-rs:') || path.startsWith('MP:')) {
      this.#listed(path, field, items, text);
    } else {
      const event = HISTORY.exec(path)?.[1];
      const contact = CONTACT.test(path);
      if (event) this.#keep('history', items[0] ?? 0, event, text());
      else if (contact) this.#draft.add('people', 'contact', text(), { block: 'xmp', field });
      else this.#positioned(path, items, text);
    }
  }

  /** Members of a position: those beside each other, of one namespace, belong together. */
  #positioned(path: string, items: readonly number[], text: () => string): void {
    const match = POSITION.exec(path);
    if (match === null) return;
    const [, destination = '', name = '', reference = '', absolute = ''] = match;
    const isShown = destination !== '' || path.startsWith('Iptc4xmpExt:LocationShown');
    const kind = isShown ? 'shown' : 'camera';
    const group = `${path.slice(0, match.index)} ${items.join(' ')} ${destination}`;
    const member = (absolute || name + reference).toLowerCase().replace('longt', 'long');
    this.#keep(kind, group, member, text());
    this.#keep(kind, group, /^l/.test(member) ? 'field of degrees' : 'field', named(path));
  }

  #value([group, kind]: Row, field: string, text: string): void {
    const source = { block: 'xmp', field } as const;
    if (group === 'times') {
      const time = isoTime(text);
      if (time) this.#draft.add(group, kind, time, source);
      else this.#draft.add('texts', 'text', text, source);
    } else if (kind === 'comment' || kind === 'caption') {
      this.#draft.add('texts', promptKind(text) ?? kind, text, source);
    } else this.#draft.add(group, kind, text, source);
  }

  /** Properties in lists of structures. */
  #listed(path: string, field: string, items: readonly number[], text: () => string): void {
    const item = items[0] ?? 0;
    const location = LOCATION.exec(path);
    if (location) {
      const kind = LOCATION_KINDS[location[1]!];
      if (kind) {
        this.#draft.add('places', kind, text(), { block: 'xmp', field });
        return;
      }
    }
    const region = REGION.exec(path);
    if (region) this.#keep('region', item, region[1] ?? region[2]!, text());
    const windows = WINDOWS_REGION.exec(path);
    if (windows) this.#keep('windows', item, windows[1]!, text());
    const iptc = IPTC_REGION.exec(path);
    if (iptc) this.#keep('iptc', item, iptc[1] ?? iptc[2]!, text());
    if (!region && !windows && !iptc) this.#positioned(path, items, text);
  }

  #keep(kind: Structure, which: number | string, member: string, text: string): void {
    const key = `${kind} ${which}`;
    const known = this.#structures.get(key);
    if (known) {
      // of alternatives, such as a name in several languages, the first counts
      if (!known.members.has(member)) known.members.set(member, text);
    } else if (this.#structures.size < 4 * MAX_LIST) {
      this.#structures.set(key, { kind, members: new Map([[member, text]]) });
    } else this.#draft.cut = true;
  }

  /** Adds the assembled values. */
  finish(): void {
    for (const { kind, members } of this.#structures.values()) {
      const get = (name: string) => members.get(name)?.trim() ?? '';
      if (kind === 'history') this.#event(get);
      else if (kind === 'region' || kind === 'windows' || kind === 'iptc') this.#region(kind, get);
      else this.#position(kind, get);
    }
  }

  #event(get: (name: string) => string): void {
    const parts = [get('action'), get('when'), get('softwareAgent'), get('changed'), get('parameters')];
    const source = { block: 'xmp', field: 'xmpMM:History' } as const;
    this.#draft.add('texts', 'edit', parts.filter((part) => part !== '').join(', '), source);
    this.#draft.add('texts', 'instance_id', get('instanceID'), {
      block: 'xmp',
      field: 'xmpMM:History/stEvt:instanceID',
    });
  }

  #position(kind: 'camera' | 'shown', get: (name: string) => string): void {
    const altitude = fraction(get('absolutealtitude') || get('altitude'));
    const time = isoTime(get('timestamp'));
    this.#draft.position(
      {
        kind,
        ...finite('altitude', get('altituderef') === '1' ? -altitude : altitude),
        ...finite('direction', fraction(get('imgdirection'))),
        ...finite('accuracy', fraction(get('hpositioningerror'))),
        ...(time !== null && { time }),
        block: 'xmp',
        field: get('field of degrees') || get('field'),
      },
      statedIn(get('latitude'), get('latituderef'), LATITUDE),
      statedIn(get('longitude'), get('longituderef'), LONGITUDE),
    );
  }

  #region(kind: 'region' | 'windows' | 'iptc', get: (name: string) => string): void {
    const number = (name: string) => Number.parseFloat(get(name));
    let area: Area;
    let name = get('Name');
    if (kind === 'region') {
      // regions of the Metadata Working Group state the centre
      const [w, h] = [number('w') || 0, number('h') || 0];
      area = { x: number('x') - w / 2, y: number('y') - h / 2, w, h };
    } else if (kind === 'windows') {
      const [x, y, w, h] = get('Rectangle').split(',').map(Number.parseFloat);
      area = { x: x ?? Number.NaN, y: y ?? Number.NaN, w: w ?? Number.NaN, h: h ?? Number.NaN };
      name = get('PersonDisplayName');
    } else area = { x: number('X'), y: number('Y'), w: number('W'), h: number('H') };
    const sound =
      Object.values(area).every(Number.isFinite) && (kind !== 'iptc' || get('Unit') === 'relative');
    const field = { region: 'mwg-rs:Regions', windows: 'MP:RegionInfo', iptc: 'Iptc4xmpExt:ImageRegion' }[
      kind
    ];
    this.#draft.add('people', 'region', name, { block: 'xmp', field }, sound ? area : undefined);
  }
}

/** A coordinate in XMP: null if there is none, NaN if it can't be read surely. */
function statedIn(text: string, reference: string, axis: Axis): Coordinate {
  if (text === '') return null;
  const written = writtenDegrees(text);
  return written === null ? Number.NaN : coordinateOf(written, reference, axis, true);
}

/** The name of a property for people: without marks of lists, and of namespaces that have no usual prefix. */
const named = (path: string): string => path.replaceAll('[]', '').replaceAll(UNKNOWN, '').replace(/^:/, '');

/** "2500/100", or a plain number. */
function fraction(text: string): number {
  const match = /^([+-]?\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text);
  return match === null ? Number.NaN : Number(match[1]) / Number(match[2] ?? 1);
}
