import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { UploadReply } from '@draftshelf/contract/reading/upload';
import { findImport } from '@draftshelf/core/imports/imports';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { getStream, list } from '@draftshelf/object-storage/objects';
import { describe, expect } from 'vitest';
import { startApi } from '../../support/api.ts';
import { csvForm } from '../../support/api-client.ts';
import { type Fixture, openFixture, productCsv, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const csvBytesMax = 52_428_800;
const test = testOnApi();

async function uploaded(form: FormData): Promise<UploadReply> {
  const answer = await api.upload(form);
  expect(answer).toMatchObject({ status: 200 });
  return UploadReply.parse(answer.body);
}

async function keysIn({ storage }: Fixture): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of list(storage, '')) keys.push(key);
  return keys;
}

async function traces(): Promise<{ objects: string[]; unfinished: string[]; imports: number }> {
  const objects = await keysIn(fixture);
  const { uploads } = await fixture.storage.client.listIncompleteUploadsQuery(
    fixture.storage.bucket,
    '',
    '',
    '',
    '',
  );
  const unfinished = uploads.map((upload) => upload.key);
  const { count } = await fixture.database.db
    .selectFrom('imports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { objects, unfinished, imports: count };
}

/** A valid file of exactly `bytes` bytes. */
function csvOfBytes(bytes: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(bytes).fill(0x0a);
  const line = Buffer.from(`Vase,1.50,${'x'.repeat(989)}\n`);
  const header = Buffer.from('Title,Price,Description\n');
  content.set(header);
  for (let at = header.length; at + line.length <= bytes; at += line.length) content.set(line, at);
  return content;
}

describe('what is stored', () => {
  test.each(['csv', 'csvFile'])('field %s: file byte for byte, import, run and chunks', async (field) => {
    const csv = productCsv(5).replace('Vase 1', `Vase ${field}`);
    const reply = await uploaded(csvForm(csv, { field, filename: 'C:\\shop\\Spring.csv' }));
    expect(reply).toMatchObject({ totalProducts: 5, totalRows: 5, testMode: false, sameAs: null });
    const record = await findImport(fixture.database.db, reply.id);
    expect(record).toMatchObject({
      filename: 'Spring.csv',
      file_bytes: csv.length,
      sha256: createHash('sha256').update(csv).digest('hex'),
      status: 'processing',
      open_chunks: 1,
      product_numbers: 5,
      currency: 'CAD',
      completed_at: null,
    });
    expect(record?.started_at).toBeInstanceOf(Date);
    const stored = await buffer(getStream(fixture.storage, record?.object_key ?? ''));
    expect(stored.toString()).toBe(csv);
    const chunks = await fixture.database.db
      .selectFrom('chunks')
      .select([
        'stage',
        'run',
        'kind',
        'state',
        'byte_from',
        'byte_to',
        'first_line',
        'first_row',
        'rows',
        'products',
      ])
      .where('import_id', '=', reply.id)
      .execute();
    expect(chunks).toEqual([
      {
        stage: 'parse',
        run: 1,
        kind: 'work',
        state: 'pending',
        byte_from: 17,
        byte_to: csv.length,
        first_line: 2,
        first_row: 1,
        rows: 5,
        products: 5,
      },
    ]);
  });

  test('fields before and after the file are used; only the text true is true', async () => {
    const csv = productCsv(7);
    const after = await uploaded(
      csvForm(csv, { after: { testMode: 'true', enableUPC: 'false', enableAI: '1' } }),
    );
    expect(after).toMatchObject({ totalProducts: 3, totalRows: 3, testMode: true });
    expect(await findImport(fixture.database.db, after.id)).toMatchObject({
      test_mode: true,
      enable_upc: false,
      enable_ai: false,
      file_bytes: csv.length,
      open_chunks: 1,
    });
    const before = await uploaded(csvForm(csv, { before: { testMode: 'false', enableUPC: 'true' } }));
    expect(before).toMatchObject({ totalProducts: 7, testMode: false, sameAs: after.id });
    const two = productCsv(2).replace('Vase 1', 'One of two');
    expect(await uploaded(csvForm(two, { after: { testMode: 'true' } }))).toMatchObject({ totalProducts: 2 });
    expect(await findImport(fixture.database.db, before.id)).toMatchObject({
      enable_upc: true,
      enable_ai: true,
    });
  });

  test('the same bytes are recognized, and the new import begins with the edits of the last one', async () => {
    const csv = productCsv(2).replace('Vase 1', 'Twin');
    const first = await uploaded(csvForm(csv));
    const { id: command } = await fixture.database.db
      .insertInto('edit_commands')
      .values({ import_id: first.id, kind: 'single', rows: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await fixture.database.db
      .insertInto('edits')
      .values({
        import_id: first.id,
        command,
        row: 1,
        byte_from: 17,
        field: 'title',
        before: 'Twin',
        after: 'Twin vase',
      })
      .execute();
    const second = await uploaded(csvForm(csv, { filename: 'other name.CSV', type: 'application/x-any' }));
    expect(second).toMatchObject({ sameAs: first.id });
    const edits = await fixture.database.db
      .selectFrom('edits')
      .select(['row', 'field', 'after'])
      .where('import_id', '=', second.id)
      .execute();
    expect(edits).toEqual([{ row: 1, field: 'title', after: 'Twin vase' }]);
  });

  test('a file name keeps its letters, and nothing that cannot be seen', async () => {
    const reply = await uploaded(
      csvForm(productCsv(1).replace('Vase', 'Named'), { filename: 'Frühling \u202e春\u2066 "2".csv' }),
    );
    const record = await findImport(fixture.database.db, reply.id);
    expect(record?.filename).toBe('Frühling 春 "2".csv');
  });

  test('type text/csv without .csv is accepted', async () => {
    await uploaded(csvForm(productCsv(1).replace('Vase', 'Plain'), { filename: 'export', type: 'text/csv' }));
  });
});

describe('what is refused leaves no trace', () => {
  const tooFew = {
    code: 'too_few_records',
    message: 'CSV file must have at least a header row and one data row',
  };
  const select = 'Please select a CSV file';
  const form = (entries: [string, string | File][]) => {
    const made = new FormData();
    for (const [name, value] of entries) made.append(name, value);
    return made;
  };
  const file = (csv: string, name = 'a.csv') => new File([csv], name, { type: 'text/csv' });

  test.each<[string, FormData, number, object]>([
    ['header only', csvForm('Title,Price\n'), 400, tooFew],
    ['header only without a line end', csvForm('Title,Price'), 400, tooFew],
    ['an empty file', csvForm(''), 400, tooFew],
    ['blank lines only', csvForm('\n\n , \n'), 400, tooFew],
    [
      'another type',
      csvForm('a,b\n1,2\n', { filename: 'a.pdf', type: 'application/pdf' }),
      400,
      { code: 'invalid_file_type', message: select },
    ],
    [
      'a workbook that is not read, by its name',
      csvForm('a,b\n1,2\n', { filename: 'Prices.xlsb', type: 'application/octet-stream' }),
      400,
      {
        code: 'not_csv',
        message: 'This is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV and upload that.',
      },
    ],
    [
      'a .xls whose bytes say nothing',
      csvForm('PK', { filename: 'Prices.xls', type: 'application/vnd.ms-excel' }),
      400,
      {
        code: 'not_csv',
        message: 'This is an old Excel workbook (.xls). Save it as .xlsx or CSV and upload that.',
      },
    ],
    ['a PDF, by its bytes', csvForm(`%PDF-1.7\n${'x'.repeat(900)}`), 400, { code: 'not_csv' }],
    ['no file', form([['enableUPC', 'true']]), 400, { message: select }],
    [
      'two files',
      form([
        ['csv', file(productCsv(2))],
        ['csvFile', file(productCsv(3))],
      ]),
      400,
      { message: 'Upload one file at a time.' },
    ],
    ['another field', csvForm(productCsv(2), { field: 'document' }), 400, { field: 'document' }],
    [
      'a record over the limit',
      csvForm(`Title,Price\n"${'x'.repeat(1_100_000)}",1\n`),
      400,
      { code: 'read_limit', message: expect.stringContaining('RECORD_BYTES_MAX') },
    ],
  ])('%s', async (_name, body, status, expected) => {
    const before = await traces();
    expect(await api.upload(body)).toMatchObject({ status, body: expected });
    expect(await traces()).toEqual(before);
  });

  test('a request that is not a form', async () => {
    const answer = await api.call('POST', '/api/upload', { body: { csv: 'a,b' } });
    expect(answer).toMatchObject({ status: 400, body: { message: select } });
  });

  const part = '--cut\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\n\r\n';
  test.each([
    ['names no boundary', 'multipart/form-data', part],
    ['has nothing between its boundaries', 'multipart/form-data; boundary=cut', 'no form at all'],
    ['ends in the middle of the file', 'multipart/form-data; boundary=cut', `${part}Title,Price\nVase,1\n`],
  ])('a form that %s', async (_name, type, body) => {
    const before = await traces();
    const [cookie] = (await api.login()).headers.getSetCookie();
    const headers = { cookie: cookie?.split(';', 1)[0] ?? '', 'content-type': type };
    const answer = await fetch(`${api.url}/api/upload`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'malformed', message: expect.any(String) });
    expect(await traces()).toEqual(before);
  });

  test.runIf(isLong)(
    'the limit is exact: 52,428,800 bytes are accepted, one more is 413 and names the limit',
    async () => {
      const over = csvOfBytes(csvBytesMax + 1);
      const before = await traces();
      expect(await api.upload(csvForm(over, { after: { testMode: 'true' } }))).toMatchObject({
        status: 413,
        body: { code: 'too_large', message: expect.stringContaining('50 MB') },
      });
      expect(await traces()).toEqual(before);
      await uploaded(csvForm(over.subarray(0, csvBytesMax), { after: { testMode: 'true' } }));
    },
  );

  test('an upload that is aborted in the middle of the file', async () => {
    const before = await traces();
    await breakOff(csvOfBytes(12 * 1024 * 1024));
    await until('no trace is left', async () => {
      const now = await traces();
      return (
        now.unfinished.length === before.unfinished.length && now.objects.length === before.objects.length
      );
    });
    expect(await traces()).toEqual(before);
  });

  /** Sends a part of a form and disconnects when storage has begun to receive it. */
  async function breakOff(content: Uint8Array): Promise<void> {
    const request = beginUpload(content, { cookie: await newCookie(), bytes: content.length * 2 });
    await until('storage takes the upload', async () => (await traces()).unfinished.length > 0);
    request.destroy();
  }
});

/** Signs in again, which may end the session before. */
async function newCookie(): Promise<string> {
  const [cookie] = (await api.login()).headers.getSetCookie();
  return cookie?.split(';', 1)[0] ?? '';
}

/** Begins an upload of a form with the boundary 'cut', and sends only a part of it. */
function beginUpload(
  content: Uint8Array,
  { cookie, bytes, url = api.url }: { cookie: string; bytes: number; url?: string },
): http.ClientRequest {
  const request = http.request(`${url}/api/upload`, {
    method: 'POST',
    headers: {
      cookie,
      'content-type': 'multipart/form-data; boundary=cut',
      'content-length': bytes,
    },
  });
  request.on('error', () => {});
  request.write(
    '--cut\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n',
  );
  request.write(content);
  return request;
}

test('small files at once are all taken, also beside slow ones, which are ended with a sentence', async () => {
  const patient = await startApi(fixture, { set: { bodyPace: { windowMs: 100, bytesMin: 300_000 } } });
  const [cookie = ''] = (await patient.login()).headers.getSetCookie();
  const content = Buffer.from(productCsv(3));
  const slow = { cookie: cookie.split(';', 1)[0] ?? '', bytes: content.length + 1_000_000, url: patient.url };
  const begun = Array.from({ length: 5 }, () => beginUpload(content, slow));
  try {
    // One of them waits for the other four.
    const [answer] = await Promise.race(begun.map((request) => once(request, 'response')));
    expect(answer.statusCode).toBe(400);
    expect(await json(answer)).toMatchObject({
      code: 'too_slow',
      message: expect.stringContaining('too slow'),
    });
    const whole = Array.from({ length: 5 }, () => patient.upload(csvForm(productCsv(3))));
    expect((await Promise.all(whole)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  } finally {
    for (const request of begun) request.destroy();
    await patient.close();
  }
});

test('a file whose import cannot be stored leaves no object, and the cause is not in the answer', async () => {
  const broken = await openFixture();
  await broken.database.pool.query('drop table chunks cascade');
  const other = await startApi(broken);
  const answer = await other.upload(csvForm(productCsv(3)));
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
  expect(JSON.stringify(answer.body)).not.toContain('chunks');
  expect(await keysIn(broken)).toEqual([]);
  await other.close();
  await broken.close();
});

test('storage that is down is a 503 with a sentence', async () => {
  const away = createObjectStorage({ ...fixture.storageEnv, S3_ENDPOINT: 'http://127.0.0.1:9' });
  const other = await startApi(fixture, { set: { storage: away } });
  try {
    expect(await other.upload(csvForm(productCsv(3)))).toMatchObject({
      status: 503,
      body: { code: 'storage_unavailable' },
    });
    // On a busy machine one answer of the queue may take longer than its check waits.
    await expect
      .poll(() => other.call('GET', '/api/ready'))
      .toMatchObject({
        status: 200,
        body: { ready: true, database: { ok: true }, queue: { ok: true }, storage: { ok: false } },
      });
  } finally {
    await other.close();
  }
});
