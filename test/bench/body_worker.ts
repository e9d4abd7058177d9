import { readUpload } from '../../src/api/body/read.ts';

/**
 * The Worker that body.bench.ts times. `/read` reads an upload; `/bytes` only takes its bytes, for
 * comparison; `/again?times=n` takes the bytes and then reads the upload from memory n times over, so that
 * the network can be told off.
 */
export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/read') return new Response(String((await readUpload(request)).image.length));
    if (pathname === '/bytes') {
      let bytes = 0;
      for await (const chunk of request.body ?? []) bytes += chunk.length;
      return new Response(String(bytes));
    }
    const body = await request.arrayBuffer();
    let length = 0;
    for (let i = 0; i < Number(searchParams.get('times')); i++) {
      const copy = new Request(request.url.split('?')[0]!, {
        method: 'POST',
        headers: request.headers,
        body,
      });
      length = (await readUpload(copy)).image.length;
    }
    return new Response(String(length));
  },
} satisfies ExportedHandler;
