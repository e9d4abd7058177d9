import { describe, expect, test } from 'vitest';
import { settingFaults } from '../../../src/api/middleware/setting_rules.js';

const names = (settings: Record<string, unknown>) => settingFaults(settings).map(({ name }) => name);

test('what is not set has its default', () => {
  expect(names({})).toEqual([]);
  const empty = { TRUSTED_PROXY_HEADER: ' ', PUBLIC_ORIGIN: '', MEMORY_BUDGET_MB: '', ADMIN_TOKEN: '' };
  expect(names(empty)).toEqual([]);
});

test('null, as workerd gives it for a variable that its environment lacks, is not set', () => {
  expect(names({ TRUSTED_PROXY_HEADER: null, MEMORY_BUDGET_MB: null, ADMIN_TOKEN: null })).toEqual([]);
});

test.each([
  ['TRUSTED_PROXY_HEADER', 'none'],
  ['TRUSTED_PROXY_HEADER', 'X-Real-IP'],
  ['TRUSTED_PROXY_HEADER', ' x-forwarded-for '],
  ['TRUSTED_PROXY_HEADER', 'CF-Connecting-IP'],
  ['PUBLIC_ORIGIN', 'https://sanitizer.example'],
  ['PUBLIC_ORIGIN', 'https://sanitizer.example:8443/'],
  ['PUBLIC_ORIGIN', 'http://localhost:8787'],
  ['MEMORY_BUDGET_MB', '32'],
  ['MEMORY_BUDGET_MB', '65536'],
  ['FACE_ENGINE', 'core'],
  ['ADMIN_TOKEN', 'x'.repeat(22)],
  ['KEY_SIGNING_SECRET', `${'x'.repeat(22)}, ${'y'.repeat(22)}`],
  ['CALLER_HASH_SECRET', 'x'.repeat(64)],
])('%s=%s can be meant', (name, value) => {
  expect(names({ [name]: value })).toEqual([]);
});

describe('what can not be meant is a fault, with what was expected and what came', () => {
  test.each([
    // Each would be trusted as the name of a header, which any client can send.
    ['TRUSTED_PROXY_HEADER', 'None'],
    ['TRUSTED_PROXY_HEADER', 'NONE'],
    ['TRUSTED_PROXY_HEADER', 'false'],
    ['TRUSTED_PROXY_HEADER', 'off'],
    ['TRUSTED_PROXY_HEADER', '0'],
    ['TRUSTED_PROXY_HEADER', 'X Real IP'],
    ['TRUSTED_PROXY_HEADER', 'X_Real_IP'],
    ['TRUSTED_PROXY_HEADER', 'X-Real-IP:'],
    ['TRUSTED_PROXY_HEADER', 'X-Real-IP, X-Forwarded-For'],
    ['TRUSTED_PROXY_HEADER', '192.0.2.7'],
    // Its value is no address but a list of parameters.
    ['TRUSTED_PROXY_HEADER', 'Forwarded'],
    ['PUBLIC_ORIGIN', 'sanitizer.example'],
    ['PUBLIC_ORIGIN', 'ftp://sanitizer.example'],
    ['PUBLIC_ORIGIN', 'https://sanitizer.example/api'],
    ['PUBLIC_ORIGIN', 'https://sanitizer.example/?a'],
    ['PUBLIC_ORIGIN', 'https://user@sanitizer.example'],
    ['PUBLIC_ORIGIN', 'https://'],
    ['MEMORY_BUDGET_MB', '12GB'],
    ['MEMORY_BUDGET_MB', '-5'],
    ['MEMORY_BUDGET_MB', '31'],
    ['MEMORY_BUDGET_MB', '65537'],
    ['MEMORY_BUDGET_MB', '128.5'],
    ['MEMORY_BUDGET_MB', '1e3'],
    ['MEMORY_BUDGET_MB', '0x80'],
  ])('%s=%s', (name, value) => {
    expect(settingFaults({ [name]: value })).toEqual([
      { name, expected: expect.stringMatching(/such as|from 32/), came: JSON.stringify(value) },
    ]);
  });

  test('a number where a text is due', () => {
    expect(names({ MEMORY_BUDGET_MB: 128, PUBLIC_ORIGIN: false })).toEqual([
      'PUBLIC_ORIGIN',
      'MEMORY_BUDGET_MB',
    ]);
  });
});

describe('a secret that is too short, or can not be sent, is a fault, and never repeated', () => {
  test.each([
    ['ADMIN_TOKEN', 'hunter2-hunter2-hunte'],
    ['ADMIN_TOKEN', 'hunter2 hunter2 hunter2 hunter2'],
    ['ADMIN_TOKEN', 'hunter2'.repeat(200)],
    ['ADMIN_TOKEN', 'hunter2-hunter2-hünter2'],
    ['KEY_SIGNING_SECRET', `${'x'.repeat(22)},hunter2`],
    ['KEY_SIGNING_SECRET', `${'hunter2'.repeat(5)},`],
    ['CALLER_HASH_SECRET', 'hunter2'],
  ])('%s=%s', (name, value) => {
    const faults = settingFaults({ [name]: value });
    expect(faults).toEqual([{ name, expected: expect.stringContaining('22'), came: undefined }]);
  });
});

test('faces are looked for by a runtime only where the bundle has it', () => {
  expect(names({ FACE_ENGINE: 'onnxruntime-web' })).toEqual(['FACE_ENGINE']);
  expect(names({ FACE_ENGINE: 'onnxruntime-web', DETECTORS: {} })).toEqual([]);
  expect(names({ FACE_ENGINE: 'tensorflow', DETECTORS: {} })).toEqual(['FACE_ENGINE']);
});
