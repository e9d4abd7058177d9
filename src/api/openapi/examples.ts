import type { IssuedKey, KeyList, KeyRecord, RotatedKey, UsageRecord } from '../../ops/account.ts';
import type { Health } from '../../ops/health.ts';
import type { DetectResult, InspectResult, PurgeReport, SanitizeEnvelope } from '../../ops/responses.ts';
import type { SanitizeOpsInput } from '../../ops/schema.ts';
import { SERVICE_VERSION } from '../version.ts';

/**
 * A whole picture, so that the examples can be sent as they stand: a PNG of 32 × 24 pixels with an author and
 * a place.
 */
export const SAMPLE_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAYAgMAAADmPRenAAAADFBMVEW/1+rywU5be1ovXYpSnb3EAAAAjGVYSWZJSSoACAAAAAIA' +
  'OwECAAQAAABBbm4AJYgEAAEAAAAmAAAAAAAAAAQAAQACAAIAAABOAAAAAgAFAAMAAABcAAAAAwACAAIAAABFAAAABAAFAAMAAAB0' +
  'AAAAAAAAADAAAAABAAAAMwAAAAEAAAAeAAAAAQAAAAIAAAABAAAAEQAAAAEAAAAoAAAAAQAAAL9i2EYAAABGSURBVHjaY2AgAFgd' +
  'oAzRACgjNAQnA64GrgsTaK2A0EyrVjVABFatWsHQABZYtYphBQMDF5ixqgEssIphFRRgYfyHAkwGAE2MOviAd2K6AAAAAElFTkSu' +
  'QmCC';

/** The first bytes of a JPEG: example answers show the form of a value, not a whole photo. */
const ANSWER_BASE64 = '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD';

/** Ops that fit this picture, and most others. */
export const opsExample: SanitizeOpsInput = {
  crop: { x: 0, y: 2, width: 32, height: 20 },
  pixelate: { regions: [{ x: 18, y: 0, w: 10, h: 8, fill: 'solid' }] },
  output: { format: 'jpeg', quality: 88, maxWidth: 1600 },
};

/** Boxes as `detect` lists them, sent back. */
export const areasExample: SanitizeOpsInput = {
  crop: opsExample.crop,
  pixelate: {
    areas: [
      { x: 4, y: 3, w: 8, h: 10, confidence: 0.94 },
      { kind: 'plate', x: 18, y: 12, w: 10, h: 4, confidence: 0.71 },
    ],
  },
};

const reportExample: PurgeReport = {
  width: 1200,
  height: 900,
  bytes: 184_320,
  facesDetected: 2,
  facesBelowConfidence: 1,
  belowConfidence: [{ x: 912, y: 204.5, w: 61.2, h: 78, confidence: 0.47 }],
  facesOnSecondLook: 0,
  regionsPixelated: 0,
  regionsFilled: 1,
  hidden: [
    { owner: 'region', fill: 'solid', x: 60, y: 700, w: 320, h: 110 },
    { owner: 'face', fill: 'mosaic', x: 297, y: 189, w: 135, h: 162 },
    { owner: 'face', fill: 'mosaic', x: 640, y: 220, w: 112, h: 140 },
  ],
  grayscale: false,
  colour: { from: 'Display P3', converted: true },
  metadataStripped: true,
  verified: { blocks: [], scannedBytes: 184_320 },
  sourceMetadataFound: ['exif', 'gps', 'thumbnail', 'icc'],
  warnings: [],
  warningCodes: [],
  durationMs: 412,
};

export const envelopeExample: SanitizeEnvelope = {
  image: ANSWER_BASE64,
  content_type: 'image/jpeg',
  report: reportExample,
};

export const detectExample: DetectResult = {
  width: 4032,
  height: 3024,
  count: 1,
  faces: [{ x: 1210.5, y: 804, w: 322.4, h: 401.8, confidence: 0.94 }],
};

export const boxesExample: DetectResult = {
  ...detectExample,
  boxes: [{ kind: 'plate', x: 1804, y: 2210.5, w: 310.2, h: 78.4, confidence: 0.71 }],
};

export const noFacesExample: DetectResult = { width: 4032, height: 3024, count: 0, faces: [] };

export const inspectExample: InspectResult = {
  format: 'jpeg',
  width: 4032,
  height: 3024,
  bytes: 3_481_920,
  metadata_blocks_present: ['exif', 'gps', 'thumbnail'],
  has_gps: true,
  orientation: 6,
  frames: 1,
  complete: true,
  colour_space: 'Display P3',
  blocks: [
    { name: 'exif', start: 2, bytes: 11_204 },
    { name: 'gps', start: 1_018, bytes: 148 },
    { name: 'thumbnail', start: 1_322, bytes: 9_873 },
  ],
};

export const inspectValuesExample: InspectResult = {
  ...inspectExample,
  values: {
    place: {
      positions: [
        {
          kind: 'camera',
          latitude: 48.858222,
          longitude: 2.2945,
          altitude: 35.2,
          direction: 270.5,
          accuracy: 4.7,
          time: '2026-05-31T15:02:11Z',
          block: 'gps',
          field: 'GPSLatitude',
        },
      ],
      names: [],
    },
    times: [
      { kind: 'taken', value: '2026-05-31T17:02:11.250+02:00', block: 'exif', field: 'DateTimeOriginal' },
    ],
    device: [
      { kind: 'maker', value: 'ACME', block: 'exif', field: 'Make' },
      { kind: 'body_serial', value: 'SN-0042', block: 'exif', field: 'BodySerialNumber' },
    ],
    people: [{ kind: 'author', value: 'Erika Mustermann', block: 'exif', field: 'Artist' }],
    texts: [],
    provenance: null,
    thumbnails: [
      {
        bytes: 9_873,
        encoding: 'jpeg',
        width: 160,
        height: 120,
        differs: false,
        block: 'thumbnail',
        field: 'IFD1',
      },
    ],
    cut: false,
  },
};

const month = {
  period: '2026-11',
  calls: 5,
  billable_calls: 3,
  cost_cents: 1.2,
  cost_usd: 0.012,
};

const KEY_ID = 'key_0123456789abcdef01234567';

export const usageExample: UsageRecord = { key_id: KEY_ID, plan: 'pro', ...month };

export const dailyUsageExample: UsageRecord = {
  ...usageExample,
  days: [
    { date: '2026-11-03', calls: 3, billable_calls: 2, cost_cents: 0.8, cost_usd: 0.008 },
    { date: '2026-11-20', calls: 2, billable_calls: 1, cost_cents: 0.4, cost_usd: 0.004 },
  ],
};

export const healthExample: Health = {
  status: 'ok',
  version: SERVICE_VERSION,
  model: { name: 'face_detector', sha256: '0'.repeat(64) },
  models: [
    { name: 'face_detector', sha256: '0'.repeat(64) },
    { name: 'yunet_n', sha256: '1'.repeat(64) },
  ],
  engine: 'core',
  detectors: [],
};

/** A key as every answer describes it. */
const keyExample = {
  key_id: KEY_ID,
  plan: 'pro',
  monthly_billable_cap: 100_000,
  label: 4711,
  expires_at: null,
  created_at: '2026-11-01T12:00:00.000Z',
} as const;

export const issuedKeyExample: IssuedKey = {
  // The form of a key; this one was never issued.
  key: `isk_${'e'.repeat(20)}_${'x'.repeat(43)}`,
  ...keyExample,
};

export const rotatedKeyExample: RotatedKey = {
  ...issuedKeyExample,
  created_at: '2026-11-15T12:00:00.000Z',
  previous_valid_until: '2026-11-16T12:00:00.000Z',
};

export const keyRecordExample: KeyRecord = {
  ...keyExample,
  rotated_at: null,
  previous_valid_until: null,
  state: 'active',
  revoked_at: null,
  usage: month,
  earlier_usage: [],
};

export const keyListExample: KeyList = {
  keys: [{ ...keyExample, state: 'active', revoked_at: null }],
  next_cursor: null,
};
