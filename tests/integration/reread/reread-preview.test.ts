import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { findImport } from '@draftshelf/core/imports/imports';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const test = testOnApi();

async function upload(csv: string, before: Record<string, string> = {}): Promise<string> {
  const answer = await api.upload(csvForm(csv, { before }));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as { id: string }).id;
}

async function preview(id: string, body: unknown): Promise<RereadPreview> {
  const answer = await api.call('POST', `/api/queue/${id}/reread-preview`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as RereadPreview;
}

const content = 'Title;Price;Dealer\nLamp;10;7\nVase;;5\nBowl;30;9\n';

test('shows the first records in another dialect, and the counts before and after', async () => {
  const id = await upload(content);
  const { isWhole, before, after } = await preview(id, { dialect: { delimiter: ',' } });
  expect(isWhole).toBe(true);
  expect(before).toEqual({ rows: 3, valid: 2, warning: 1, error: 0 });
  expect(after).toMatchObject({
    valid: 0,
    dialect: { delimiter: ',' },
    headers: ['Title;Price;Dealer'],
  });
  expect(after?.records[0]?.cells).toEqual(['Lamp;10;7']);
  // Nothing was started, and what was not sent is as it was.
  expect((await findImport(fixture.database.db, id))?.parse_run).toBe(1);
  expect((await preview(id, {})).after).toMatchObject({ valid: 2, records: [{ title: 'Lamp' }, {}, {}] });
});

test('shows another mapping, which also applies to what was set before', async () => {
  const id = await upload(content, { mapping: '{"Title":null}' });
  const { before, after } = await preview(id, { mapping: { Title: 'title', Dealer: 'price' } });
  expect(before).toMatchObject({ valid: 0 });
  expect(after).toMatchObject({ valid: 3, records: [{ price: '7' }, { price: '5' }, { price: '9' }] });
  expect((await preview(id, { mapping: { Title: 'detect' } })).after).toMatchObject({ valid: 2 });
});

test('says why a file cannot be read this way, and reads only the rows of a test', async () => {
  const id = await upload(content);
  const refused = await preview(id, { dialect: { headerRecord: 9 } });
  expect(refused).toMatchObject({ after: null, problem: 'There is no header row with data below it.' });
  const rows = Array.from({ length: 9 }, (_, at) => `Lamp ${at};1`).join('\n');
  const tested = await upload(`Title;Price\n${rows}\n`, { testMode: 'true' });
  expect(await preview(tested, {})).toMatchObject({ isWhole: true, after: { rows: 3, valid: 3 } });
});

test('reads the head of a large file, and long cells are cut', async () => {
  const rows = Array.from({ length: 9000 }, (_, at) => `Lamp ${at} ${'o'.repeat(300)};1`).join('\n');
  const { isWhole, after } = await preview(await upload(`Title;Price\n${rows}\n`), {});
  expect(isWhole).toBe(false);
  expect(after?.rows).toBeGreaterThan(500);
  expect(after?.rows).toBeLessThan(2001);
  expect(after?.records).toHaveLength(5);
  expect(after?.records[0]?.cells[0]).toHaveLength(201);
});

test('refuses unknown imports, fields and values', async () => {
  const path = (id: string) => `/api/queue/${id}/reread-preview`;
  expect((await api.call('POST', path('nothing'), { body: {} })).status).toBe(404);
  const id = await upload(content);
  expect((await api.call('POST', path(id), { body: { dialect: { delimiter: 'x' } } })).status).toBe(400);
  expect((await api.call('POST', path(id), { body: { mapping: { Title: 'nothing' } } })).status).toBe(400);
  expect((await api.call('POST', path(id), { body: { rows: 1 } })).status).toBe(400);
});
