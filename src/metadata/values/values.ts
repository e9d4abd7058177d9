import type { VALUE_KINDS } from '../../vocabulary/value_kinds.ts';
import type { BlockName } from '../facts.ts';

/** Longest text that is given, in UTF-16 code units; longer ones are cut. */
export const MAX_CHARACTERS = 2000;
/** Most values of one kind, and most positions, thumbnails and manifests. */
export const MAX_LIST = 100;

export type Group = keyof typeof VALUE_KINDS;
export type Kind<G extends Group = Group> = (typeof VALUE_KINDS)[G][number];

/** Where a value stands: the block as the scan names it, and the field by its name in the standard. */
export interface Source {
  readonly block: BlockName;
  readonly field: string;
}

/** A part of the picture: corner and size as fractions of width and height, as stored, origin top-left. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** One value. */
export interface Finding<G extends Group = Group> extends Source {
  readonly kind: Kind<G>;
  readonly value: string;
  /** There only when the value was longer than MAX_CHARACTERS. */
  readonly cut?: true;
  /** Of a region. */
  readonly area?: Area;
}

/** One place on earth, or what is known of one. */
export interface Position extends Source {
  /** Whether the camera stood there, or the picture shows it. */
  readonly kind: 'camera' | 'shown';
  /** Decimal degrees, north and east positive; both absent where a file tells only what follows. */
  readonly latitude?: number;
  readonly longitude?: number;
  /** Metres above sea level (or the ellipsoid). */
  readonly altitude?: number;
  /** Where the camera looked, in degrees clockwise from north. */
  readonly direction?: number;
  /** Horizontal error in metres. */
  readonly accuracy?: number;
  /** Of the fix, UTC, ISO 8601; a date or a time alone where there is no more. */
  readonly time?: string;
}

/** What a C2PA manifest says of itself. Nothing of it is validated. */
export interface Manifest {
  readonly label: string;
  readonly generator?: string;
  readonly title?: string;
  readonly actions: {
    readonly action: string;
    readonly when?: string;
    readonly software?: string;
    readonly source_type?: string;
  }[];
}

/** Provenance data that the file carries. */
export interface Provenance extends Source {
  /** Always false: signatures and hashes are not checked. */
  readonly validated: false;
  readonly manifests: Manifest[];
}

/** A smaller picture inside the file. */
export interface Thumbnail extends Source {
  readonly bytes: number;
  /** `samples` are uncompressed; `av1` and `hevc` lack the container that a viewer needs. */
  readonly encoding: 'jpeg' | 'samples' | 'av1' | 'hevc' | 'unknown';
  /** In pixels; 0 where it does not say. */
  readonly width: number;
  readonly height: number;
  /**
   * Whether its aspect ratio is another than the picture's: a sign that the picture was cropped afterwards.
   * Cameras that put bars on thumbnails make the same difference.
   */
  readonly differs: boolean;
  /** Its bytes, where they were asked for and are a JPEG of a bearable size. */
  readonly image?: Uint8Array;
}

/** What a file says, read from its metadata. Nothing of it is checked: anybody can write anything there. */
export interface Values {
  /** Null where the file says nothing of a place. */
  readonly place: {
    readonly positions: Position[];
    readonly names: Finding<'places'>[];
  } | null;
  readonly times: Finding<'times'>[];
  readonly device: Finding<'device'>[];
  readonly people: Finding<'people'>[];
  readonly texts: Finding<'texts'>[];
  readonly provenance: Provenance | null;
  readonly thumbnails: Thumbnail[];
  /** Whether there was more than lists, texts or allowances hold. */
  readonly cut: boolean;
}
