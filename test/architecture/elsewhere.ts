/** Files of one room that one test covers, and why they have none of their own. */
interface Covered {
  readonly by: string;
  readonly why: string;
  readonly room: string;
  /** Names below the room, by spaces; those without an extension are `.ts`. */
  readonly files: string;
}

const covered: readonly Covered[] = [
  {
    by: 'test/metadata/scan.test.ts',
    why: 'every rule of the container is a fixture with its expected facts',
    room: 'src/metadata',
    files: `avif/items avif/picture_facts avif/scanner avif/tracks block_names boxes draft gif/scanner jpeg/frame
      jpeg/mpf jpeg/scanner jpeg/segments jumbf photoshop png/chunk_facts png/colour_types png/scanner scan_as
      tiff/directories tiff/exif tiff/scanner tiff/tags trailer webp/scanner xmp`,
  },
  {
    by: 'test/metadata/jpeg/hidden.test.ts',
    why: 'the end of every block counts in what that finds',
    room: 'src/metadata',
    files: 'jpeg/blocks jpeg/coded_scan jpeg/entropy_reader',
  },
  {
    by: 'test/metadata/values/read_values.test.ts',
    why: 'every source of values is a file with its expected values',
    room: 'src/metadata/values',
    files: `apple_run_time c2pa comments exif gps ifd_text iptc join png_text prompts text thumbnails values
      values_draft xmp xmp_fields xmp_namespaces`,
  },
  {
    by: 'test/metadata/values/sentences.test.ts',
    why: 'the words of those sentences',
    room: 'src/metadata/values',
    files: 'sentence_texts wording',
  },
  {
    by: 'test/metadata/values/read_values.test.ts',
    why: 'what the scan hands over to the readers of values',
    room: 'src/metadata',
    files: 'payloads',
  },
  {
    by: 'test/ops/responses.test.ts',
    why: 'a part of that answer',
    room: 'src/ops',
    files: 'values error_body',
  },
  {
    by: 'test/app.test.ts',
    why: 'seen on the responses of the whole service',
    room: 'src/api',
    files: `middleware/cors middleware/other_methods middleware/request_id answers/security_headers version
      routes/health`,
  },
  { by: 'test/app.test.ts', why: 'the entry that those tests call', room: 'src', files: 'index' },
  {
    by: 'test/api/routes/sanitize.test.ts',
    why: 'a part of that response',
    room: 'src/api',
    files: 'parse_ops',
  },
  {
    by: 'test/api/routes/sanitize.test.ts',
    why: 'the pipeline behind that route',
    room: 'src/sanitize',
    files: 'read_header pipeline open_image',
  },
  {
    by: 'test/api/routes/keys.test.ts',
    why: 'the token and the answers of those routes',
    room: 'src/api',
    files: 'caller/admin billing/key_records',
  },
  {
    by: 'test/detectors/heads/decode.test.ts',
    why: 'one suite for all heads, and what a detector answers',
    room: 'src/detectors',
    files: 'detector heads/anchor_free heads/candidates heads/plain_boxes heads/probability_map heads/yolo',
  },
  {
    by: 'test/sanitize/giving_way.test.ts',
    why: 'the turns counted there come of these times',
    room: 'src/sanitize',
    files: 'pixel_time',
  },
  {
    by: 'test/api/routes/detect.test.ts',
    why: 'the job behind that route',
    room: 'src/sanitize',
    files: 'detect find_faces',
  },
  {
    by: 'test/api/routes/usage.test.ts',
    why: 'the body of that response',
    room: 'src/api',
    files: 'billing/usage_record',
  },
  {
    by: 'test/api/routes/playground.test.ts',
    why: 'the files of the pages',
    room: 'src/api',
    files: 'answers/page_assets',
  },
  {
    by: 'test/api/routes/inspect.test.ts',
    why: 'the job behind that route',
    room: 'src/sanitize',
    files: 'inspect inspect_with runtime unknown_format',
  },
  {
    by: 'test/library/index.node.test.ts',
    why: 'parts of those calls',
    room: 'src/library',
    files:
      'budget_bytes budgets home home_node home_web image_error jobs options run_job tell_progress valid_ops',
  },
  {
    by: 'test/library/thread_pool.node.test.ts',
    why: 'the other ends of its messages',
    room: 'src/library',
    files: 'threads thread_calls thread_error',
  },
  {
    by: 'test/cli/program.slow.node.test.ts',
    why: 'the program, started',
    room: 'src/cli',
    files: 'main',
  },
  {
    by: 'test/cli/arguments.node.test.ts',
    why: 'the options and texts of what is read there',
    room: 'src/cli',
    files: 'file_command file_options help op_options',
  },
  {
    by: 'test/cli/run_files.node.test.ts',
    why: 'what a run uses, and how it refuses a call',
    room: 'src/cli',
    files: 'call_error clean_file surroundings',
  },
  {
    by: 'test/library/package.slow.node.test.ts',
    why: 'needs the built package: real threads',
    room: 'src/library',
    files: `worker threads_node threads_web worker_thread_node worker_thread_web home_in_thread home_inside standalone
      thread_scope threads_inside worker_thread_inside worker_threads`,
  },
  {
    by: 'test/library/index.node.test.ts',
    why: 'told to those who call there',
    room: 'src/sanitize',
    files: 'progress',
  },
  {
    by: 'test/faces/detector.test.ts',
    why: 'that detector, with the model',
    room: 'src/faces',
    files: 'isolate_detector',
  },
  {
    by: 'test/api/mcp/check_message.test.ts',
    why: 'the errors that it throws',
    room: 'src/api/mcp',
    files: 'json_rpc_error',
  },
  { by: 'test/api/billing/pricing.test.ts', why: 'the route', room: 'src/api', files: 'routes/pricing' },
  {
    by: 'test/api/billing/metering.test.ts',
    why: 'parts of metering',
    room: 'src/api/billing',
    files: 'meter_client rate_limit_status',
  },
  {
    by: 'test/metering/call_meter.test.ts',
    why: 'what the object stores and counts by',
    room: 'src/metering',
    files: 'journal key_state meter_answers months sql_journal sql_tables',
  },
  {
    by: 'test/memory/budget.test.ts',
    why: 'what that decides by; simulated calls and a model try it further',
    room: 'src/memory',
    files: 'shared_memory',
  },
  {
    by: 'test/core/bands.test.ts',
    why: 'both against naive turns, side by side',
    room: 'src/core',
    files: 'rotate flip',
  },
  { by: 'test/core/sizes.test.ts', why: 'a number of it', room: 'src/core', files: 'row_slack' },
  { by: 'test/api/answers/errors.test.ts', why: 'each kind and its status', room: 'src', files: 'faults' },
  {
    by: 'test/api/body/read.test.ts',
    why: 'numbers, each tested at its boundary there',
    room: 'src/api/body',
    files: 'limits',
  },
  {
    by: 'test/faces/network/network.test.ts',
    why: 'both networks, beside what another program says',
    room: 'src/faces/network',
    files: 'face_net face_networks yunet',
  },
  {
    by: 'test/faces/detector.test.ts',
    why: 'parts of it',
    room: 'src/faces',
    files: 'bump_allocator memory_plan pass_inputs pass_runner proposals search tensor',
  },
  {
    by: 'test/pixels/to_srgb.test.ts',
    why: 'parts of that step',
    room: 'src/pixels/colour',
    files: `conversion converted curves embedded grey_converter icc_text lcms_instance primaries profile_colour
      table_converter transfer`,
  },
  { by: 'test/pixels/crop.test.ts', why: 'reads columns by it', room: 'src/pixels', files: 'columns' },
  {
    by: 'test/pixels/pixelate.test.ts',
    why: 'the blocks of that step, and how often they make it read',
    room: 'src/pixels',
    files: 'block_edges mosaic',
  },
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
    by: 'test/codecs/avif/decoder.node.test.ts',
    why: 'what that decoder is predicted to hold',
    room: 'src/core',
    files: 'av1_memory',
  },
  {
    by: 'test/codecs/png/decoder.test.ts',
    why: 'the binding under that codec',
    room: 'src/core',
    files: 'png',
  },
  {
    by: 'test/browser/reference.test.ts',
    why: 'needs a browser: the page at /docs',
    room: 'src/reference',
    files: 'start.js',
  },
  {
    by: 'test/client/index.test.ts',
    why: 'what its calls throw',
    room: 'client',
    files: 'error',
  },
  {
    by: 'test/playground/service/request_queue.node.test.ts',
    why: 'what the queue waits by',
    room: 'src/playground',
    files: 'service/rate_limit_status',
  },
  {
    by: 'test/playground/strings.node.test.ts',
    why: 'the same call as code, beside the texts of the result',
    room: 'src/playground',
    files: 'result/snippets',
  },
  {
    by: 'test/browser/main_flow.test.ts',
    why: 'needs a browser and the service: from the file to its result',
    room: 'src/playground',
    files: `controller dom engine/service_engine findings/findings main result/clean_photo result/comparison
      result/result service/account service/action_bar settings/controls stage/mosaic_preview
      stage/picture state rove`,
  },
  {
    by: 'test/browser/nothing_lost.test.ts',
    why: 'needs a browser: what it decodes and the pipeline does not, and its history',
    room: 'src/playground',
    files: 'photos/leaving pictures/convert_here',
  },
  {
    by: 'test/playground/service/remedies.node.test.ts',
    why: 'what to do where it can’t be read',
    room: 'src/playground',
    files: 'photos/heic',
  },
  {
    by: 'test/browser/outputs.test.ts',
    why: 'needs a browser: transparency, clipboard, storage, and results made again',
    room: 'src/playground',
    files: `pictures/transparency result/growth result/share_result settings/output_notes
      settings/restore_settings`,
  },
  {
    by: 'test/browser/batch.test.ts',
    why: 'needs a browser: several photos, and where they are saved',
    room: 'src/playground',
    files: 'photos/photo_strip photos/save_all photos/source_files photos/take_photos pictures/thumbnails',
  },
  {
    by: 'test/browser/hiding.test.ts',
    why: 'needs a browser',
    room: 'src/playground',
    files: 'result/second_look',
  },
  {
    by: 'test/browser/revelations.test.ts',
    why: 'needs a browser: the map, and pictures inside a file',
    room: 'src/playground',
    files: 'findings/embedded_pictures findings/place_map',
  },
  {
    by: 'test/browser/device.test.ts',
    why: 'needs a browser: the pipeline in workers that the document names',
    room: 'src/playground',
    files: 'engine/assets engine/device_engine engine/device_error engine/page_threads page_worker',
  },
  {
    by: 'test/browser/large_photo.test.ts',
    why: 'needs a browser: whole pictures in a worker of the page',
    room: 'src/playground',
    files: 'pictures/in_worker pictures/jobs pictures/picture_worker pictures/preview pictures/read_pixels',
  },
  {
    by: 'test/browser/offline.test.ts',
    why: 'needs a browser: without a network, and photos shared to the page',
    room: 'src/playground',
    files: 'offline/install offline/service_worker',
  },
  {
    by: 'test/browser/image_inputs.test.ts',
    why: 'needs a browser: input by keyboard, pointer, touch and clipboard',
    room: 'src/playground',
    files: 'photos/image_inputs settings/box_fields stage/box_keys stage/gestures stage/overlay',
  },
  {
    by: 'test/playground/texts.node.test.ts',
    why: 'the texts of each language beside those in English',
    room: 'src/playground',
    files: `texts/de texts/en texts/de/errors texts/de/faces texts/de/findings texts/de/head
      texts/de/intake texts/de/photos texts/de/result texts/de/service texts/de/settings
      texts/de/stage texts/de/work texts/de/sentences texts/en/errors texts/en/faces
      texts/en/findings texts/en/head texts/en/intake texts/en/photos texts/en/result
      texts/en/service texts/en/settings texts/en/stage texts/en/work`,
  },
  {
    by: 'test/browser/language.test.ts',
    why: 'needs a browser: the page in another language',
    room: 'src/playground',
    files: 'language_choice',
  },
  {
    by: 'test/browser/editing.test.ts',
    why: 'needs a browser: zoom, the strip of faces, undo and the crop, by mouse, touch and keys',
    room: 'src/playground',
    files: `result/report_spots stage/boxes stage/face_strip stage/pan_and_pinch stage/picture_crop
      stage/undo stage/zoom`,
  },
  {
    by: 'test/browser/error_messages.test.ts',
    why: 'needs a browser: each error as it is shown',
    room: 'src/playground',
    files: 'service/error_message service/message_box',
  },
];

/** Files with no test at their own path → the test that covers them, a colon, and why. */
export const testedElsewhere: ReadonlyMap<string, string> = new Map(
  covered.flatMap(({ by, why, room, files }) =>
    files
      .split(/\s+/)
      .map((file) => [`${room}/${file.includes('.') ? file : `${file}.ts`}`, `${by}: ${why}`] as const),
  ),
);
