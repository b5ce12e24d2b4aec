import http from 'node:http';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { list } from '@draftshelf/object-storage/objects';
import { expect } from 'vitest';
import { productCsv } from '../../support/fixture.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const path = '/api/fast-upload';
const csvBytesMax = 100_000;
const test = testOnApi(() => ({
  set: { limits: { ...readLimitsDefault, csvBytesMax, archiveBytesMax: csvBytesMax } },
}));

const options = { enableUPC: false, enableAI: false, draftMode: true };
const post = (body: unknown) => api.call('POST', path, { body });

/** Posts a body that is not what JSON.stringify makes. */
async function postText(body: string, contentType = 'application/json') {
  const { cookie } = await login();
  const answer = await fetch(api.url + path, {
    method: 'POST',
    body,
    headers: { cookie, 'content-type': contentType },
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

let session: { cookie: string } | undefined;
async function login(): Promise<{ cookie: string }> {
  if (session) return session;
  const [cookie = ''] = (await api.login()).headers.getSetCookie();
  session = { cookie: cookie.split(';', 1)[0] ?? '' };
  return session;
}

async function traces() {
  const { count } = await fixture.database.db
    .selectFrom('imports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  let objects = 0;
  for await (const _object of list(fixture.storage, '')) objects += 1;
  return { count, objects };
}

test('a text is read as an upload would read it, and nothing is kept', async () => {
  const csvContent = 'Title,Price,SKU\n"Bowl, 🍵",10,B\nVase,,V\n,,\n,,C\nLamp,1,L,more\n';
  const answer = await post({ options, csvContent });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      success: true,
      processed: 4,
      totalProducts: 4,
      valid: 2,
      warnings: 1,
      errors: 1,
      formattingProblems: 1,
      firstRows: [
        { title: 'Bowl, 🍵', price: '10', class: 'valid' },
        { title: 'Vase', price: '', class: 'warning' },
        { class: 'error' },
        { title: 'Lamp' },
      ],
    },
  });
  expect(await traces()).toEqual({ count: 0, objects: 0 });
});

test.each([
  [
    'the options first, with what looks like the text in them',
    { options: { csvContent: 'no' }, csvContent: productCsv(2) },
  ],
  ['no options', { csvContent: productCsv(2) }],
  [
    'other fields of any kind',
    { a: [{ csvContent: 'x' }, 1.5, null, true], csvContent: productCsv(2), z: 'y' },
  ],
])('%s', async (_name, body) => {
  expect(await post(body)).toMatchObject({ status: 200, body: { success: true, processed: 2 } });
});

test('escapes are decoded, also of characters in two parts', async () => {
  const body = '{"csvContent":"Title,Price\\nCaf\\u00e9 \\ud83c\\udf75 \\"tall\\",5\\n"}';
  const answer = await postText(body);
  expect(answer).toMatchObject({ status: 200, body: { firstRows: [{ title: 'Café 🍵 "tall"' }] } });
});

const tooFew = 'CSV file must have at least a header row and one data row';
test.each<[string, string, number, string]>([
  ['no body', '', 400, 'Send the content of the file'],
  ['an empty object', '{}', 400, 'Send the content of the file'],
  ['a number', '{"csvContent":5}', 400, 'Send the content of the file'],
  ['a list', '["csvContent"]', 400, 'Send the content of the file'],
  ['not JSON', 'csvContent=Title', 400, 'valid JSON'],
  ['JSON that is cut off', '{"csvContent":"Title,Price\\nLamp,1', 400, 'valid JSON'],
  ['an empty text', '{"csvContent":""}', 400, tooFew],
  ['a header alone', '{"csvContent":"Title,Price\\n"}', 400, tooFew],
  ['a workbook', '{"csvContent":"PK\\u0003\\u0004 and so on"}', 400, 'Excel workbook'],
])('%s is refused with a sentence', async (_name, body, status, message) => {
  const answer = await postText(body);
  expect(answer.status).toBe(status);
  expect((answer.body as { message: string }).message).toContain(message);
});

test('a text may have as many bytes as a file, whatever its escapes; one more is 413', async () => {
  const header = 'Title,Price,Note\nVase,5,';
  const fits = `${header}${'"'.repeat(csvBytesMax - header.length)}`;
  const body = JSON.stringify({ csvContent: fits });
  expect(body.length).toBeGreaterThan(csvBytesMax + 50_000);
  expect(await postText(body)).toMatchObject({ status: 200 });
  const answer = await post({ csvContent: `${fits}x` });
  expect(answer).toMatchObject({ status: 413, body: { code: 'too_large' } });
  const endless = `{"other":"${'x'.repeat(6 * csvBytesMax)}"}`;
  expect(await postText(endless)).toMatchObject({ status: 413 });
});

test('while one text is being read, another one is refused', async () => {
  const { cookie } = await login();
  const headers = { cookie, 'content-type': 'application/json' };
  const request = http.request(api.url + path, { method: 'POST', headers });
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
  });
  request.write('{"csvContent":"Title,Price\\nLamp,1\\n');
  await expect.poll(async () => (await post({ csvContent: productCsv(2) })).status).toBe(409);
  request.end('"}');
  expect((await answered).statusCode).toBe(200);
  expect(await post({ csvContent: productCsv(2) })).toMatchObject({ status: 200 });
});

test('it needs a session', async () => {
  expect((await fetch(api.url + path, { method: 'POST', body: '{}' })).status).toBe(401);
});
