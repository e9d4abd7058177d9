import type { VALUE_KINDS } from '../../vocabulary/value_kinds.ts';
import type { BlockName } from '../facts.ts';

/** Longest text that is returned, in UTF-16 code units; longer ones are cut off. */
export const MAX_CHARACTERS = 2000;
/** Most values of one kind, and most positions, thumbnails and manifests. */
export const MAX_LIST = 100;

export type Group = keyof typeof VALUE_KINDS;
export type Kind<G extends Group = Group> = (typeof VALUE_KINDS)[G][number];

/** Where a value comes from: the block as the scan names it, and the field by its name in the standard. */
export interface Source {
  readonly block: BlockName;
  readonly field: string;
}

/**
 * A part of the picture: corner and size as fractions of its width and height, as stored, origin top-left.
 */
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
  /** Present only if the value was longer than MAX_CHARACTERS. */
  readonly cut?: true;
  /** For a region. */
  readonly area?: Area;
}

/** One place on earth, as far as it is known. */
export interface Position extends Source {
  /** Whether the camera stood there, or the picture shows it. */
  readonly kind: 'camera' | 'shown';
  /** Decimal degrees, north and east positive; both absent if they are not stated, or unreadable. */
  readonly latitude?: number;
  readonly longitude?: number;
  /** The file states coordinates, but they can't be read surely, or contradict each other. */
  readonly unreadable?: true;
  /** Metres above sea level (or the ellipsoid). */
  readonly altitude?: number;
  /** Direction of the camera, in degrees clockwise from north. */
  readonly direction?: number;
  /** Horizontal error in metres. */
  readonly accuracy?: number;
  /** Time of the fix in UTC, ISO 8601; only a date or only a time if there is no more. */
  readonly time?: string;
}

/** What a C2PA manifest says about itself. Nothing of it is validated. */
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
  /** In pixels; 0 if not stated. */
  readonly width: number;
  readonly height: number;
  /**
   * Whether its aspect ratio differs from the picture's: a sign that the picture was cropped afterwards.
   * Cameras that put bars on thumbnails cause the same difference.
   */
  readonly differs: boolean;
  /** Its bytes, if requested and if it is a JPEG of acceptable size. */
  readonly image?: Uint8Array;
}

/** What a file says, read from its metadata. Nothing of it is verified: anybody can write anything there. */
export interface Values {
  /** Null if the file says nothing about a place. */
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
  /** Whether values were left out because lists, texts or allowances were full. */
  readonly cut: boolean;
}

/** Whether the file says anything about its position, be it unreadable: this is what `has_gps` tells. */
export const hasPosition = ({
  place,
}: {
  readonly place: { readonly positions: object[] } | null;
}): boolean => place !== null && place.positions.length > 0;
