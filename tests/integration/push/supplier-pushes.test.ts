import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readAutoPushFacts } from '@draftshelf/core/folders/auto-push';
import { readListFacts, readListOfImport } from '@draftshelf/core/push/list-facts';
import { findEarlierPushFacts, repeatCurrencyAnswer } from '@draftshelf/core/push/pushed-before';
import { storeRecipe } from '@draftshelf/core/suppliers/recipes/keep-recipes';
import { findPushConfirmations, rememberStockChoice } from '@draftshelf/core/suppliers/supplier-pushes';
import { decideAutoPush } from '@draftshelf/domain/push/auto-push';
import { noListFacts } from '@draftshelf/domain/push/list-facts';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { read, reach, push } = pushSteps(() => stack);

it.beforeAll(async () => {
  // From now on the store's currency is known.
  expect((await stack.api.call('POST', '/api/shopify/test')).body).toMatchObject({ success: true });
});

async function supplierNamed(name: string): Promise<number> {
  const { id } = await stack.database.db
    .insertInto('suppliers')
    .values({ name, named_by_operator: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

let files = 0;
/** An import that is the next list of this supplier. */
async function listOf(
  supplier: number,
  rows: readonly (readonly string[])[],
  list: { findings?: string; answers?: string } = {},
): Promise<ImportRecord> {
  files += 1;
  const { db } = stack.database;
  const { body } = await stack.api.upload(
    csvForm(csvOf(rows), { filename: `list-${files}.csv`, before: { supplier: '' } }),
  );
  const { id } = body as { id: string };
  await reach(id, 'processed', 'queued');
  await db.updateTable('imports').set({ supplier }).where('id', '=', id).execute();
  await db.deleteFrom('supplier_lists').where('import_id', '=', id).execute();
  await stack.database.pool.query(
    `insert into supplier_lists (supplier, number, import_id, filename, findings, answers)
     values ($1, $2, $3, $4, $5, coalesce($6, '{}')::json)`,
    [supplier, files, id, `list-${files}.csv`, list.findings, list.answers],
  );
  return read(id);
}

/** Makes the one row of a list an item that an earlier list has named. */
const takeIdOf = (id: string, earlier: string) =>
  stack.database.pool.query(
    `insert into row_items (import_id, run, row, our_id, change)
     select $1, rows_run, 1, (select our_id from outcomes where import_id = $2), 0 from imports where id = $1
     on conflict (import_id, run, row) do update set our_id = excluded.our_id`,
    [id, earlier],
  );

const factsOf = async (record: ImportRecord) => {
  const { db } = stack.database;
  return readListFacts(db, record, await readListOfImport(db, record));
};

const headers = ['Title', 'Price', 'SKU'];
const euros = (name: string) => [
  headers,
  [`${name} one`, '€ 10.00', `${name}-1`],
  [`${name} two`, '€ 20.00', `${name}-2`],
];
const answerOf = async (id: string) => {
  const { body } = await stack.api.call('GET', `/api/queue/${id}?rows=0`);
  return (body as { job: { otherCurrency: { answer: string | null } | null } }).job.otherCurrency;
};

it('an answer about another currency holds for the next lists of the supplier, and for no other', async () => {
  const { db } = stack.database;
  const [acme, beta] = [await supplierNamed('Euro Acme'), await supplierNamed('Euro Beta')];
  const first = await listOf(acme, euros('First'));
  await repeatCurrencyAnswer(db, first);
  expect(await answerOf(first.id)).toMatchObject({ named: ['EUR'], answer: null });
  const answer = { body: { answer: 'send' } };
  expect((await stack.api.call('POST', `/api/queue/${first.id}/other-currency`, answer)).status).toBe(200);
  const next = await listOf(acme, euros('Next'));
  const pounds = await listOf(acme, [...euros('Pounds'), ['Pound', '£ 3.00', 'P-3']]);
  const others = await listOf(beta, euros('Others'));
  for (const record of [next, pounds, others]) await repeatCurrencyAnswer(db, record);
  expect(await answerOf(next.id)).toMatchObject({ answer: 'send' });
  expect(await answerOf(pounds.id)).toMatchObject({ answer: null });
  expect(await answerOf(others.id)).toMatchObject({ answer: null });
  const store = { url: stack.store.url };
  expect((await readAutoPushFacts(db, next, store)).otherCurrencies).toEqual([]);
  expect((await readAutoPushFacts(db, pounds, store)).otherCurrencies).toEqual(['GBP']);

  // Its page shows what holds for its next lists, and ends it.
  await rememberStockChoice(db, acme, 'use-ours');
  const settled = async () => (await stack.api.call('GET', `/api/suppliers/${acme}`)).body;
  const end = async (body: object) =>
    expect(await stack.api.call('POST', `/api/suppliers/${acme}/settled/forget`, { body })).toMatchObject({
      status: 200,
    });
  const [currency] = (await findPushConfirmations(db, acme))?.currencies ?? [];
  expect(await settled()).toMatchObject({ stockChoice: 'use-ours', currencies: [currency] });
  await end({ stockChoice: true });
  await end({ currency });
  expect(await settled()).toMatchObject({ stockChoice: null, currencies: [] });
  const later = await listOf(acme, euros('Later'));
  await repeatCurrencyAnswer(db, later);
  expect(await answerOf(later.id)).toMatchObject({ answer: null });
});

it('an operator’s push of a list makes the columns of the supplier’s lists certain, in any layout', async () => {
  const { db } = stack.database;
  const acme = await supplierNamed('Certain Acme');
  const first = await listOf(acme, [headers, ['Certain', '1', 'CE-1']]);
  const layout = { headers: ['Other', 'columns'], mapping: { columns: [], sources: {} } };
  expect(await findEarlierPushFacts(db, first, layout)).toMatchObject({ isKnown: false, products: null });
  await push(first.id);
  await reach(first.id, 'completed');
  expect(await findEarlierPushFacts(db, first, layout)).toMatchObject({ isKnown: true, products: 1 });
  const stranger = { supplier: await supplierNamed('Certain Beta') };
  expect(await findEarlierPushFacts(db, stranger, layout)).toMatchObject({ isKnown: false });
});

it('a person is told once that a supplier’s list updates its own products, and full auto waits for that', async () => {
  const { db } = stack.database;
  const acme = await supplierNamed('Updating Acme');
  const row = (price: string) => [headers, ['Updated', price, 'UP-1']];
  const first = await listOf(acme, row('10'));
  await push(first.id);
  await reach(first.id, 'completed');
  const known = await listOf(acme, row('11'));
  const again = await listOf(acme, row('12'));
  for (const { id } of [known, again]) await takeIdOf(id, first.id);
  const quiet = { ...noListFacts, supplier: 'Updating Acme' };
  expect(await factsOf(first)).toEqual(quiet);
  expect(await factsOf(known)).toMatchObject({ firstUpdates: 1 });
  const facts = await readAutoPushFacts(db, known, { url: stack.store.url });
  expect(decideAutoPush(facts)).toEqual({
    is: 'held',
    sentence:
      'Not pushed: a push would update 1 product of an earlier list for the first time. Check it, then push.',
  });
  await push(known.id);
  expect(await reach(known.id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
  expect(await factsOf(again)).toEqual(quiet);
  expect(decideAutoPush(await readAutoPushFacts(db, again, { url: stack.store.url }))).toEqual({
    is: 'push',
  });
});

it('a quantity that another list of ours has lowered since is no sale, and is not asked about', async () => {
  const acme = await supplierNamed('Stocked Acme');
  const stocked = (quantity: string) => [
    [...headers, 'Quantity'],
    ['Stocked', '10', 'ST-1', quantity],
  ];
  const inStore = async () => {
    const found = (await stack.store.products()).filter(({ title }) => title === 'Stocked');
    return found.map(({ variants }) => (variants as unknown as { quantity: number }[])[0]?.quantity);
  };
  const pushed = async (id: string) => {
    await push(id);
    return reach(id, 'completed', 'failed');
  };
  const first = await listOf(acme, stocked('9'));
  await pushed(first.id);
  const next = await listOf(acme, stocked('4'));
  await takeIdOf(next.id, first.id);
  expect(await pushed(next.id)).toMatchObject({ updated: 1 });
  expect(await inStore()).toEqual([4]);
  const body = { values: { quantity: '20' } };
  expect((await stack.api.call('PATCH', `/api/queue/${first.id}/rows/1`, { body })).status).toBe(200);
  expect(await pushed(first.id)).toMatchObject({ updated: 1, skipped: 0 });
  expect(await inStore()).toEqual([20]);
});

it('what was noticed about a list and what was done to the last one are facts until they are answered', async () => {
  const { db } = stack.database;
  const acme = await supplierNamed('Noticed Acme');
  const late = { filename: 'april.csv', back: 9, of: 10 };
  const cutOff = { missing: 4, of: 10, shortRow: null };
  const command = { sentence: 'Price × 1.2', rows: 7 };
  const first = await listOf(acme, [headers, ['Noticed', '1', 'NO-1']]);
  const operations: Operation[] = [{ kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' }];
  const step = { recipe: null, operations, target: {}, rows: command.rows };
  await storeRecipe(db, first, step, new Date());
  const findings = JSON.stringify({ late, cutOff });
  const record = await listOf(acme, [headers, ['Noticed', '2', 'NO-1']], { findings });
  const facts = {
    ...noListFacts,
    supplier: 'Noticed Acme',
    findings: { late, cutOff },
    recipes: [command],
  };
  expect(await factsOf(record)).toEqual(facts);
  const { body } = await stack.api.call('GET', `/api/queue/${record.id}?rows=0`);
  const shown = (body as { job: { beforePush: { facts: { kind: string; count: number }[] } } }).job
    .beforePush;
  // The comparison with other imports is a task of its own.
  expect(shown.facts.map(({ kind, count }) => `${count} ${kind}`).slice(0, 3)).toEqual([
    ...['1 late-list', '4 cut-off-list', '7 recipes'],
  ]);
  await db
    .updateTable('supplier_lists')
    .set({ answers: JSON.stringify({ isLatest: true }) as never })
    .where('import_id', '=', record.id)
    .execute();
  expect(await factsOf(record)).toEqual({ ...facts, findings: { cutOff } });
  await db
    .updateTable('imports')
    .set({ supplier: null, asked_supplier: acme, asked_known: 1, asked_sampled: 10 })
    .where('id', '=', record.id)
    .execute();
  expect(await factsOf(await read(record.id))).toEqual({ ...noListFacts, isAsked: true });
  await supplierNamed('Noticed Beta');
  const pushAs = (body: object) => stack.api.call('POST', `/api/queue/${record.id}/push`, { body });
  const message = 'It isn’t clear whose list this is. Choose the supplier, then push.';
  expect(await pushAs({})).toMatchObject({ status: 409, body: { message } });
  expect((await pushAs({ supplier: null })).status).toBe(200);
  await reach(record.id, 'completed');
  // It was answered for this import.
  expect((await pushAs({})).status).toBe(200);
  await reach(record.id, 'completed');
});

it('a list is asked about once, and held by full auto, where one that came later was pushed', async () => {
  const { db } = stack.database;
  const acme = await supplierNamed('Overtaken Acme');
  const february = await listOf(acme, [headers, ['Overtaken', '2', 'OV-1']]);
  const march = await listOf(acme, [headers, ['Overtaken', '3', 'OV-1']]);
  const open = await factsOf(february);
  expect(open.findings).toEqual({});
  const lists = (of: ImportRecord) => db.updateTable('supplier_lists').where('import_id', '=', of.id);
  await lists(march).set({ state: 'counted', counted_at: new Date().toISOString() }).execute();
  expect((await factsOf(march)).findings).toEqual({});
  const late = { filename: `list-${files}.csv`, back: 0, of: 0 };
  expect((await factsOf(february)).findings).toEqual({ late });
  expect(decideAutoPush(await readAutoPushFacts(db, february, { url: stack.store.url }))).toEqual({
    is: 'held',
    sentence: `Not pushed: the list looked older than ${late.filename}. Check the list, then push.`,
  });
  const pushed = () => stack.api.call('POST', `/api/queue/${february.id}/push`, { body: {} });
  const message = `${late.filename} came later and has been pushed. Confirm whether this is the latest list, then push.`;
  expect(await pushed()).toMatchObject({ status: 409, body: { message } });
  const shown = await stack.api.call('GET', `/api/queue/${february.id}?rows=0`);
  expect(shown.body).toMatchObject({
    job: { list: { late: { ...late, isLatest: null } }, beforePush: { facts: [{ kind: 'late-list' }] } },
  });
  const answer = { body: { isLatest: true } };
  expect((await stack.api.call('PUT', `/api/queue/${february.id}/list`, answer)).status).toBe(200);
  expect((await factsOf(february)).findings).toEqual({});
  expect((await pushed()).status).toBe(200);
  await reach(february.id, 'completed');
});
