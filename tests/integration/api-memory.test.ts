import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { freePort } from '@draftshelf/infra/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppProcess, startApp } from '../line/app-process.ts';
import { browserOf, testAccessKey } from './api-fixture.ts';
import { type Fixture, openFixture } from './fixtures.ts';

const mega = 1024 * 1024;
/** The bar of the product: an upload of 200 MB grows the api by less than this over idle. */
const growthBytesMax = 96 * mega;
const uploadBytes = 200 * mega;

let fixture: Fixture;
let api: AppProcess;
let url: string;
let webDir: string;
beforeAll(async () => {
  fixture = await openFixture();
  webDir = await mkdtemp(join(tmpdir(), 'draftshelf-web-'));
  await writeFile(join(webDir, 'index.html'), '');
  const { endpoint, accessKey, secretKey, bucket } = fixture.storageConfig;
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  api = await startApp('api', {
    DATABASE_URL: fixture.databaseUrl,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
    S3_BUCKET: bucket,
    PORT: String(port),
    ACCESS_KEY: testAccessKey,
    SESSION_SECRET: 'a secret of the tests',
    WEB_DIR: webDir,
    CSV_BYTES_MAX: String(2 * 1024 * mega),
    SHOPIFY_STORE_URL: 'http://127.0.0.1:9',
    SHOPIFY_ACCESS_TOKEN: 'none',
    // The file is larger than the heap may become.
    NODE_OPTIONS: '--max-old-space-size=128',
  });
});
afterAll(async () => {
  await api.stop();
  await fixture.close();
  await rm(webDir, { recursive: true });
});

const residentBytes = async (field: 'VmRSS' | 'VmHWM') => {
  const status = await readFile(`/proc/${api.pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
};
/** Makes VmHWM, the highest resident size, begin anew. */
const forgetPeak = () => writeFile(`/proc/${api.pid}/clear_refs`, '5');

function* csvPieces(bytes: number): Generator<Buffer> {
  yield Buffer.from('Handle,Title,Variant Price,Body,SKU\n');
  let sent = 0;
  for (let product = 1; sent < bytes; product += 1) {
    const lines = Array.from(
      { length: 50 },
      (_, i) =>
        `mug-${product},Mug ${product},${i}.50,"Round, with ""handle""\nand foot",M-${product}-${i}\n`,
    );
    const piece = Buffer.from(lines.join(''));
    sent += piece.length;
    yield piece;
  }
}

async function upload(cookie: string, bytes: number): Promise<{ status: number | undefined; body: string }> {
  const answered = Promise.withResolvers<http.IncomingMessage>();
  const request = http.request(`${url}/api/upload`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'multipart/form-data; boundary=b' },
  });
  request.on('response', answered.resolve);
  request.on('error', answered.reject);
  function* form() {
    yield Buffer.from(
      '--b\r\ncontent-disposition: form-data; name="csv"; filename="big.csv"\r\ncontent-type: text/csv\r\n\r\n',
    );
    yield* csvPieces(bytes);
    yield Buffer.from('\r\n--b\r\ncontent-disposition: form-data; name="enableAI"\r\n\r\nfalse\r\n--b--\r\n');
  }
  await pipeline(Readable.from(form()), request);
  const response = await answered.promise;
  const pieces = await response.toArray();
  return { status: response.statusCode, body: Buffer.concat(pieces).toString() };
}

test.skipIf(process.platform !== 'linux')(
  'an upload of 200 MB does not grow the api with the file',
  async () => {
    const [cookie = ''] = (await browserOf(url).login()).headers.getSetCookie();
    const session = cookie.split(';', 1)[0] ?? '';
    expect((await upload(session, mega)).status).toBe(200);
    const idle = await residentBytes('VmRSS');
    await forgetPeak();
    const answer = await upload(session, uploadBytes);
    expect(answer).toMatchObject({ status: 200 });
    const growth = (await residentBytes('VmHWM')) - idle;
    console.log(`idle ${Math.round(idle / mega)} MB, grown at most by ${Math.round(growth / mega)} MB`);
    expect(growth).toBeLessThan(growthBytesMax);
  },
);
