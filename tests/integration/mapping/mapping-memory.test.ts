import type { MappedColumn, RememberedMapping } from '@draftshelf/contract/reading/mapping';
import { findImport } from '@draftshelf/core/imports/imports';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { read, rowsOf } = importSteps(() => stack);

/** Uploads a file and waits until it is processed. */
async function upload(filename: string, lines: string[], before: Record<string, string> = {}) {
  const answer = await stack.api.upload(csvForm(`${lines.join('\n')}\n`, { filename, before }));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { id } = answer.body as { id: string };
  await reach(id, 1);
  return id;
}

async function reach(id: string, run: number): Promise<void> {
  await until(`run ${run} is current`, async () => {
    const { rows_run, status } = await read(id);
    return rows_run === run && ['queued', 'processed'].includes(status);
  });
}

const pricesOf = async (id: string) => (await rowsOf(id)).map(({ values }) => values.price);

async function setColumns(id: string) {
  const { body } = await stack.api.call('GET', `/api/queue/${id}/mapping`);
  return (body as { columns: MappedColumn[] }).columns
    .filter(({ setBy }) => setBy !== null)
    .map(({ header, field, setBy, reason }) => ({ header, field, setBy, reason }));
}

const remembered = async () => (await stack.api.call('GET', '/api/mappings')).body as RememberedMapping[];
const recall = async (headers: string[]) =>
  (await stack.api.call('POST', '/api/mappings/recall', { body: { headers } })).body;

const headers = ['Item Name', 'Price', 'Dealer', 'EAN', 'Colour'];
const lines = [headers.join(), 'Lamp,10,7,,red', 'Vase,20,14,,blue'];
const wider = lines.map((line, at) => `${line},${at === 0 ? 'MSRP' : '99'}`);
const byMemory = (from: string) => [
  { header: 'Dealer', field: 'price', setBy: 'memory', reason: `Remembered from ${from}` },
];

test('a correction in an upload is used for the next file of the supplier, until it is forgotten', async () => {
  const detected = await upload('april.csv', lines);
  expect(await pricesOf(detected)).toEqual(['10', '20']);
  expect(await remembered()).toEqual([]);

  const corrected = await upload('may.csv', lines, { mapping: '{"Dealer":"price"}' });
  expect(await pricesOf(corrected)).toEqual(['7', '14']);
  const [memory, ...others] = await remembered();
  expect(others).toEqual([]);
  expect(memory).toMatchObject({
    headers: 5,
    columns: { Dealer: 'price' },
    filename: 'may.csv',
    usedAt: null,
    uses: 0,
  });

  expect(await recall([...headers, 'MSRP'])).toEqual({
    mapping: {
      fingerprint: memory?.fingerprint,
      columns: { Dealer: 'price' },
      readings: {},
      filename: 'may.csv',
    },
  });
  const june = await upload('june.csv', wider);
  expect(await pricesOf(june)).toEqual(['7', '14']);
  expect(await setColumns(june)).toEqual(byMemory('may.csv'));
  expect(await remembered()).toMatchObject([{ uses: 1, usedAt: expect.any(String), filename: 'may.csv' }]);

  const path = `/api/mappings/${memory?.fingerprint}`;
  expect(await stack.api.call('DELETE', path)).toMatchObject({ status: 200 });
  expect(await stack.api.call('DELETE', path)).toMatchObject({ status: 404 });
  expect(await stack.api.call('DELETE', '/api/mappings/%00')).toMatchObject({ status: 404 });
  expect(await recall(headers)).toEqual({ mapping: null });
  const july = await upload('july.csv', wider);
  expect(await pricesOf(july)).toEqual(['10', '20']);
  expect(await setColumns(july)).toEqual([]);
});

test('a correction of an import is remembered in place of the earlier one, and kept by its re-reads', async () => {
  const first = await upload('a.csv', lines, { mapping: '{"Dealer":"price"}' });
  await stack.api.call('PUT', `/api/queue/${first}/mapping`, { body: { Dealer: 'detect', EAN: 'price' } });
  await reach(first, 2);
  expect(await remembered()).toMatchObject([{ columns: { EAN: 'price' }, filename: 'a.csv' }]);
  await stack.api.call('PUT', `/api/queue/${first}/mapping`, { body: { Dealer: 'price', EAN: 'detect' } });
  await reach(first, 3);

  const second = await upload('b.csv', lines);
  expect(await setColumns(second)).toEqual(byMemory('a.csv'));
  await stack.api.call('POST', `/api/queue/${second}/dialect`, { body: { quote: "'" } });
  await reach(second, 2);
  expect(await setColumns(second)).toEqual(byMemory('a.csv'));

  await stack.api.call('PUT', `/api/queue/${first}/mapping`, { body: { Dealer: 'detect' } });
  await reach(first, 4);
  expect(await remembered()).toEqual([]);
});

test('what an upload says itself comes first, and a test neither uses nor leaves a memory', async () => {
  await upload('own.csv', lines, { mapping: '{"Dealer":"price"}' });
  const own = await upload('own-2.csv', lines, { mapping: '{}' });
  expect(await setColumns(own)).toEqual([]);
  await upload('own-3.csv', lines, { mapping: '{"Gone":"price"}' });
  expect(await remembered()).toMatchObject([{ filename: 'own.csv', uses: 0 }]);
  const tested = await upload('test.csv', lines, { testMode: 'true' });
  expect(await setColumns(tested)).toEqual([]);
  await upload('test-2.csv', lines, { testMode: 'true', mapping: '{"EAN":"price"}' });
  await stack.api.call('PUT', `/api/queue/${tested}/mapping`, { body: { EAN: 'price' } });
  await reach(tested, 2);
  expect(await remembered()).toMatchObject([{ filename: 'own.csv', columns: { Dealer: 'price' } }]);
});

test('at most 500 mappings are kept; those without use for the longest time go', async () => {
  await stack.database.pool.query('delete from mappings');
  await stack.database.pool.query(`
    insert into mappings (fingerprint, headers, columns, filename, created_at, used_at)
    select 'f' || n, '{a,b}', '{"a":"price"}', n || '.csv', now() - n * interval '1 day',
      case when n = 500 then now() end
    from generate_series(1, 500) n`);
  await upload('newest.csv', lines, { mapping: '{"Dealer":"price"}' });
  const names = (await remembered()).map(({ filename }) => filename);
  expect(names).toHaveLength(500);
  expect(names[0]).toBe('newest.csv');
  expect(names).toContain('500.csv');
  expect(names).not.toContain('499.csv');
});

test('headers that are too many are refused', async () => {
  const many = Array.from({ length: 2001 }, (_, at) => `c${at}`);
  expect(await stack.api.call('POST', '/api/mappings/recall', { body: { headers: many } })).toMatchObject({
    status: 400,
  });
});

test('a price that can be read in two ways holds a push until it is answered, for the next file too', async () => {
  const chairs = (name: string) => upload(name, ['Name,SKU,UVP', 'Chair,C-1,1.299', 'Stool,C-2,649']);
  const id = await chairs('chairs.csv');
  const openFacts = async () => {
    const { body } = await stack.api.call('GET', `/api/jobs/${id}`);
    const { facts } = (body as { beforePush: { facts: { kind: string }[] } }).beforePush;
    return facts.filter(({ kind }) => kind === 'column-question');
  };
  expect(await openFacts()).toEqual([
    {
      ...{ kind: 'column-question', count: 1, of: 'value', columns: ['UVP'] },
      sentence: 'Price can be read in two ways: “1.299” is 1.30 or 1,299.00.',
      answers: [
        { reading: '.', words: '1.30' },
        { reading: ',', words: '1,299.00' },
      ],
    },
  ]);
  expect(await stack.api.call('POST', `/api/queue/${id}/push`, { body: {} })).toMatchObject({
    status: 409,
    body: {
      message: 'Price can be read in two ways: “1.299” is 1.30 or 1,299.00. Choose an answer, then push.',
    },
  });

  const answered = await stack.api.call('PUT', `/api/queue/${id}/readings`, { body: { UVP: ',' } });
  expect(answered.status, JSON.stringify(answered.body)).toBe(200);
  await reach(id, 2);
  expect([await openFacts(), await pricesOf(id)]).toEqual([[], ['1299', '649']]);
  expect(await setColumns(id)).toEqual([]);

  expect(await pricesOf(await chairs('stools.csv'))).toEqual(['1299', '649']);
  expect(await recall(['Name', 'SKU', 'UVP'])).toMatchObject({
    mapping: { columns: {}, readings: { UVP: ',' }, filename: 'chairs.csv' },
  });
  // What its cells prove goes before the answer.
  const contrary = await upload('late.csv', ['Name,SKU,UVP', 'Chair,C-1,1.299', 'Stool,C-2,649.50']);
  expect(await pricesOf(contrary)).toEqual(['1.299', '649.50']);
  // What is typed is no cell of the column.
  const typed = { values: { price: '1.5' } };
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/2`, { body: typed })).status).toBe(200);
  const { body } = await stack.api.call('GET', `/api/queue/${id}/rows`);
  expect((body as { rows: object[] }).rows[1]).toMatchObject({
    values: { price: '1.5' },
    readAs: { price: '“1.5” was typed, so it’s read as 1.50, unlike its column.' },
  });
});

test.runIf(isLong)(
  'an answer holds for the supplier for whose list it was given, and others with its headers are asked',
  async () => {
    const listOf = async (code: string, supplier: string, name = '') => {
      const rows = ['Name,Code,UVP', `Chair,${code}-1,1.299`, `Stool,${code}-2,649`];
      const id = await upload(`${code}-${nth++}.csv`, rows, { supplier, supplierName: name });
      const { body } = await stack.api.call('GET', `/api/jobs/${id}`);
      const { facts } = (body as { beforePush: { facts: { kind: string }[] } }).beforePush;
      return { id, isAsked: facts.some(({ kind }) => kind === 'column-question') };
    };
    let nth = 1;
    const supplierOf = async (id: string) => String((await findImport(stack.database.db, id))?.supplier);
    const answer = async (id: string) => {
      const answered = await stack.api.call('PUT', `/api/queue/${id}/readings`, { body: { UVP: ',' } });
      expect(answered.status, JSON.stringify(answered.body)).toBe(200);
      await reach(id, 2);
    };
    const ofOne = await listOf('A', 'new', 'Answering');
    expect(ofOne.isAsked).toBe(true);
    await answer(ofOne.id);
    const one = await supplierOf(ofOne.id);
    expect((await listOf('A', one)).isAsked).toBe(false);

    const ofOther = await listOf('B', 'new', 'Asked');
    expect([ofOther.isAsked, await pricesOf(ofOther.id)]).toEqual([true, ['1299', '649']]);
    await answer(ofOther.id);
    expect((await listOf('B', await supplierOf(ofOther.id))).isAsked).toBe(false);
    expect((await listOf('A', one)).isAsked).toBe(false);
  },
);

test('a push by call sends columns that can be read in two ways as they are shown, if it says so', async () => {
  const id = await upload('benches.csv', ['Name,SKU,List', 'Bench,B-1,1.299', 'Stool,B-2,649']);
  const pushed = await stack.api.call('POST', `/api/queue/${id}/push`, { body: { readings: 'as-read' } });
  expect(pushed.status, JSON.stringify(pushed.body)).toBe(200);
});
