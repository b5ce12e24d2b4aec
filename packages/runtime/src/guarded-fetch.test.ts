import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { isPublicAddress } from '@draftshelf/domain/base/web-address';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createGuardedConnect,
  createGuardedDownload,
  createGuardedFetch,
  createGuardedPost,
  type FetchLimits,
  FetchRefused,
} from './guarded-fetch.ts';

const limits: FetchLimits = { msMax: 2_000, bytesMax: 1_000, longer: 'refuse' };

/** Counts every request, wherever it was meant to go. */
let served: string[] = [];
let port = 0;
let connected: string[] = [];
let posted = '';
const server = createServer((request, response) => {
  served.push(request.url ?? '');
  if (request.method === 'POST') request.setEncoding('utf8').on('data', (text) => (posted += text));
  const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
  if (to !== null) response.writeHead(302, { location: to }).end();
  else if (request.url === '/long') response.end('x'.repeat(5_000));
  else if (request.url === '/slow') setTimeout(() => response.end('late'), 60_000).unref();
  else response.end('ok');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Names of the tests: every connection to a public address ends at the test's server. */
const names: Record<string, string[]> = {
  'shop.example': ['93.184.216.34'],
  'shop6.example': ['2606:2800:220:1:248:1893:25c8:1946'],
  'private.example': ['10.0.0.5'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mapped.example': ['::ffff:10.0.0.5'],
  'metadata.example': ['169.254.169.254'],
};
let rebinds = 0;
const fetcher = (allowedOrigins: string[] = [], hosts: string[] = []) =>
  createGuardedFetch({
    allowedOrigins,
    hosts,
    resolve: async (host) => {
      if (host === 'rebinding.example') {
        rebinds += 1;
        return [rebinds === 1 ? '93.184.216.34' : '127.0.0.1'];
      }
      const found = names[host];
      if (!found) throw new Error('ENOTFOUND');
      return found;
    },
    connect: (address) => {
      connected.push(address);
      return net.connect({ host: '127.0.0.1', port });
    },
  });

const refused: Record<string, string> = {
  loopback: 'http://127.0.0.1/',
  'loopback, another address': 'http://127.8.8.8/',
  'loopback without dots': 'http://127.1/',
  'decimal loopback': 'http://2130706433/',
  'octal loopback': 'http://0177.0.0.1/',
  'hexadecimal loopback': 'http://0x7f000001/',
  'hexadecimal parts': 'http://0x7f.0.0.0x1/',
  'octal 10.0.0.1': 'http://012.0.0.1/',
  'decimal metadata address': 'http://2852039166/latest/meta-data/',
  'fullwidth digits': 'http://１２７.0.0.1/',
  'circled digits': 'http://①②⑦.⓪.⓪.①/',
  'this host': 'http://0.0.0.0/',
  'this network': 'http://0.1.2.3/',
  'private 10': 'http://10.1.2.3/',
  'private 172.16': 'http://172.16.0.1/',
  'private 172.31': 'http://172.31.255.255/',
  'private 192.168': 'http://192.168.1.1/',
  'carrier-grade NAT': 'http://100.64.0.1/',
  'link-local and metadata': 'http://169.254.169.254/latest/meta-data/',
  'Alibaba metadata': 'http://100.100.100.200/',
  'Oracle metadata': 'http://192.0.0.192/',
  'Azure’s host service': 'http://168.63.129.16/',
  'documentation 192.0.2': 'http://192.0.2.1/',
  benchmarking: 'http://198.18.0.1/',
  multicast: 'http://224.0.0.1/',
  broadcast: 'http://255.255.255.255/',
  'reserved 240': 'http://240.0.0.1/',
  'IPv6 loopback': 'http://[::1]/',
  'IPv6 unspecified': 'http://[::]/',
  'IPv4-mapped loopback': 'http://[::ffff:127.0.0.1]/',
  'IPv4-mapped in hexadecimal': 'http://[::ffff:7f00:1]/',
  'IPv4-mapped public': 'http://[::ffff:93.184.216.34]/',
  'IPv4-compatible loopback': 'http://[::127.0.0.1]/',
  'NAT64 of loopback': 'http://[64:ff9b::7f00:1]/',
  'local NAT64': 'http://[64:ff9b:1::7f00:1]/',
  '6to4 of 10.0.0.1': 'http://[2002:a00:1::]/',
  Teredo: 'http://[2001:0:53aa:64c::1]/',
  'unique local': 'http://[fd00::1]/',
  'AWS IPv6 metadata': 'http://[fd00:ec2::254]/',
  'IPv6 link-local': 'http://[fe80::1]/',
  'IPv6 site-local': 'http://[fec0::1]/',
  'IPv6 multicast': 'http://[ff02::1]/',
  'IPv6 documentation': 'http://[2001:db8::1]/',
  localhost: 'http://localhost/',
  'localhost with the root’s dot': 'http://localhost./',
  'name under localhost': 'http://app.localhost/',
  'single-label name': 'http://postgres/',
  'Google metadata name': 'http://metadata.google.internal/',
  'mDNS name': 'http://printer.local/',
  'name with a private address': 'http://private.example/',
  'name with a public and a private address': 'http://mixed.example/',
  'name with a mapped address': 'http://mapped.example/',
  'name of the metadata address': 'http://metadata.example/',
  'user name': 'http://user@shop.example/',
  'user name and password': 'http://shop.example:80@127.0.0.1/',
  'password only': 'https://:secret@shop.example/',
  'port of SSH': 'http://shop.example:22/',
  'port of Redis': 'http://shop.example:6379/',
  'port of Postgres': 'https://shop.example:5432/',
  file: 'file:///etc/passwd',
  gopher: 'gopher://shop.example/_x',
  ftp: 'ftp://shop.example/x',
  data: 'data:text/plain,x',
  javascript: 'javascript:alert(1)',
  'not a URL': 'shop.example/picture.png',
  'address that is too long': `http://shop.example/${'x'.repeat(3_000)}`,
};

it('fetches no host but the allowed ones, also after a redirect', async () => {
  const allowed = fetcher([], ['shop.example']);
  served = [];
  await expect(allowed('http://shop6.example/', limits)).rejects.toThrow('shop6.example aren’t allowed');
  expect(served).toEqual([]);
  const redirect = 'http://shop.example/?to=http://shop6.example/picture.png';
  await expect(allowed(redirect, limits)).rejects.toThrow(FetchRefused);
  expect(served).toHaveLength(1);
  expect((await allowed('http://shop.example/a', limits)).status).toBe(200);
});

describe('with less than the public internet', () => {
  const connect = () => {
    throw new Error('connected');
  };
  const guard = { allowedOrigins: [], hosts: [], connect, resolve: async () => ['93.184.216.34'] };
  const signal = new AbortController().signal;
  const sentence = 'Addresses on the internet aren’t fetched here (FETCH_PUBLIC).';

  it('nothing public is asked, by any protocol', async () => {
    const closed = { ...guard, isPublicFetched: false };
    await expect(createGuardedDownload(closed)('https://shop.example/', signal, {})).rejects.toThrow(
      sentence,
    );
    await expect(createGuardedConnect(closed)(new URL('sftp://shop.example/a'), 22, signal)).rejects.toThrow(
      sentence,
    );
  });

  it('only https is asked', async () => {
    const download = createGuardedDownload({ ...guard, isHttpsOnly: true });
    await expect(download('http://shop.example/', signal, {})).rejects.toThrow('Only https addresses');
  });
});

describe('refused before anything is sent', () => {
  it.each(Object.entries(refused))('%s', async (_name, url) => {
    served = [];
    connected = [];
    await expect(fetcher()(url, limits)).rejects.toThrow(FetchRefused);
    expect({ served, connected }).toEqual({ served: [], connected: [] });
  });
});

describe('refused at a redirect', () => {
  const chained = (...urls: string[]) =>
    urls.reduceRight((to, from) => `${from}?to=${encodeURIComponent(to)}`);
  it.each([
    ['to loopback', 'http://shop.example/?to=http://127.0.0.1/'],
    ['to the metadata address', 'http://shop.example/?to=http://169.254.169.254/'],
    ['to a private name', 'http://shop.example/?to=http://private.example/'],
    ['to a file', 'http://shop.example/?to=file:///etc/passwd'],
    ['to another port', 'http://shop.example/?to=http://shop.example:22/'],
    ['second of a chain', chained('http://shop.example/a', 'http://shop6.example/b', 'http://[::1]/')],
    ['without a scheme', 'http://shop.example/?to=//127.0.0.1/'],
  ])('%s', async (_name, url) => {
    connected = [];
    await expect(fetcher()(url, limits)).rejects.toThrow(FetchRefused);
    expect(connected.every(isPublicAddress)).toBe(true);
  });

  it('from an allowed origin to a private address', async () => {
    const origin = `http://127.0.0.1:${port}`;
    const to = encodeURIComponent('http://10.0.0.1/');
    await expect(fetcher([origin])(`${origin}/?to=${to}`, limits)).rejects.toThrow(FetchRefused);
  });

  it('when the name has another address at the second request', async () => {
    [rebinds, connected] = [0, []];
    const url = 'http://rebinding.example/?to=http://rebinding.example/';
    await expect(fetcher()(url, limits)).rejects.toThrow(FetchRefused);
    expect(connected).toEqual(['93.184.216.34']);
  });
});

it('connects to the address that was checked, although the name would have another one by then', async () => {
  [rebinds, connected] = [0, []];
  expect((await fetcher()('http://rebinding.example/', limits)).status).toBe(200);
  expect({ rebinds, connected }).toEqual({ rebinds: 1, connected: ['93.184.216.34'] });
});

describe('fetched', () => {
  it.each([
    ['a public name', 'http://shop.example/a.png'],
    ['a public IPv4 address', 'http://93.184.216.34/a.png'],
    ['a public IPv6 address', 'http://[2606:2800:220:1:248:1893:25c8:1946]/a.png'],
    ['a name with an IPv6 address', 'http://shop6.example:80/a.png'],
    ['a redirect to another public name', 'http://shop.example/?to=http://shop6.example/a.png'],
  ])('%s', async (_name, url) => {
    const reply = await fetcher()(url, limits);
    expect([reply.status, reply.body.toString()]).toEqual([200, 'ok']);
  });

  it('an origin of the operator', async () => {
    const origin = `http://127.0.0.1:${port}`;
    expect((await fetcher([origin])(`${origin}/a.png`, limits)).status).toBe(200);
  });
});

describe('limited', () => {
  it('a long reply is refused, or cut', async () => {
    const url = 'http://shop.example/long';
    await expect(fetcher()(url, limits)).rejects.toThrow('The reply has more than 1000 bytes.');
    const cut = await fetcher()(url, { ...limits, longer: 'cut' });
    expect([cut.body.length, cut.isWhole]).toEqual([1_000, false]);
  });

  it('a slow reply ends in time', async () => {
    await expect(fetcher()('http://shop.example/slow', { ...limits, msMax: 100 })).rejects.toThrow(
      'The address didn’t answer in time.',
    );
  });

  it('endless redirects end', async () => {
    const url = 'http://shop.example/x';
    const endless = Array.from({ length: 5 }).reduce<string>(
      (to) => `http://shop.example/?to=${encodeURIComponent(to)}`,
      url,
    );
    await expect(fetcher()(endless, limits)).rejects.toThrow('redirects more than 3 times');
  });
});

describe('posted', () => {
  const sent = { headers: { 'content-type': 'text/plain' }, body: 'äöü' };
  const post = (allowedOrigins: string[] = []) => createGuardedPost({ allowedOrigins, hosts: [] });
  const options = { bytesMax: 1_000, signal: AbortSignal.timeout(25_000) };

  it('a body to an origin of the operator; a redirect is a reply', async () => {
    const origin = `http://127.0.0.1:${port}`;
    const reply = await post([origin])(`${origin}/?to=http://10.0.0.1/`, sent, options);
    expect([reply.status, reply.headers.location]).toEqual([302, 'http://10.0.0.1/']);
    expect(posted).toBe('äöü');
  });

  it('nothing to an address that is not public, and no more than the limit is read', async () => {
    served = [];
    await expect(post()(`http://127.0.0.1:${port}/`, sent, options)).rejects.toThrow(FetchRefused);
    expect(served).toEqual([]);
    const origin = `http://127.0.0.1:${port}`;
    await expect(post([origin])(`${origin}/long`, sent, options)).rejects.toThrow('more than 1000 bytes');
  });
});
