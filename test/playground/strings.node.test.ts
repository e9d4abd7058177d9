import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { PurgeReport } from '../../client/index.ts';
import { errorCodes } from '../../src/ops/responses.ts';
import { clientSnippet, curlSnippet } from '../../src/playground/result/snippets.ts';
import {
  describeCost,
  describeReport,
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
  const texts = (
    change: Partial<PurgeReport>,
    faces = true,
    facesAsRegions = 0,
    facesMoved = 0,
    thingsLeft = 0,
  ) =>
    describeReport({ ...report, ...change }, { faces, facesAsRegions, facesMoved, thingsLeft })
      .map(({ tone, text }) => `${tone}: ${text}`)
      .join('\n');

  it('for the purge report', () => {
    expect(texts({})).toBe(`good: Removed: camera data (EXIF) and place (GPS).
good: Checked: all 2.0 KB of the new file were scanned, no metadata is left.
good: 2 faces were found and hidden.
plain: A second look found 1 spot that may be a face, and hid it.
good: 1 region was pixelated.
careful: 1 spot that may be a face was left alone, as marked on the photo.
plain: Colour was removed.
plain: Its colours were Display P3; they are sRGB now, and look the same.`);
  });

  it('for plates and text, where they were looked for', () => {
    const said = texts({ platesHidden: 1, textsHidden: 12 });
    expect(said).toContain('good: 1 number plate was found and covered.');
    expect(said).toContain('good: 12 lines of text were found and covered.');
    const only = { facesDetected: 0, regionsPixelated: 0 };
    expect(texts({ ...only, platesHidden: 1 }, false)).not.toContain('Nothing was hidden');
    expect(texts({ ...only, platesHidden: 0 }, false)).toContain('Nothing was hidden');
    const left = texts({ platesHidden: 0, textsHidden: 0 }, true, 0, 0, 2);
    expect(left).toContain('careful: 2 places with text or plates stay visible, as you chose.');
    expect(left).not.toMatch(/No (?:number plates|text) w/);
  });

  it('for each of the operator’s detectors that has looked', () => {
    const box = { x: 1, y: 1, w: 5, h: 5, confidence: 0.9 };
    const own = { ...box, detector: 'badges', kind: 'badge' };
    const detected = [own, own, { ...box, kind: 'text' }];
    const hiding = { faces: false, facesAsRegions: 0, facesMoved: 0, thingsLeft: 0 };
    const said = describeReport({ ...report, regionsPixelated: 0, detected }, hiding, {
      badges: true,
      logos: true,
    }).map(({ tone, text }) => `${tone}: ${text}`);
    expect(said).toContain('good: badges: 2 found and covered.');
    expect(said).toContain('careful: logos: nothing was found, look for yourself.');
    expect(said.join()).not.toContain('Nothing was hidden');
  });

  it('for the purge report, three at once, and all that ask for care', () => {
    const { main, more } = mainSentences(
      describeReport(report, { faces: true, facesAsRegions: 0, facesMoved: 0, thingsLeft: 0 }),
    );
    expect(main.map(({ tone }) => tone)).toEqual(['good', 'good', 'good', 'careful']);
    expect([...main, ...more]).toHaveLength(8);
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
    expect(texts({ facesDetected: 0 })).toContain('careful: No faces were found. Detection can miss some');
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
    expect(texts({ platesHidden: 0, textsHidden: 0 })).toMatch(
      /careful: No number plates were found.*\ncareful: No text was found/,
    );
    // What has no code that this page knows is said as it came.
    expect(said).toMatch(/careful: Mind this\.$/);
    expect(texts({ regionsPixelated: 0, facesDetected: 0 }, false)).toContain('careful: Nothing was hidden.');
    expect(texts({ metadataStripped: false, verified: { blocks: ['gps'], scannedBytes: 1 } })).toContain(
      'careful: Not clean: place (GPS) left in the new file.',
    );
    expect(texts({ sourceMetadataFound: ['icc', 'c2pa', 'photoshop', 'mpf'] })).toContain(
      'Removed: colour profile, content credentials, Photoshop and further pictures.',
    );
    expect(
      texts({ regionsPixelated: 0, regionsFilled: 3, facesDetected: 5, facesSpared: 2 }, true, 1),
    ).toContain(`good: 3 faces were found and hidden.
plain: A second look found 1 spot that may be a face, and hid it.
good: 1 face was hidden, as you chose.
good: 2 regions were covered in black.
careful: 2 faces stay visible, as you chose.`);
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
