import { savePreferences } from '@draftshelf/core/access/preferences';
import { saveSettings } from '@draftshelf/core/access/settings';
import type { Db } from '@draftshelf/core/connection/database';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { currentRows } from '@draftshelf/core/work/runs';
import { enqueueTask } from '@draftshelf/core/work/tasks';
import { expect } from 'vitest';
import { csvOf, productCsv, until } from '../../support/fixture.ts';
import { folderImport } from '../../support/folder-import.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(pushers);
const longTest = test.runIf(isLong);
test.beforeAll(async () => {
  await savePreferences(stack.database.db, { autoPushDelayMinutes: 0 });
  // A store whose currency a file is compared with has been read before.
  const shop = { shop: 'draftshelf-demo.myshopify.com', url: stack.store.url, currency: 'CAD' };
  await upsertShop(stack.database.db, shop);
});

const { read, reach, push, edit, outcomes, productsNamed } = pushSteps(() => stack);

const arrives = (path: string, csv: string, mode: 'manual' | 'validate-only' | 'full-auto' = 'full-auto') =>
  folderImport(stack, { csv, path, mode });
const isHeld = async (id: string): Promise<string> => {
  await until('held', async () => (await read(id)).auto_held !== null);
  return (await read(id)).auto_held ?? '';
};
const files = (name: string, products: number, price = '9.50') =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...Array.from({ length: products }, (_, at) => [`${name} ${at + 1}`, price, `${name}-${at + 1}`]),
  ]);
const draftModes = async (id: string) =>
  (
    await stack.database.pool.query(
      `select draft_mode, automatic from runs where import_id = $1 and stage = 'push' order by run`,
      [id],
    )
  ).rows;

test('full-auto pushes a sound file by itself, as drafts even with Safe Mode off, and once', async () => {
  await saveSettings(stack.database.db, { draftMode: false });
  const live = csvOf([
    ['Title', 'Price', 'SKU', 'Status'],
    ['Auto vase', '9.50', 'AV-1', 'active'],
  ]);
  const { id } = await arrives('auto.csv', live);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({
    status: 'completed',
    created: 1,
    push_run: 1,
  });
  expect((await productsNamed('Auto vase')).map(({ status }) => status)).toEqual(['DRAFT']);
  expect(await draftModes(id)).toEqual([{ draft_mode: true, automatic: true }]);
  const { rows } = await stack.database.pool.query('select count(*)::int as layouts from pushed_layouts');
  expect(rows).toEqual([{ layouts: 0 }]);
  await saveSettings(stack.database.db, { draftMode: true });
});

longTest(
  'a product that the store has already needs nobody; a product that could not be sent does',
  async () => {
    // The store has the SKU under another id: whenInStore is `skip`.
    const again = await arrives('auto-again.csv', files('Again', 3));
    await reach(again.id, 'completed');
    const newer = await arrives('auto-newer.csv', `${files('Again', 3)}Again 4,9.50,Again-4\r\n`);
    expect(await reach(newer.id, 'completed', 'queued')).toMatchObject({
      status: 'completed',
      created: 1,
      skipped: 3,
      in_store: 3,
    });

    const one = await arrives('auto-one.csv', `${files('Some', 39)}Some 40,,Some-40\r\n`);
    expect(await reach(one.id, 'completed', 'queued')).toMatchObject({ status: 'queued' });
    await until(
      'pushed',
      async () => (await read(one.id)).push_run === 1 && (await read(one.id)).created === 39,
    );
    expect(await reach(one.id, 'queued')).toMatchObject({ created: 39, skipped: 1, in_store: 0 });
    expect((await outcomes(one.id)).filter(({ outcome }) => outcome === 'skipped')).toHaveLength(1);
    // It is not pushed again: the operator decides now.
    expect(await read(one.id)).toMatchObject({ auto_push_at: null, auto_held: null, push_run: 1 });
  },
);

test.runIf(isLong)(
  'manual waits also after an edit, validate-only follows the counts, and neither is pushed',
  async () => {
    await saveSettings(stack.database.db, { autoProcessMode: 'full-auto' });
    const manual = await arrives('manual.csv', productCsv(3), 'manual');
    const validated = await arrives('validated.csv', productCsv(4), 'validate-only');
    const bad = await arrives('bad.csv', 'Title,Price\r\nVase,\r\n', 'validate-only');
    expect(await reach(manual.id, 'queued', 'processed')).toMatchObject({
      status: 'queued',
      valid_products: 3,
    });
    expect((await reach(validated.id, 'queued', 'processed')).status).toBe('processed');
    expect((await reach(bad.id, 'queued', 'processed')).status).toBe('queued');

    await edit(manual.id, 1, { title: 'Another vase' });
    expect((await read(manual.id)).status).toBe('queued');
    await stack.api.call('POST', `/api/queue/${manual.id}/ready`);
    expect((await read(manual.id)).status).toBe('processed');
    await edit(manual.id, 1, { title: 'Vase' });
    expect((await read(manual.id)).status).toBe('queued');

    // A file that the sweep decides about shows that the sweep has seen these as well.
    const unsound = await arrives('unsound.csv', 'Title,Price\r\nBowl,\r\n');
    await isHeld(unsound.id);
    for (const { id } of [manual, validated, bad]) {
      expect(await read(id)).toMatchObject({ auto_push_at: null, auto_held: null, push_run: 0 });
    }
    await saveSettings(stack.database.db, { autoProcessMode: 'manual' });
  },
);

test.runIf(isLong)('files with problems wait for a person, each with the reason', async () => {
  // All at once: the sweep that decides comes every two seconds.
  const half = csvOf([
    ['Title', 'Price'],
    ['Vase', '9'],
    ['Bowl', ''],
  ]);
  const noCurrency = { csv: productCsv(1), path: 'c.csv', mode: 'full-auto', currency: null } as const;
  const reasons: [Awaited<ReturnType<typeof arrives>>, RegExp][] = [
    [
      await arrives('unsure.csv', 'Title,Worth of it\r\nVase,9.50\r\nBowl,8.50\r\n'),
      /^Not pushed: (?:it wasn’t clear which column is for )?Price/,
    ],
    [await arrives('half.csv', half), /^Not pushed: 1 of 2 products needed you\. Check it, then push\.$/],
    [await folderImport(stack, noCurrency), /^Not pushed: the store’s currency/],
    [
      await arrives('joined.csv', 'Title,Price,SKU\r\n"Vase\r\nBowl",9.50,J-1\r\n'),
      /^Not pushed: 1 row may be several lines/,
    ],
  ];
  const shift = await arrives('shift.csv', files('Shift', 5));
  for (const [{ id }, reason] of reasons) expect(await isHeld(id)).toMatch(reason);

  // The same SKU as before at a hundred times the price: a lost decimal mark.
  await reach(shift.id, 'completed');
  const shifted = await arrives('shifted.csv', files('Shift', 5, '950'));
  expect(await isHeld(shifted.id)).toBe(
    'Not pushed: 5 of 5 prices changed by more than 50 %. Check them, then push.',
  );
  const { body } = await stack.api.call('GET', `/api/queue/${shifted.id}?rows=0`);
  expect((body as { job: object }).job).toMatchObject({
    autoHeld: 'Not pushed: 5 of 5 prices changed by more than 50 %. Check them, then push.',
    autoPushAt: null,
  });
  const { body: activity } = await stack.api.call('GET', '/api/dashboard/activity');
  expect(JSON.stringify(activity)).toContain('shifted.csv waits for you. Not pushed: 5 of 5 prices');
});

longTest('a file whose rules could not be applied waits for a person', async () => {
  /** Full-auto decides about a file once its rules have failed; `isRepeated`: they are then applied again. */
  const arrivesRuled = async (name: string, isRepeated: boolean) => {
    const { id } = await arrives(`${name}.csv`, files(name, 3), 'manual');
    const record = await reach(id, 'queued');
    const enqueue = (trx: Db) => enqueueTask(trx, currentRows(record), 'apply-rules', record.total_rows);
    await stack.database.db.transaction().execute(async (trx) => {
      await enqueue(trx);
      await trx
        .updateTable('chunks')
        .set({ state: 'dead', error: 'out of attempts' })
        .where('import_id', '=', id)
        .where('task', '=', 'apply-rules')
        .execute();
      if (isRepeated) await enqueue(trx);
      await trx.updateTable('imports').set({ auto_mode: 'full-auto' }).where('id', '=', id).execute();
    });
    return id;
  };
  expect(await isHeld(await arrivesRuled('Ruled', false))).toBe(
    'Not pushed: your rules couldn’t be applied to all products. Apply the rules again, check the products, then push.',
  );
  // An earlier failure does not count once the rules have been applied.
  const repeated = await arrivesRuled('Repeated', true);
  expect(await reach(repeated, 'completed', 'failed')).toMatchObject({ status: 'completed', created: 3 });
});

longTest(
  'what an operator has pushed makes the layout certain, its currency agreed, and its size usual',
  async () => {
    const euro = (name: string, products: number) =>
      csvOf([
        ['Title', 'Price', 'SKU'],
        ...Array.from({ length: products }, (_, at) => [`${name} ${at}`, `${at + 5} EUR`, `${name}${at}`]),
      ]);
    const first = await arrives('euro-1.csv', euro('E', 30));
    expect(await isHeld(first.id)).toBe(
      'Not pushed: prices were in EUR, but the store uses CAD. Answer the question about prices, then push.',
    );
    await stack.api.call('POST', `/api/queue/${first.id}/other-currency`, { body: { answer: 'send' } });
    await push(first.id);
    await reach(first.id, 'completed');
    const second = await arrives('euro-2.csv', euro('F', 31));
    expect(await reach(second.id, 'completed')).toMatchObject({ created: 31 });
    // Behind the rows of which the question names currencies.
    const mixed = await arrives('euro-mixed.csv', `${euro('M', 30)}M 30,7 GBP,M30\r\n`);
    expect(await isHeld(mixed.id)).toBe(
      'Not pushed: prices were in GBP, but the store uses CAD. Answer the question about prices, then push.',
    );
    // The currency of the price is agreed, that of another amount of the same rows is not.
    const further = csvOf([
      ['Title', 'Price', 'SKU', 'Compare Price'],
      ...['1', '2', '3'].map((at) => [`H ${at}`, `${at} EUR`, `H${at}`, '']),
    ]);
    const agreed = await arrives('euro-further.csv', further);
    await isHeld(agreed.id);
    await stack.api.call('POST', `/api/queue/${agreed.id}/other-currency`, { body: { answer: 'send' } });
    await push(agreed.id);
    await reach(agreed.id, 'completed');
    const mixedRow = further.replaceAll('H', 'I').replace('I1,', 'I1,9 USD');
    const compared = await arrives('euro-compared.csv', mixedRow);
    expect(await isHeld(compared.id)).toBe(
      'Not pushed: prices were in USD, but the store uses CAD. Answer the question about prices, then push.',
    );
    const large = await arrives('euro-3.csv', euro('G', 61));
    expect(await isHeld(large.id)).toBe(
      'Not pushed: the file had 61 products, more than the usual 60. Check the file, then push.',
    );
  },
);
