import { savePreferences } from '@draftshelf/core/access/preferences';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { afterEach, expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { createByMerchant } from '../../support/merchant-product.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { gtinOf } from '../../support/sources.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { reach, push, importOf, productsNamed, outcomes } = pushSteps(() => stack);
const { plan, expectAsPlanned } = planSteps(() => stack);

afterEach(async () => {
  await stack.store.clearFaults();
  await savePreferences(stack.database.db, { whenInStore: 'skip' });
});

const prefer = (whenInStore: MatchChoice) => savePreferences(stack.database.db, { whenInStore });

async function supplierNamed(name: string): Promise<number> {
  const { id } = await stack.database.db
    .insertInto('suppliers')
    .values({ name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

let files = 0;
/** An import that is a list of this supplier, and whose rows were not compared with its items. */
async function listOf(supplier: number | null, rows: readonly (readonly string[])[]): Promise<string> {
  files += 1;
  const { id } = await importOf(csvOf(rows), String(files).padStart(64, 'd'), { supplier: null });
  await stack.database.db.updateTable('imports').set({ supplier }).where('id', '=', id).execute();
  return id;
}

/** A file without a SKU column sends its item numbers as SKUs. */
const headersOf = (hasSku: boolean) => ['Title', 'Price', 'UPC', 'Item #', ...(hasSku ? ['SKU'] : [])];

/** Whether a product of the second list has the SKU, GTIN, item number and title of one of the first list. */
type Mix = { hasSku: boolean; sku: boolean; gtin: boolean; item: boolean; title: boolean };
const bits = [false, true];
const mixes: Mix[] = bits.flatMap((hasSku) =>
  (hasSku ? bits : [false]).flatMap((sku) =>
    bits.flatMap((gtin) => bits.flatMap((item) => bits.map((title) => ({ hasSku, sku, gtin, item, title })))),
  ),
);

let labels = 0;
/** Two lists with and without SKUs, whose products are those of the mixes. */
function listsOf(hasSku: boolean) {
  labels += 1;
  const label = `Mix${labels}`;
  const first: string[][] = [headersOf(hasSku)];
  const second: string[][] = [headersOf(hasSku)];
  const ofFile = mixes.filter((mix) => mix.hasSku === hasSku);
  for (const [at, mix] of ofFile.entries()) {
    const rowOf = (list: string, price: string, { sku, gtin, item, title }: Omit<Mix, 'hasSku'>) => [
      title ? `${label} first ${at}` : `${label} ${list} ${at}`,
      price,
      gtinOf(labels * 10_000 + at + (gtin ? 0 : 500)),
      `${labels}-${item ? 'equal' : list}-${at}`,
      ...(hasSku ? [`${label}-${sku ? 'equal' : list}-${at}`] : []),
    ];
    first.push(rowOf('first', '10', { sku: true, gtin: true, item: true, title: true }));
    second.push(rowOf('second', '90', mix));
  }
  return { label, first, second, ofFile };
}

const hasKey = ({ sku, gtin, item }: Mix) => sku || gtin || item;
const agrees = ({ gtin, title }: Mix) => gtin || title;

/** What is to become of a product that may be one of the first list, if the preference is to update. */
const expected: Record<string, (mix: Mix) => string> = {
  'another supplier': (mix) => {
    if (mix.sku || mix.gtin) return 'in-store';
    return !mix.hasSku && mix.item && mix.title ? 'in-store' : 'created';
  },
  'nobody known': (mix) => (!hasKey(mix) ? 'created' : agrees(mix) ? 'updated' : 'in-store'),
  'the same supplier': (mix) => (!hasKey(mix) ? 'created' : agrees(mix) ? 'updated' : 'in-store'),
};

it.for(
  Object.keys(expected).flatMap((owner) =>
    (isLong ? bits : [true]).map((hasSku) => [owner, hasSku] as const),
  ),
)(
  'of two lists of %s nothing is overwritten that does not agree (SKU column: %s)',
  async ([owner, hasSku]) => {
    const { label, first, second, ofFile } = listsOf(hasSku);
    const acme = owner === 'nobody known' ? null : await supplierNamed(`Acme ${label}`);
    const beta = owner === 'another supplier' ? await supplierNamed(`Beta ${label}`) : acme;
    const earlier = await listOf(acme, first);
    await push(earlier);
    await reach(earlier, 'completed');
    const before = await productsNamed(label);
    expect(before).toHaveLength(ofFile.length);
    // Products of the same supplier need no preference.
    await prefer(owner === 'the same supplier' ? 'skip' : 'update');
    const id = await listOf(beta, second);
    const planned = await expectAsPlanned(id);
    const done = ofFile.map((mix) => expected[owner]?.(mix));
    expect(planned.map(({ outcome, code }) => code ?? outcome)).toEqual(done);
    const after = new Map((await productsNamed(label)).map((product) => [product.id, product]));
    for (const [at, mix] of ofFile.entries()) {
      const product = before.find(({ title }) => title === `${label} first ${at}`);
      const now = after.get(product?.id ?? 0);
      if (done[at] === 'updated')
        expect(now?.variants, JSON.stringify(mix)).toMatchObject([{ price: '90.00' }]);
      else expect(now, JSON.stringify(mix)).toEqual(product);
    }
    const created = done.filter((outcome) => outcome === 'created').length;
    expect(after.size).toBe(before.length + created);
  },
);

it('takes an item number of another supplier for a SKU only where more is equal', async () => {
  const [acme, beta] = [await supplierNamed('Acme numbers'), await supplierNamed('Beta numbers')];
  const theirs = await listOf(beta, [
    ['Title', 'Price', 'Item #'],
    ['Numbered chair', '10', '880001'],
    ['Numbered lamp', '10', '880002'],
  ]);
  await push(theirs);
  await reach(theirs, 'completed');
  const id = await listOf(acme, [
    ['Title', 'Price', 'SKU'],
    ['Numbered pump', '20', '880001'],
    ['Numbered lamp', '20', '880002'],
  ]);
  expect(await expectAsPlanned(id)).toMatchObject([{ outcome: 'created' }, { code: 'in-store' }]);
});

it('names the other supplier, and updates its product only by a choice about it', async () => {
  const [acme, beta] = [await supplierNamed('Acme'), await supplierNamed('Beta')];
  const headers = ['Title', 'Price', 'SKU', 'UPC'];
  const theirs = await listOf(beta, [
    headers,
    ['Named oak chair', '10', 'NAMED-1', ''],
    ['Named lamp', '10', 'NAMED-2', gtinOf(77_001)],
  ]);
  await push(theirs);
  await reach(theirs, 'completed');
  const rows = [
    headers,
    ['Named oak chair', '20', 'NAMED-1', ''],
    ['Named lamp', '20', 'NAMED-X', gtinOf(77_001)],
  ];
  const id = await listOf(acme, rows);
  await prefer('update');
  const asked = [
    { code: 'in-store', message: 'Beta’s product has the same SKU.' },
    { code: 'in-store', message: 'Also sold by Beta.' },
  ];
  expect(await expectAsPlanned(id)).toMatchObject(asked);
  // Nor by the choice of a push for all products.
  const body = { whenInStore: 'update' };
  expect((await stack.api.call('POST', `/api/queue/${id}/push`, { body })).status).toBe(200);
  await reach(id, 'completed', 'failed');
  expect(await outcomes(id)).toMatchObject(asked);
  await plan(id);
  const choice = { about: 'in-store', choice: 'update', product: 1 };
  expect(await stack.api.call('POST', `/api/queue/${id}/plan/choices`, { body: choice })).toMatchObject({
    body: { decided: 1 },
  });
  const { db } = stack.database;
  const itemOf = (key: string, ourId: string) => ({ supplier: acme, key, our_id: ourId, first_list: 1 });
  await db
    .insertInto('supplier_items')
    .values([itemOf('s:NAMED-1', 'own id'), itemOf('s:NAMED-X', 'own id 2')])
    .execute();
  expect(await expectAsPlanned(id)).toMatchObject([{ outcome: 'updated' }, asked[1]]);
  // The supplier's next list finds it under that id.
  const ids = await db
    .selectFrom('supplier_items')
    .innerJoin('outcomes', 'outcomes.our_id', 'supplier_items.our_id')
    .select(['key', 'import_id', 'product'])
    .where('supplier', '=', acme)
    .where('import_id', '=', theirs)
    .execute();
  expect(ids).toEqual([{ key: 's:NAMED-1', import_id: theirs, product: 1 }]);
  const pricesOf = async () =>
    (await productsNamed('Named')).map(({ title, variants }) => [title, variants[0]?.price]);
  expect((await pricesOf()).toSorted()).toEqual([
    ['Named lamp', '10.00'],
    ['Named oak chair', '20.00'],
  ]);
});

it('asks about products of a merchant whose only common key is an item number', async () => {
  for (const [at, title] of ['Number one', 'Number two', 'Number three'].entries()) {
    await createByMerchant(stack, title, `7700${at}`, at === 2 ? { product: { vendor: 'Acme' } } : {});
  }
  const before = await productsNamed('Number');
  const id = await listOf(null, [
    ['Title', 'Price', 'Item #', 'Brand'],
    ['Another', '1', '77000', ''],
    ['Number Two', '1', '77001', ''],
    ['One more', '1.4', '77002', 'ACME'],
  ]);
  const done = async () => (await expectAsPlanned(id)).map(({ outcome, code }) => code ?? outcome);
  await prefer('skip');
  expect(await done()).toEqual(['in-store', 'in-store', 'in-store']);
  await prefer('update');
  expect(await done()).toEqual(['in-store', 'updated', 'updated']);
  const after = await productsNamed('');
  expect(after.find(({ id: theirs }) => theirs === before[0]?.id)).toEqual(before[0]);
});
