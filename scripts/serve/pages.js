// Serves the files of the pages on a self-hosted server, in place of Cloudflare's static assets: workerd's
// disk service knows neither media types nor entity tags. PAGES is a table of all files; no other file can be
// reached.
export default {
  async fetch(request, { PAGES, FILES }) {
    const { pathname } = new URL(request.url);
    const page = Object.hasOwn(PAGES, pathname) ? PAGES[pathname] : undefined;
    if (!page) return new Response(null, { status: 404 });
    const headers = { 'Content-Type': page.type, ETag: page.tag };
    const file = await FILES.fetch(
      new Request(new URL(pathname, 'http://files'), { method: request.method }),
    );
    return new Response(file.body, { status: file.status, headers });
  },
};
