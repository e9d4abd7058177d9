import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { PurgeReport } from '../../client/index.ts';
import { errorCodes } from '../../src/ops/responses.ts';
import { clientSnippet, curlSnippet } from '../../src/playground/result/snippets.ts';
import {
  describeCost,
  describeReport,
  describeResult,
  describeSizeChange,
  deviceErrorText,
  errorText,
  formatBytes,
  formatDuration,
  leftOutMessage,
  mainSentences,
} from '../../src/playground/strings.ts';

describe('texts', () => {
  it('for bytes', () => {
    expect([0, 999, 1000, 9949, 166_000, 999_499, 999_500, 3_240_000, 26_214_400].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 KB',
      '9.9 KB',
      '166 KB',
      '999 KB',
      '1.0 MB',
      '3.2 MB',
      '26 MB',
    ]);
  });

  it('for lists and changes', () => {
    expect([formatDuration(0), formatDuration(999), formatDuration(1440)]).toEqual([
      '0.1 s',
      '1.0 s',
      '1.4 s',
    ]);
    expect([
      describeSizeChange(100, 61),
      describeSizeChange(100, 130),
      describeSizeChange(1000, 1001),
    ]).toEqual(['39 % smaller', '30 % larger', 'as large as before']);
  });

  it('for every error', () => {
    for (const code of errorCodes) expect(errorText(code).advice).toMatch(/\.$/);
    expect(deviceErrorText('overloaded').title).toBe('There is not enough memory');
    expect(deviceErrorText('unprocessable_image')).toEqual(errorText('unprocessable_image'));
  });

  const report: PurgeReport = {
    width: 10,
    height: 10,
    bytes: 2000,
    facesDetected: 2,
    facesBelowConfidence: 1,
    belowConfidence: [{ x: 10, y: 10, w: 20, h: 20, confidence: 0.5 }],
    facesOnSecondLook: 1,
    hidden: [],
    regionsPixelated: 1,
    grayscale: true,
    colour: { from: 'Display P3', converted: true },
    metadataStripped: true,
    verified: { blocks: [], scannedBytes: 2000 },
    sourceMetadataFound: ['exif', 'gps'],
    warnings: [],
    warningCodes: [],
    durationMs: 5,
  };
  type Plan = Parameters<typeof describeReport>[1];
  const planned = (
    counts: Record<string, readonly [count: number, visible: number]>,
    faces = true,
  ): Plan => ({
    faces,
    kinds: Object.keys(counts).filter((kind) => kind !== 'face'),
    counts: new Map(Object.entries(counts).map(([kind, [count, visible]]) => [kind, { count, visible }])),
  });
  const shown = (all: ReturnType<typeof describeReport>) => all.map(({ tone, text }) => `${tone}: ${text}`);
  const texts = (change: Partial<PurgeReport>, plan = planned({ face: [2, 0] })) =>
    shown(describeReport({ ...report, ...change }, plan)).join('\n');

  it('for the purge report', () => {
    expect(texts({})).toBe(`good: Removed: camera data (EXIF) and place (GPS).
good: Checked: all 2.0 KB of the new file were scanned, no metadata is left.
good: 2 faces were found and hidden.
good: 1 region was pixelated.
plain: Colour was removed.
plain: Its colours were Display P3; they are sRGB now, and look the same.`);
  });

  it('for plates, text and what the operator’s detectors find, by what is hidden and what is visible', () => {
    const own = { x: 1, y: 1, w: 5, h: 5, confidence: 0.9, detector: 'badges', kind: 'badge' };
    const hiddenArea = { owner: 'plate', fill: 'solid', x: 1, y: 1, w: 5, h: 5 } as const;
    const only = { facesDetected: 0, regionsPixelated: 0 };
    const kinds = { plate: [1, 0], text: [14, 2], badges: [2, 0], logos: [0, 0] } as const;
    const said = texts(
      {
        ...only,
        hidden: [hiddenArea],
        platesHidden: 1,
        textsHidden: 12,
        detected: [own, own, { ...own, detector: 'x' }],
      },
      planned(kinds, false),
    );
    expect(said).toContain(`good: 1 number plate was covered.
good: 12 lines of text were covered.
good: badges: 2 found and covered.
careful: logos: nothing was found, look for yourself.
careful: 2 places with text or plates stay visible, as you chose.`);
    // What the engine was to find, and did not, or all of which is left visible.
    const plan = { ...planned({ face: [0, 0], text: [2, 2] }), kinds: ['plate', 'text'] };
    const none = texts({ ...only, platesHidden: 0 }, plan);
    expect(none).toContain('careful: No number plates were found');
    expect(none).not.toContain('No text was');
  });

  it('for faces that are visible, first of all and wherever a result is named', () => {
    const some = planned({ face: [3, 1] });
    const { main } = mainSentences(describeReport({ ...report, facesDetected: 2 }, some));
    expect(shown(main).slice(2, 4)).toEqual([
      'exposed: 1 face is visible',
      'good: 2 faces were found and hidden.',
    ]);
    expect(describeResult(report, planned({ face: [2, 0] }))).toBe('Clean');
    expect(describeResult(report, planned({}))).toBe('Clean');
    expect(describeResult(report, some)).toBe('Metadata removed.');
    expect(describeResult(report, planned({ face: [2, 2] }, false))).toBe(
      'Metadata removed. Faces are visible.',
    );
    expect(describeResult(report, planned({}, false))).toBe('Metadata removed. Faces are visible.');
    expect(describeResult(report, planned({ face: [0, 0] }, false))).toBe('Metadata removed.');
    expect(describeResult({ ...report, metadataStripped: false }, some)).toBe('Not clean');
  });

  it('folds nothing about what is hidden or visible', () => {
    const all = describeReport(
      { ...report, facesDetected: 0, platesHidden: 3, regionsFilled: 2, warnings: ['x'] },
      planned({ face: [0, 0], plate: [3, 0] }),
    );
    const { main, more } = mainSentences(all);
    expect(shown(main)).toEqual([
      'good: Removed: camera data (EXIF) and place (GPS).',
      'good: Checked: all 2.0 KB of the new file were scanned, no metadata is left.',
      'good: 3 number plates were covered.',
      'good: 2 regions were covered in black.',
      'good: 1 region was pixelated.',
      expect.stringContaining('careful: No faces were found.'),
      'careful: x',
    ]);
    expect(more.map(({ tone }) => tone)).toEqual(['plain', 'plain']);
  });

  it('for files that were left out, by name', () => {
    const files = (...names: string[]) => names.map((name) => ({ name, size: 1 }));
    const none = { empty: [], tooLarge: [], beyond: [], notPhotos: [] };
    expect(leftOutMessage(none, 2 ** 20, 500)).toBe(null);
    const said = leftOutMessage(
      { ...none, empty: files('e.jpg'), notPhotos: files('a.pdf', 'b.svg', 'c', 'd', 'f', 'g', 'h') },
      2 ** 20,
      500,
    );
    expect(said?.title).toBe('8 files were left out');
    const six = { ...none, empty: files('a', 'b', 'c', 'd', 'e', 'f') };
    expect(leftOutMessage(six, 2 ** 20, 500)?.message).toContain('(a, b, c, d, e and 1 more)');
    expect(said?.message).toBe(
      '1 file is empty (e.jpg) and 7 files are no photos (a.pdf, b.svg, c, d, f and 2 more).',
    );
  });

  it('that warn instead of reassuring', () => {
    expect(texts({ facesDetected: 0 }, planned({ face: [0, 0] }))).toContain(
      'careful: No faces were found. Detection can miss some',
    );
    const warnings = ['no faces found; detection is not exhaustive', 'The profile is odd.', 'Mind this.'];
    const said = texts({ warnings, warningCodes: ['no_faces_found', 'colour_profile_ignored'] });
    expect(said).not.toMatch(/exhaustive|odd/);
    expect(said).toContain('careful: Its colour profile could not be used');
    const lost = texts({
      warnings: ['a', 'b', 'c'],
      warningCodes: ['frames_dropped', 'pages_dropped', 'flattened'],
    });
    expect(lost).toMatch(
      /careful: The animation became .*\ncareful: The file had several pages.*\ncareful: Trans/,
    );
    expect(texts({}, planned({ plate: [0, 0], text: [0, 0] }))).toMatch(
      /careful: No number plates were found.*\ncareful: No text was found/,
    );
    // What has no code that this page knows is said as it came.
    expect(said).toMatch(/careful: Mind this\.$/);
    expect(texts({ regionsPixelated: 0, facesDetected: 0 }, planned({}, false))).toContain(
      'careful: Nothing was hidden.',
    );
    expect(texts({ metadataStripped: false, verified: { blocks: ['gps'], scannedBytes: 1 } })).toContain(
      'careful: Not clean: place (GPS) left in the new file.',
    );
    expect(texts({ sourceMetadataFound: ['icc', 'c2pa', 'photoshop', 'mpf'] })).toContain(
      'Removed: colour profile, content credentials, Photoshop and further pictures.',
    );
    expect(texts({ warnings: ['fine'], warningCodes: ['fine_blocks'] })).toContain(
      'careful: Short text and numbers in blocks can still be guessed: cover them in black.',
    );
    expect(texts({ sourceMetadataFound: [] })).toContain('There was no metadata to remove.');
  });

  it('for what a call cost', () => {
    const facts = {
      requestId: 'r',
      plan: 'pro' as const,
      billable: true,
      periodCostCents: 1.2,
      rateLimit: { limit: 60, remaining: 1, resetAt: new Date(0) },
    };
    expect(describeCost(facts)).toBe(
      'This call was charged; 1 call of 60 left this minute; this month so far: $0.012.',
    );
    expect(
      describeCost({
        ...facts,
        plan: 'free',
        billable: false,
        rateLimit: { ...facts.rateLimit, limit: 1, remaining: 0 },
      }),
    ).toBe('This call was free; 0 calls of 1 left this minute.');
  });
});

describe('the same call as code', () => {
  const call = {
    origin: 'https://sanitizer.example',
    file: `it's "my" photo \\ $HOME.jpg`,
    extension: 'jpg',
    ops: { grayscale: true },
    keyed: true,
  };

  it('passes every file name through the shell to curl unchanged', () => {
    const script = `curl() { for a in "$@"; do printf '%s\\n' "$a"; done; }; IMAGE_SANITIZER_KEY=k\n${curlSnippet(call)}`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
      '-sS',
      '--fail-with-body',
      'https://sanitizer.example/v1/sanitize',
      '-H',
      'Authorization: Bearer k',
      '-F',
      `image=@"it's \\"my\\" photo \\\\ $HOME.jpg"`,
      '-F',
      'ops={"grayscale":true}',
      '-o',
      'clean.jpg',
    ]);
    expect(curlSnippet({ ...call, ops: {}, keyed: false })).not.toMatch(/ops=|Authorization/);
  });

  it('is a program that uses the typed client, and holds no key', () => {
    const code = clientSnippet(call);
    expect(code).toContain(`await readFile(${JSON.stringify(call.file)})`);
    expect(code).toContain('process.env.IMAGE_SANITIZER_KEY');
    expect(code).toContain('"grayscale": true');
    expect(clientSnippet({ ...call, keyed: false, ops: {} })).toContain('sanitizeWithReport(photo);');
  });
});
