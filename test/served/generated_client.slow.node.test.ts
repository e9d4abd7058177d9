import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { gpsFields } from '../fixtures/metadata/payloads.ts';
import { pythonWith } from '../fixtures/python.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';
import { inToolchains, toolchains } from '../fixtures/toolchains.ts';
import { haveTools, toolPath } from '../fixtures/tools.ts';

const run = promisify(execFile);
const { address, key } = inject('sharedWorker');

const generator = '@openapitools/openapi-generator-cli';
const converter = '@apiture/openapi-down-convert';
const python = pythonWith('urllib3', 'six', 'dateutil', 'certifi');
const isPinned = [generator, converter].every((name) => toolchains(name).length === 1);

/** Operations whose answers have members that may be null. */
const OTHERS = `
import base64, os, image_sanitizer as service
configuration = service.Configuration(host=os.environ['IMAGE_SANITIZER_URL'])
configuration.access_token = os.environ['IMAGE_SANITIZER_KEY']
client = service.ApiClient(configuration)
image = base64.b64encode(open('photo.jpg', 'rb').read()).decode()
request = service.InspectRequest(image=image, ops=service.InspectOps(values=True))
told = service.ImagesApi(client).inspect_image(request)
print(told.has_gps, told.values.place.positions[0].kind)
print([plan.price_per_billable_call for plan in service.AccountApi(client).get_pricing().plans])
`;

describe.skipIf(!python || !isPinned || !haveTools('java'))('a client in Python, generated', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generated-'));
    const description = await fetch(`${address}/openapi.json`);
    await writeFile(join(folder, 'openapi.json'), await description.text());
    const convert = ['--input', 'openapi.json', '--output', 'openapi-3.0.json'];
    await run(inToolchains('.bin/openapi-down-convert'), convert, { cwd: folder });
    const jar = inToolchains(`${generator}/bin/openapi-generator.jar`);
    const what = ['--skip-validate-spec', '-i', 'openapi-3.0.json', '-g', 'python', '-o', 'client'];
    const generate = ['-jar', jar, 'generate', ...what, '--package-name', 'image_sanitizer'];
    await run(toolPath('java')!, generate, { cwd: folder, maxBuffer: 2 ** 26 });
    await cp('examples/generated_client.py', join(folder, 'generated_client.py'));
    await writeFile(join(folder, 'others.py'), OTHERS);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function call(script: string, image: Uint8Array) {
    await writeFile(join(folder, 'photo.jpg'), image);
    const service = { IMAGE_SANITIZER_URL: address, IMAGE_SANITIZER_KEY: key };
    const env = { ...process.env, ...service, PYTHONPATH: join(folder, 'client') };
    return run(python!, [script], { cwd: folder, env });
  }
  const photo = async () => tagJpeg(await sampleFile('jpeg', drawPeople(90, 60)), { gps: gpsFields });

  it('finds faces and cleans a photo, and says why the service refuses one', async () => {
    const { stdout } = await call('generated_client.py', await photo());
    expect(stdout).toMatch(/^Faces found: \d+, \[/);
    const clean = await readFile(join(folder, 'clean.jpg'));
    expect(scan(clean)).toMatchObject({ format: 'jpeg', width: 90, blocks: [] });
    await expect(call('generated_client.py', new TextEncoder().encode('no picture'))).rejects.toThrow(
      'Expected a JPEG, PNG, WebP, AVIF, TIFF or GIF image but received text',
    );
  });

  it('reads what may be null: its type was a choice, for which there was no class', async () => {
    const { stdout } = await call('others.py', await photo());
    expect(stdout).toBe('True camera\n[None, 0.004, 0.002]\n');
  });

  it('has bodies by names that say what they are', async () => {
    const models = await readdir(join(folder, 'client/image_sanitizer/models'));
    expect(models).toEqual(expect.arrayContaining(['sanitize_request.py', 'detect_request.py']));
    expect(models.filter((name) => name.startsWith('inline_object'))).toEqual([]);
  });
});
