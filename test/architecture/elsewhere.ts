/** Files of one room that one test covers, and why they have none of their own. */
interface Covered {
  readonly by: string;
  readonly why: string;
  readonly room: string;
  readonly files: string;
}

const covered: readonly Covered[] = [
  {
    by: 'test/metadata/scan.test.ts',
    why: 'every rule of the container is a fixture with its expected facts',
    room: 'src/metadata',
    files: `avif_items avif_picture avif_sequence avif boxes directories draft exif gif ifd jpeg_frame jpeg_segments jpeg
      jumbf mpf photoshop png_chunks png_text png tiff trailer webp xmp`,
  },
  {
    by: 'test/app.test.ts',
    why: 'seen on the answers of the whole service',
    room: 'src/api',
    files: 'cors method_not_allowed request_id version routes/health',
  },
  { by: 'test/app.test.ts', why: 'the entry that those tests call', room: 'src', files: 'index' },
  {
    by: 'test/api/routes/sanitize.test.ts',
    why: 'a part of that answer',
    room: 'src/api',
    files: 'envelope parse_ops',
  },
  {
    by: 'test/api/routes/sanitize.test.ts',
    why: 'the pipeline behind that route',
    room: 'src/sanitize',
    files: 'read_header pipeline reading report',
  },
  {
    by: 'test/api/keys.test.ts',
    why: 'the route and its token',
    room: 'src/api',
    files: 'admin routes/keys',
  },
  {
    by: 'test/api/routes/detect.test.ts',
    why: 'the job behind that route',
    room: 'src/sanitize',
    files: 'detect',
  },
  { by: 'test/api/usage.test.ts', why: 'the route', room: 'src/api', files: 'routes/usage' },
  { by: 'test/api/pricing.test.ts', why: 'the route', room: 'src/api', files: 'routes/pricing' },
  {
    by: 'test/api/metering.test.ts',
    why: 'parts of metering',
    room: 'src/api',
    files: 'meter_client standing',
  },
  {
    by: 'test/metering/call_meter.test.ts',
    why: 'what the object stores and counts by',
    room: 'src/metering',
    files: 'journal months sql_journal',
  },
  {
    by: 'test/core/bands.test.ts',
    why: 'both against naive turns, side by side',
    room: 'src/core',
    files: 'rotate flip',
  },
  { by: 'test/api/errors.test.ts', why: 'each kind and its status', room: 'src', files: 'faults' },
  {
    by: 'test/api/body/read.test.ts',
    why: 'numbers, each tried at its border there',
    room: 'src/api/body',
    files: 'limits',
  },
  {
    by: 'test/faces/detector.test.ts',
    why: 'parts of it',
    room: 'src/faces',
    files: 'pass_inputs search tensor',
  },
  {
    by: 'test/pixels/to_srgb.test.ts',
    why: 'parts of that step',
    room: 'src/pixels/colour',
    files: `conversion converted curves embedded grey_converter icc_text lcms_instance primaries profile_colour
      table_converter transfer`,
  },
  { by: 'test/pixels/crop.test.ts', why: 'reads columns by it', room: 'src/pixels', files: 'columns' },
  { by: 'test/pixels/pixelate.test.ts', why: 'the blocks of that step', room: 'src/pixels', files: 'mosaic' },
  {
    by: 'test/pixels/orient.test.ts',
    why: 'a view that the turns go through',
    room: 'src/pixels',
    files: 'pixel_words',
  },
  {
    by: 'test/api/routes/sanitize.test.ts',
    why: 'a table, each row of which is sanitized there',
    room: 'src/codecs',
    files: 'registry',
  },
  {
    by: 'test/codecs/jpeg/decoder.test.ts',
    why: 'the binding under that codec',
    room: 'src/core',
    files: 'jpeg_decode',
  },
  {
    by: 'test/codecs/jpeg/variants.test.ts',
    why: 'the message of every fault',
    room: 'src/core',
    files: 'jpeg_faults',
  },
  {
    by: 'test/core/webp_lossy_hostile.node.test.ts',
    why: 'the message of every fault',
    room: 'src/core',
    files: 'webp_lossy_faults',
  },
  {
    by: 'test/codecs/png/decoder.test.ts',
    why: 'the binding under that codec',
    room: 'src/core',
    files: 'png',
  },
];

/** Files with no test at their own path → the test that covers them, a colon, and why. */
export const testedElsewhere: ReadonlyMap<string, string> = new Map(
  covered.flatMap(({ by, why, room, files }) =>
    files.split(/\s+/).map((file) => [`${room}/${file}.ts`, `${by}: ${why}`] as const),
  ),
);
