import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sanitize } from '../../src/library/index.ts';
import { onnxDetector } from '../../src/library/onnx.ts';
import { type OwnServer, startOwnServer } from '../fixtures/own_server.ts';
import { picture, writeModels } from '../fixtures/red_models.ts';
import { browserPath, visit } from './chromium.ts';
import { cleanPhoto, download, drop } from './page_actions.ts';

const folder = mkdtempSync(join(tmpdir(), 'page-detectors-'));
const models = join(folder, 'models');
let server: OwnServer;
beforeAll(async () => {
  if (!browserPath) return;
  writeModels(models);
  execFileSync(process.execPath, ['scripts/serve/build.mjs', '--detectors', models], { stdio: 'inherit' });
  server = await startOwnServer(join(folder, 'data'));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

it.skipIf(!browserPath)(
  'runs detectors of the operator’s that are offered there, and sends nothing',
  async () => {
    const image = await picture();
    await using visitor = await visit();
    const { page, sent, requests, consoleOutput } = visitor;
    page.setDefaultTimeout(60_000);
    await page.goto(server.address);
    await page.waitForLoadState('networkidle');
    const isOfDetectors = (address: string) => /\/(?:own_detectors|ort-|detector\.)/.test(address);
    expect(requests.filter(isOfDetectors)).toEqual([]);
    await drop(page, Buffer.from(image), 'car.png', 'image/png');
    const offered = page.locator('#read-note').locator('xpath=preceding-sibling::label');
    await offered.last().waitFor();
    expect((await offered.allTextContents()).slice(-2).map((label) => label.trim())).toEqual([
      'Hide text',
      'Hide plate (plates)',
    ]);
    await offered.last().click();
    await page.selectOption('#format', 'png');
    await cleanPhoto(page);
    expect(await page.textContent('#result')).toMatch(/plates: [1-9]\d* found and covered\./);
    const { bytes } = await download(page);
    const detectors = [await onnxDetector(join(models, 'plates.json'))];
    const asked = { output: { format: 'png' }, pixelate: { secondLook: true } } as const;
    expect(bytes.equals((await sanitize(image, asked, { detectors })).bytes)).toBe(true);
    for (const part of ['own_detectors', 'ort-wasm-simd-threaded', 'detector.plates'])
      expect(requests.filter((address) => address.includes(`/playground/${part}.`))).not.toEqual([]);
    expect([sent, consoleOutput]).toEqual([[], []]);

    await page.reload();
    await drop(page, Buffer.from(image), 'car.png', 'image/png');
    expect(await offered.last().locator('input').isChecked()).toBe(true);
  },
);
