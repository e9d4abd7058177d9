// A handler as Deno, Bun, Next's routes and service workers have them: a photo in, the clean one back.
// npm install image-sanitizer
import { cleanRequest, UploadError } from 'image-sanitizer/upload';

export default {
  /** Accepts a photo as the body (`image/*`), or up to three as files of a form. */
  async fetch(request) {
    if (request.method !== 'POST')
      return new Response('Expected POST', { status: 405, headers: { Allow: 'POST' } });
    if (!request.body) return new Response('Expected a photo', { status: 400 });
    try {
      const clean = await cleanRequest(request, { maxFiles: 3 });
      const type = clean.headers.get('Content-Type');
      if (type.startsWith('image/')) return new Response(clean.body, { headers: { 'Content-Type': type } });
      const files = (await clean.formData()).getAll('photo');
      return Response.json(files.map(({ name, type, size }) => ({ name, type, size })));
    } catch (error) {
      // Refusals have a status and a message; the platform answers all other errors.
      if (error instanceof UploadError) return error.getResponse();
      throw error;
    }
  },
};
