import http from 'node:http';
import { workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type ApiProcess, startApiProcess } from '../../support/api-process.ts';
import { until } from '../../support/fixture.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const mega = 1024 * 1024;

const test = testOnFixture();

describe.skipIf(process.platform !== 'linux')('a large file', () => {
  /** The limit: an upload of 200 MB grows the api by less than this over idle. */
  const growthBytesMax = 96 * mega;
  let api: ApiProcess;
  beforeAll(async () => {
    api = await startApiProcess(fixture, {
      CSV_BYTES_MAX: String(2 * 1024 * mega),
      // The file is larger than the heap limit.
      NODE_OPTIONS: '--max-old-space-size=128',
    });
  });
  afterAll(() => api.stop());

  test('an upload of 200 MB does not grow the api with the file', async () => {
    expect((await api.upload(products(mega))).status).toBe(200);
    const idle = await api.residentBytes();
    await api.forgetPeak();
    expect(await api.upload(products(200 * mega))).toMatchObject({ status: 200 });
    const growth = (await api.peakBytes()) - idle;
    console.log(`idle ${Math.round(idle / mega)} MB, grown at most by ${Math.round(growth / mega)} MB`);
    expect(growth).toBeLessThan(growthBytesMax);
  });
});

describe.skipIf(process.platform !== 'linux')('a text of 50 MB in a JSON body', () => {
  /** The text would take 100 MB as a string, and as much again while it is parsed. */
  const growthBytesMax = 64 * mega;
  const fileBytes = 50 * mega;
  let api: ApiProcess;
  beforeAll(async () => {
    api = await startApiProcess(fixture, { NODE_OPTIONS: '--max-old-space-size=128' });
  });
  afterAll(() => api.stop());

  test('does not grow the api with the text', async () => {
    expect((await api.fastUpload(jsonOf(products(mega)))).status).toBe(200);
    const idle = await api.residentBytes();
    await api.forgetPeak();
    const before = await api.processorMs();
    const answer = await api.fastUpload(jsonOf(products(fileBytes - 10_000)));
    const processorMs = (await api.processorMs()) - before;
    const growth = (await api.peakBytes()) - idle;
    console.log(
      `idle ${Math.round(idle / mega)} MB, +${Math.round(growth / mega)} MB, ${processorMs} ms of processor`,
    );
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ success: true, errors: 0 });
    expect(growth).toBeLessThan(growthBytesMax);
  });

  /** The body of a fast upload, piece by piece. */
  function* jsonOf(pieces: Iterable<Buffer>): Generator<Buffer> {
    yield Buffer.from('{"csvContent":"');
    for (const piece of pieces) yield Buffer.from(JSON.stringify(piece.toString()).slice(1, -1));
    yield Buffer.from('","options":{"enableUPC":false,"enableAI":false,"draftMode":true}}');
  }
});

describe.skipIf(process.platform !== 'linux')('a hostile file', () => {
  /**
   * The limits within which it is refused or its records are flagged. Time is processor time, because other tests and
   * the disk affect wall time.
   */
  const growthBytesMax = 64 * mega;
  const processorMsMax = 2000;
  let api: ApiProcess;
  beforeAll(async () => {
    api = await startApiProcess(fixture, {});
    for (let round = 0; round < 3; round += 1) await api.upload(products(mega));
  });
  afterAll(() => api.stop());

  test.each<[string, () => Iterable<Buffer>, number, string]>([
    [
      'a quote that never closes, in a cell of 30 MB',
      () => endless('a,b\n1,"', 'x', 30 * mega),
      400,
      'line 2',
    ],
    [
      'a quote that never closes, before a million rows',
      () => endless('sku,title,price\nA,"Chair,10\n', 'B,Lamp and more text,20.00\n', 30 * mega),
      200,
      '',
    ],
    ['a single line of 31 MB', () => endless('', 'abc def ', 31 * mega), 400, 'line 1'],
    ['100,000 columns', () => endless('', 'a,', 200_000), 400, 'columns'],
    [
      'an archive without its table of contents',
      () => endless('PK\u0003\u0004', 'x\0\u0001\u0002', 20 * mega),
      400,
      'damaged',
    ],
    ['nothing but NULs', () => endless('', '\0', 49 * mega), 400, 'null bytes'],
    ['empty lines without end', () => endless('', '\n', 60 * mega), 413, 'larger'],
  ])('%s', async (name, pieces, status, words) => {
    const idle = await api.residentBytes();
    await api.forgetPeak();
    const begun = performance.now();
    const before = await api.processorMs();
    const answer = await api.upload(pieces());
    const processorMs = (await api.processorMs()) - before;
    const ms = Math.round(performance.now() - begun);
    const growth = (await api.peakBytes()) - idle;
    console.log(
      `${name}: ${answer.status} in ${ms} ms, ${processorMs} ms of processor, +${Math.round(growth / mega)} MB`,
    );
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(words);
    expect(processorMs).toBeLessThan(processorMsMax);
    expect(growth).toBeLessThan(growthBytesMax);
  });
});

describe.skipIf(process.platform !== 'linux')('a workbook whose conversion dies', () => {
  let api: ApiProcess;
  beforeAll(async () => {
    api = await startApiProcess(fixture, {});
  });
  afterAll(() => api.stop());

  test('is refused with a sentence, and the api answers meanwhile and takes the next file', async () => {
    const rows = Array.from({ length: 200_000 }, (_, n) => [`Lamp ${n}`, n]);
    const book = await workbookFile({ sheets: [{ name: 'Prices', rows: [['Title', 'Price'], ...rows] }] });
    const answered = api.upload([Buffer.from(book)]);
    await until('the workbook is being converted', async () => (await api.children()).length > 0);
    expect((await fetch(`${api.url}/api/health`)).status).toBe(200);
    // As V8 ends a process whose heap is full.
    for (const pid of await api.children()) process.kill(pid, 'SIGABRT');
    const { status, body } = await answered;
    expect({ status, body: JSON.parse(body) }).toMatchObject({
      status: 400,
      body: {
        code: 'conversion_died',
        message: 'The file needs more memory than a file may take. Save the list as CSV and upload that.',
      },
    });
    expect(api.output()).toContain('The conversion ended with SIGABRT');
    expect(await api.children()).toEqual([]);
    expect(await api.upload(products(mega))).toMatchObject({ status: 200 });
  });
});

describe.skipIf(process.platform !== 'linux')('requests without a session', () => {
  /** The cookies of these requests would take 148 MB if they were kept. */
  const requests = 9_900;
  const cookieChars = 15_000;
  const growthBytesMax = 64 * mega;
  let api: ApiProcess;
  beforeAll(async () => {
    api = await startApiProcess(fixture, {});
    await pollWithoutSession(api.url, { requests: 1_000, cookieChars: 100 });
  });
  afterAll(() => api.stop());

  test('leave nothing behind', async () => {
    const idle = await api.residentBytes();
    await pollWithoutSession(api.url, { requests, cookieChars });
    const growth = (await api.residentBytes()) - idle;
    console.log(`${requests} requests without a session: +${Math.round(growth / mega)} MB`);
    expect(growth).toBeLessThan(growthBytesMax);
  });
});

/** Polls without a session, each with another cookie. Throws if one is not refused. */
async function pollWithoutSession(
  url: string,
  { requests, cookieChars }: { requests: number; cookieChars: number },
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const ask = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const cookie = `draftshelf_session=${String(number).padStart(cookieChars, 'x')}`;
      const request = http.get(`${url}/api/queue`, { agent, headers: { cookie } }, (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode === 401) resolve();
          else reject(new Error(`A poll without a session was answered ${response.statusCode}`));
        });
      });
      request.on('error', reject);
    });
  for (let number = 0; number < requests; number += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, more) => ask(number + more)));
  }
  agent.destroy();
}

function* products(bytes: number): Generator<Buffer> {
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

function* endless(beginning: string, unit: string, bytes: number): Generator<Buffer> {
  if (beginning !== '') yield Buffer.from(beginning);
  const piece = Buffer.from(unit.repeat(Math.ceil(65_536 / unit.length)));
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece.subarray(0, bytes - sent);
}
