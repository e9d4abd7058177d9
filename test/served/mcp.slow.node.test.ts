import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { toolNames } from '../../src/api/tools.ts';
import { scan } from '../../src/metadata/scan.ts';
import { corpusBytes, corpusPresent } from '../fixtures/corpus.ts';

/**
 * The bare runtime forbids what the test runtime allows (code from text), so the SDK's server is tested here
 * too.
 */
const { address, key } = inject('sharedWorker');
let client: Client;

beforeAll(async () => {
  const headers = { Authorization: `Bearer ${key}` };
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } }),
  );
}, 120_000);
afterAll(async () => {
  await client?.close();
});

test('tools are listed and called over a real connection, with a photo of over 1 MB', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...toolNames]);
  const [width, height] = [1600, 1200];
  const noise = Uint8Array.from({ length: width * height * 3 }, (_, i) => Math.imul(i, 2654435761) >>> 24);
  const photo = await sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .withExif({ IFD0: { Artist: 'someone' } })
    .toBuffer();
  expect(photo.length).toBeGreaterThan(1_000_000);
  const image = photo.toString('base64');

  const inspected = await client.callTool({
    name: 'inspect_image',
    arguments: { image },
  });
  expect(inspected.structuredContent).toMatchObject({ width, height, metadata_blocks_present: ['exif'] });

  const ops = { pixelate: { faces: false }, output: { maxWidth: 800 } };
  const clean = await client.callTool({
    name: 'sanitize_image',
    arguments: { image, ops },
  });
  const picture = clean.content.find(({ type }) => type === 'image') as { data: string };
  const bytes = Buffer.from(picture.data, 'base64');
  expect(scan(bytes)).toMatchObject({ format: 'jpeg', width: 800, height: 600, blocks: [], complete: true });
  expect(clean.structuredContent).toMatchObject({
    report: { bytes: bytes.length, sourceMetadataFound: ['exif'] },
  });
});

/** A real photo with faces, where the corpus is. */
const face = { file: 'faces/dlib__2008_002506.jpg' };

test.runIf(corpusPresent)('faces in a real photo are detected and pixelated', async () => {
  const image = Buffer.from(corpusBytes(face)).toString('base64');
  const found = (await client.callTool({ name: 'detect_faces', arguments: { image } })) as CallToolResult;
  const { count } = found.structuredContent as { count: number };
  expect(count).toBeGreaterThan(0);
  const clean = await client.callTool({
    name: 'sanitize_image',
    arguments: { image, ops: null },
  });
  expect(clean.structuredContent).toMatchObject({ report: { facesDetected: count, metadataStripped: true } });
});
