import { beforeAll, describe, expect, test } from 'vitest';
import { ImageSanitizer } from '../../client/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import { connected, connectedWithKey, errorOf } from '../fixtures/mcp_client.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { freshNetwork, serviceFetch } from '../fixtures/service.ts';

const baseUrl = 'https://service.test';

let photo: Uint8Array<ArrayBuffer>;
let large: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  photo = await sampleFile('jpeg', photoPicture(24, 16, 3));
  large = await sampleFile('png', photoPicture(90, 70, 5));
});

describe.each(['auto', 'legacy'] as const)("/mcp with the SDK's own client, protocol %s", (revision) => {
  test('gives name and version and lists the tools, unmetered', async () => {
    const { client, usage } = await connectedWithKey(100, revision);
    const spoken = client.getNegotiatedProtocolVersion() ?? '';
    if (revision === 'auto') expect(spoken >= '2026-07-28', spoken).toBe(true);
    else expect(spoken < '2026', spoken).toBe(true);
    expect(client.getServerVersion()).toMatchObject({ name: 'image-sanitizer', version: '1.0.0' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'sanitize_image',
      'detect_faces',
      'inspect_image',
      'get_usage',
    ]);
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
    }
    expect((await usage()).usage.calls).toBe(0);
  });

  test('sanitize_image returns the image and the report, for short and long images', async () => {
    const { call, client } = await connectedWithKey(100, revision);
    // Once the client has the list, it validates structured content by the output schema.
    await client.listTools();
    for (const image of [photo, large]) {
      const ops = { pixelate: { faces: false }, output: { format: 'png' } };
      const result = await call('sanitize_image', { image: image.toBase64(), ops });
      expect(result.isError).toBeUndefined();
      const [picture, text] = result.content;
      if (picture?.type !== 'image' || text?.type !== 'text') throw new Error('not an image and a text');
      expect(picture.mimeType).toBe('image/png');
      const bytes = Uint8Array.fromBase64(picture.data);
      expect(scan(bytes)).toMatchObject({ format: 'png', complete: true, blocks: [] });
      expect(result.structuredContent).toMatchObject({
        content_type: 'image/png',
        report: { bytes: bytes.length, metadataStripped: true },
      });
      expect(JSON.parse(text.text)).toEqual(result.structuredContent);
    }
    expect(large.toBase64().length).toBeGreaterThan(4096);
  });

  test('detect_faces, inspect_image and get_usage return the same as their endpoints', async () => {
    const { call, issued } = await connectedWithKey(100, revision);
    const image = `data:image/jpeg;base64,${photo.toBase64()}`;
    const nulls = { image, ops: { confidence: null, padding: null } };
    expect((await call('detect_faces', nulls)).structuredContent).toEqual({
      width: 24,
      height: 16,
      count: 0,
      faces: [],
    });
    const { structuredContent: facts } = await call('inspect_image', { image });
    const keyed = new ImageSanitizer({ baseUrl, apiKey: issued.key, fetch: serviceFetch });
    const { facts: _headers, ...same } = await keyed.inspect(photo);
    expect(facts).toEqual(same);
    const asked = { image, ops: { values: true } };
    const { structuredContent: detailed } = await call('inspect_image', asked);
    expect(detailed).toEqual({ ...same, values: expect.objectContaining({ place: null, cut: false }) });
    expect((await call('get_usage', {})).structuredContent).toMatchObject({
      key_id: issued.key_id,
      calls: 4,
    });
  });
});

describe('errors of tools', () => {
  test.each([
    ['sanitize_image', {}, 'bad_request'],
    ['sanitize_image', { image: null }, 'bad_request'],
    ['sanitize_image', { image: 7 }, 'bad_request'],
    ['sanitize_image', { image: 'not base64!' }, 'bad_request'],
    ['sanitize_image', { image: `${'A'.repeat(9000)}!` }, 'bad_request'],
    ['detect_faces', { image: 'https://example.org/a.jpg' }, 'bad_request'],
    ['inspect_image', { image_url: 'https://example.org/a.jpg' }, 'bad_request'],
    ['inspect_image', { image: 'AAAA', colour: 1 }, 'bad_request'],
    ['inspect_image', { image: 'AAAA', ops: { thumbnails: true } }, 'invalid_ops'],
    ['get_usage', { image: 'AAAA' }, 'bad_request'],
    ['get_usage', {}, 'invalid_api_key'],
    ['inspect_image', { image: 'AAAA' }, 'unprocessable_image'],
  ])('%s with %.80j is %s', async (name, args, code) => {
    const { call } = await connected({ 'CF-Connecting-IP': freshNetwork() });
    expect(errorOf(await call(name, args))).toMatchObject({ error: code, docs: `${baseUrl}/docs#${code}` });
  });

  test('list every problem of the ops', async () => {
    const { call } = await connectedWithKey();
    const ops = { pixelate: { strength: 40 }, response: 'json' };
    const error = errorOf(await call('sanitize_image', { image: photo.toBase64(), ops }));
    expect(error.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      'pixelate.strength',
      'response',
    ]);
  });

  test('an unknown tool is a protocol error', async () => {
    const { client } = await connectedWithKey();
    await expect(client.callTool({ name: 'publish' })).rejects.toThrow('There is no tool');
  });
});
