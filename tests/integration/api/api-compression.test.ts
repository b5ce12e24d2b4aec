import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const script = `export const words = ${JSON.stringify('a script '.repeat(1000))};`;

let webDir: string;
const test = testOnApi(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'draftshelf-web-'));
  await mkdir(join(webDir, 'assets'));
  await writeFile(join(webDir, 'index.html'), '<title>Draftshelf</title>');
  await writeFile(join(webDir, 'assets/app-1.js'), script);
  await writeFile(join(webDir, 'assets/app-1.js.br'), brotliCompressSync(script));
  await writeFile(join(webDir, 'assets/app-1.js.gz'), gzipSync(script));
  await writeFile(join(webDir, 'assets/font-1.woff2'), 'a font');
  return { set: { webDir } };
});
afterAll(() => rm(webDir, { recursive: true }));

const accepting = (encodings: string) => ({ headers: { 'accept-encoding': encodings } });

describe('built files', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['identity', null],
  ])('who takes %s gets the copy that the build wrote: %s', async (encodings, sent) => {
    const { status, headers, body } = await api.call('GET', '/assets/app-1.js', accepting(encodings));
    expect(status).toBe(200);
    expect(body).toBe(script);
    expect(headers.get('content-encoding')).toBe(sent);
    expect(headers.get('content-type')).toMatch(/javascript/);
    expect(headers.get('vary')).toMatch(/accept-encoding/i);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-security-policy')).toContain("worker-src 'self' blob:");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('compressed copies have no address of their own', async () => {
    expect(await api.call('GET', '/assets/app-1.js.br')).toMatchObject({ status: 404 });
  });

  test('a file without compressed copies is sent as it is', async () => {
    const { status, headers, body } = await api.call('GET', '/assets/font-1.woff2', accepting('br, gzip'));
    expect({ status, body, encoding: headers.get('content-encoding') }).toEqual({
      status: 200,
      body: 'a font',
      encoding: null,
    });
  });
});

describe('replies of the api', () => {
  const listed = async (encodings: string, headers: Record<string, string> = {}) =>
    api.call('GET', '/api/queue', { headers: { ...accepting(encodings).headers, ...headers } });

  test('a small one is sent as it is; a large one is compressed if accepted, with the ETag of the plain one', async () => {
    await storedImport(fixture, { csv: productCsv(1) });
    await api.login(); // a write, which makes the api read the list again
    expect((await listed('br')).headers.get('content-encoding')).toBeNull();

    for (let i = 0; i < 5; i += 1) await storedImport(fixture, { csv: productCsv(1) });
    await api.login();
    const compressed = await listed('gzip, br');
    expect(compressed.status).toBe(200);
    expect(compressed.body).toHaveLength(6);
    expect(compressed.headers.get('content-encoding')).toBe('br');
    expect(compressed.headers.get('vary')).toBe('accept-encoding');
    const plain = await listed('identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toBe('accept-encoding');
    expect(plain.body).toEqual(compressed.body);
    const etag = compressed.headers.get('etag') ?? '';
    expect(plain.headers.get('etag')).toBe(etag);
    const unchanged = await listed('gzip, br', { 'if-none-match': etag });
    expect(unchanged).toMatchObject({ status: 304, body: '' });
    expect(unchanged.headers.get('content-encoding')).toBeNull();
  });

  test('replies without a session are never compressed, whatever their size', async () => {
    const body = { accessKey: 'x'.repeat(20_000) };
    const refused = await api.call('POST', '/api/auth/login', { body, ...accepting('br') });
    expect(refused.headers.get('content-encoding')).toBeNull();
    const status = await api.call('GET', '/api/auth/status', accepting('br'));
    expect(status.headers.get('content-encoding')).toBeNull();
    expect(status.body).toMatchObject({ requiresAuth: true });
  });
});
