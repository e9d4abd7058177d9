// Photos are cleaned before a Hono handler sees them: `bun run upload_hono.mjs`, or `deno serve`.
// npm install hono image-sanitizer
import { Hono } from 'hono';
import { cleanUploads } from 'image-sanitizer/upload';

const app = new Hono();
const album = new Map();

// A lower limit, and the ops for each picture, as for POST /v1/sanitize.
const clean = cleanUploads({ maxBytes: 10 * 1024 * 1024, ops: { output: { maxWidth: 1600 } } });

app.post('/photos', clean, async (c) => {
  // Without a body, a request comes as it is.
  const form = await c.req.formData().catch(() => new FormData());
  const photo = form.get('photo');
  if (!(photo instanceof File)) return c.json({ error: 'Expected a file named photo' }, 400);
  const id = crypto.randomUUID();
  album.set(id, { photo, title: form.get('title') });
  return c.json({ id, type: photo.type, size: photo.size }, 201);
});

app.get('/photos/:id', (c) => {
  const found = album.get(c.req.param('id'));
  if (!found) return c.notFound();
  return c.body(found.photo.stream(), 200, { 'Content-Type': found.photo.type });
});

export default app;
