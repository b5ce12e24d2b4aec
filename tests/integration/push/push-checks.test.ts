import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { reach, push, importOf, outcomes, counted } = pushSteps(() => stack);

it.beforeAll(async () => {
  // From now on the store's currency is known.
  expect((await stack.api.call('POST', '/api/shopify/test')).body).toMatchObject({ success: true });
});

async function uploaded(rows: readonly (readonly string[])[], filename = 'file.csv'): Promise<string> {
  const { body } = await stack.api.upload(csvForm(csvOf(rows), { filename }));
  const { id } = body as { id: string };
  await reach(id, 'processed', 'queued');
  return id;
}

type Page = {
  rows: { row: number; issues: { code: string; field: string; message: string; other?: { id: string } }[] }[];
  facets: { issues: Record<string, number> };
};
const rowsOf = async (id: string, issue: string) =>
  (await stack.api.call('GET', `/api/queue/${id}/rows?issue=${issue}`)).body as Page;
/** Number and messages of the rows with an issue. */
const withIssue = async (id: string, issue: string) =>
  (await rowsOf(id, issue)).rows.map(({ row, issues }) => [row, ...issues.map(({ message }) => message)]);
const countOf = async (id: string, issue: string) => (await rowsOf(id, issue)).facets.issues[issue] ?? 0;

const amounts = (start: string) => [
  ['Title', 'Price', 'SKU', 'Cost'],
  [`${start} plain`, '10', `${start}-1`, '5'],
  [`${start} francs`, 'CHF 69.-', `${start}-2`, '5'],
  [`${start} dollars`, '$7', `${start}-3`, '5'],
  [`${start} own`, '8 CAD', `${start}-4`, '€3.20'],
];
const francs = 'Price is in CHF, but the store uses CAD.';
const euros = 'Cost is in EUR, but the store uses CAD.';
const notConverted = ' Amounts aren’t converted.';
const sent = (amount: string) => ` It’s sent as ${amount} CAD, without conversion.`;

it('amounts in another currency are an issue, which an edit fixes and a push repeats', async () => {
  const id = await uploaded(amounts('Cur'));
  expect((await reach(id, 'processed')).valid_products).toBe(4);
  expect(await withIssue(id, 'other-currency')).toEqual([
    [2, francs + notConverted],
    [4, euros + notConverted],
  ]);
  expect(await countOf(id, 'other-currency')).toBe(2);
  type Asked = { otherCurrency: { answer: string | null } | null };
  const asked = async () =>
    ((await stack.api.call('GET', `/api/jobs/${id}?rows=0`)).body as Asked).otherCurrency;
  expect(await asked()).toEqual({ named: ['CHF', 'EUR'], store: 'CAD', answer: null, rows: null });
  const listed = async (path: string) =>
    ((await stack.api.call('GET', path)).body as (Asked & { id: string })[]).find((job) => job.id === id)
      ?.otherCurrency?.answer;
  const path = `/api/queue/${id}/other-currency`;
  for (const answer of ['hold', 'send']) {
    const reply = await stack.api.call('POST', path, { body: { answer } });
    expect(reply).toMatchObject({ status: 200, body: { job: { otherCurrency: { answer } } } });
    expect([await listed('/api/queue'), await listed('/api/jobs/completed')]).toEqual([answer, answer]);
  }
  const edited = await stack.api.call('PATCH', `/api/queue/${id}/rows/2`, {
    body: { values: { price: '75' } },
  });
  expect(edited.status).toBe(200);
  expect(await withIssue(id, 'other-currency')).toEqual([[4, euros + notConverted]]);
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ created: 4 });
  expect((await outcomes(id)).map(({ message }) => message)).toEqual([
    ...[null, null, null],
    euros + sent('3.20'),
  ]);
});

it('rows that were read before the currency was known have it after a re-read, and a push says it anyway', async () => {
  const { id } = await importOf(csvOf(amounts('Bef')), 'c0'.repeat(32));
  expect(await countOf(id, 'other-currency')).toBe(0);
  await push(id);
  await reach(id, 'completed');
  expect((await outcomes(id)).map(({ message }) => message)).toEqual([
    ...[null, francs + sent('69')],
    ...[null, euros + sent('3.20')],
  ]);
  await counted(id);
  const reread = await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { quote: "'" } });
  expect(reread.status).toBe(200);
  await reach(id, 'processed', 'queued');
  expect(await countOf(id, 'other-currency')).toBe(2);
  const plain = await uploaded([
    ['Title', 'Price'],
    ['Plain', '5'],
  ]);
  const refused = await stack.api.call('POST', `/api/queue/${plain}/other-currency`, {
    body: { answer: 'send' },
  });
  expect(refused.status).toBe(409);
});

const keyed = (rows: readonly (readonly string[])[]) => [['Title', 'Price', 'SKU', 'UPC'], ...rows];

it('a SKU or UPC of another import that is not pushed yet is an issue with a link, and hinders nothing', async () => {
  const first = await uploaded(
    keyed([
      ['Jug', '5', 'J-1', ''],
      ['Cup', '5', 'J-2', '4006381333931'],
    ]),
    'spring.csv',
  );
  const rows = keyed([
    ['Jug again', '6', 'J-1', ''],
    ['Other cup', '6', 'J-9', '4006381333931'],
    ['Bowl', '6', 'J-3', ''],
  ]);
  const second = await uploaded(rows, 'summer.csv');
  const sentence = (key: string) => `The same ${key} is also in spring.csv, which isn’t pushed yet.`;
  await until('the rows are compared', async () => (await countOf(second, 'in-other-import')) === 2);
  expect(await withIssue(second, 'in-other-import')).toEqual([
    [1, sentence('SKU')],
    [2, sentence('UPC')],
  ]);
  expect((await rowsOf(second, 'in-other-import')).rows[0]?.issues[0]?.other).toMatchObject({
    id: first,
    filename: 'spring.csv',
  });
  expect((await rowsOf(second, 'any')).facets.issues.any).toBe(2);

  await stack.api.call('PATCH', `/api/queue/${second}/rows/2`, { body: { values: { upc: '' } } });
  expect(await countOf(second, 'in-other-import')).toBe(1);
  await stack.api.call('PATCH', `/api/queue/${second}/rows/1`, {
    body: { values: { title: 'Jug, edited' } },
  });
  expect(await countOf(second, 'in-other-import')).toBe(1);
  await push(first);
  await reach(first, 'completed');
  expect(await withIssue(second, 'in-other-import')).toEqual([
    [1, 'The same SKU is also in spring.csv, which was pushed since.'],
  ]);
  const { body } = await stack.api.call('GET', `/api/queue/${second}?rows=0`);
  expect((body as { job: { beforePush: unknown } }).job.beforePush).toMatchObject({
    facts: [
      { kind: 'in-other-import', count: 1, sentence: 'Also in spring.csv, which was pushed since.' },
      { kind: 'no-quantities' },
    ],
  });
  await push(second);
  expect(await reach(second, 'completed', 'failed')).toMatchObject({ created: 2, skipped: 1, in_store: 1 });
});

it.runIf(isLong)('neither the same file nor what has ended counts', async () => {
  const rows = keyed([['Tray', '5', 'T-1', '']]);
  const first = await uploaded(rows, 'tray.csv');
  const same = await uploaded(rows, 'tray again.csv');
  const other = await uploaded([...rows, ['Tin', '5', 'T-2', '']], 'trays.csv');
  await until('the rows are compared', async () => (await countOf(other, 'in-other-import')) === 1);
  expect(await countOf(same, 'in-other-import')).toBe(0);
  for (const id of [first, same, other]) await stack.api.call('POST', `/api/queue/${id}/cancel`);
  const last = await uploaded([...rows, ['Tub', '5', 'T-3', '']], 'tubs.csv');
  await until('no task is open', async () => {
    const { rows: open } = await stack.database.pool.query(
      `select 1 from chunks where import_id = $1 and kind = 'task' and state in ('pending','published')`,
      [last],
    );
    return open.length === 0;
  });
  expect(await countOf(last, 'in-other-import')).toBe(0);
});
