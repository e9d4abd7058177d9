import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the package exports the built client for plain Node, without other packages', async () => {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(specifier, context, next) {
      if (!/^(\\.|file:|node:|image-sanitizer\\/client$)/.test(specifier)) throw new Error('needs ' + specifier);
      return next(specifier, context);
    } });
    const { ImageSanitizer, SanitizerError } = await import('image-sanitizer/client');
    const client = new ImageSanitizer({ baseUrl: 'http://127.0.0.1:1' });
    const error = await client.health().catch((thrown) => thrown);
    console.log(error instanceof SanitizerError, error.code);`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout.trim()).toBe('true network_error');
});
