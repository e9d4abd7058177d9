import { describe, expect, it } from 'vitest';
import { clientAddress } from '../../../src/api/caller/client_address.ts';

const headers = new Headers({
  'CF-Connecting-IP': '192.0.2.1',
  'X-Forwarded-For': '198.51.100.7, 192.0.2.2 ',
  'X-Real-IP': '2001:db8::3',
});
const cf = { colo: 'DFW' };

describe('clientAddress', () => {
  it.each([
    ['CF-Connecting-IP on Cloudflare', { headers, cf }, undefined, '192.0.2.1'],
    ['nothing where no Cloudflare is in front', { headers }, undefined, ''],
    ['nothing there with an empty setting', { headers }, ' ', ''],
    ['nothing if told so, on Cloudflare too', { headers, cf }, 'none', ''],
    ['the header of a proxy', { headers }, 'X-Real-IP', '2001:db8::3'],
    ['the header of a proxy in front of Cloudflare', { headers, cf }, 'x-real-ip', '2001:db8::3'],
    ['CF-Connecting-IP if told so', { headers }, 'CF-Connecting-IP', '192.0.2.1'],
    ['the last of a list, which the proxy itself appended', { headers }, 'X-Forwarded-For', '192.0.2.2'],
    ['nothing where the proxy said nothing', { headers: new Headers() }, 'X-Real-IP', ''],
    ['nothing with a setting that is no name', { headers, cf }, 'not a name', ''],
  ])('trusts %s', (_, arrival, TRUSTED_PROXY_HEADER, address) => {
    expect(
      clientAddress(arrival, { ...(TRUSTED_PROXY_HEADER !== undefined && { TRUSTED_PROXY_HEADER }) }),
    ).toBe(address);
  });
});
