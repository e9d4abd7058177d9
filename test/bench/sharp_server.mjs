// A Node server around sharp as people write them, to compare with `npm run serve` (scripts/load): it turns a
// picture upright, makes it smaller if asked, and encodes it anew without metadata. sharp works in libuv's
// pool of threads, with one thread a picture.
// usage: sharp_server.mjs; prints its port
import { createServer } from 'node:http';
import sharp from 'sharp';

const MOST_BYTES = 25 * 1024 * 1024;
const QUALITY = 92;

sharp.concurrency(1);
sharp.cache(false);

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) return void response.writeHead(413).end();
      chunks.push(chunk);
    }
    const width = Number(new URL(request.url, 'http://localhost').searchParams.get('maxWidth')) || undefined;
    let image = sharp(Buffer.concat(chunks)).autoOrient();
    if (width) image = image.resize({ width, withoutEnlargement: true });
    const clean = await image.jpeg({ quality: QUALITY }).toBuffer();
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': clean.length }).end(clean);
  } catch {
    response.writeHead(422).end();
  }
});
// Longer than others are measured: a client's idle connections stay.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
