import type { Plan } from '@draftshelf/contract/push/plan';
import { savePreferences } from '@draftshelf/core/access/preferences';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { outcomeCodes } from '@draftshelf/domain/imports/outcome';
import type { ChoiceSubject } from '@draftshelf/domain/push/push-choices';
import { leaveOutField } from '@draftshelf/domain/review/edited-field';
import { matchProducts } from '@draftshelf/publishing/match-products';
import { testDraft } from '@draftshelf/shopify/testing/drafts';
import { afterEach, expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { copyStore, createByMerchant, demoShop, storeClient } from '../../support/merchant-product.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { reach, push, importOf, calls, edit, productsNamed, outcomes } = pushSteps(() => stack);
const { plan, readPlan, expectAsPlanned } = planSteps(() => stack);

afterEach(() => stack.store.clearFaults());

let files = 0;
/** An import of products with titles, prices, SKUs and quantities. */
async function fileOf(rows: readonly (readonly string[])[]): Promise<string> {
  files += 1;
  const csv = csvOf([['Title', 'Price', 'SKU', 'Quantity'], ...rows]);
  return (await importOf(csv, String(files).padStart(4, '0').padEnd(64, 'f'))).id;
}

it('a first import is planned for no points, writes nothing, and is pushed as planned', async () => {
  const id = await fileOf([
    ['Lamp', '10', 'V-1', '5'],
    ['Chair', '20', 'V-2', '5'],
    ['No price', '', 'V-3', '5'],
  ]);
  // The first plan after the start may have to ask for the shop.
  await plan(id);
  const before = await stack.store.stats();
  const made = await plan(id);
  expect(made.plan).toMatchObject({ points: 0, sums: { created: 2, 'skipped:missing-fields': 1 } });
  expect((await stack.store.stats()).points).toEqual(before.points);
  expect(await expectAsPlanned(id)).toMatchObject([
    { outcome: 'created' },
    { outcome: 'created' },
    { outcome: 'skipped', code: 'missing-fields' },
  ]);
});

it('counts the rows that were edited since its push, and not those that the push has sent', async () => {
  const id = await fileOf([
    ['Before', '10', 'V-1', '5'],
    ['After', '20', 'V-2', '5'],
  ]);
  const edited = async () => {
    const { body } = await stack.api.call('GET', `/api/queue/${id}/plan`);
    return (body as Plan).outdated.editedRows;
  };
  await plan(id);
  await edit(id, 1, { price: '11' });
  expect(await edited()).toBe(1);
  await push(id);
  await reach(id, 'completed');
  expect(await edited()).toBe(0);
  await edit(id, 2, { price: '21' });
  await edit(id, 2, { title: 'After the push' });
  expect(await edited()).toBe(1);
  await edit(id, 2, { price: null, title: null });
  expect(await edited()).toBe(0);
});

/** What is changed between two pushes of a product, and what the plan and the push say then. */
type Situation = {
  /** Values of the product that is pushed first. */
  before?: Parameters<typeof edit>[2];
  /** Values edited by the operator. */
  ours?: Parameters<typeof edit>[2];
  /** A change in the store. */
  theirs?: object;
  /** A choice about an earlier state of the product. */
  chosen?: ChoiceSubject;
  /** The store has a product of a merchant with the same SKU, and ours was not pushed. */
  merchants?: boolean;
  /** Columns of its listing as a dead worker, an older version or a restored database leaves them. */
  listing?: string;
  outcome: string;
  code?: string;
};
const ofApp = { namespace: 'app--1', key: 'rating', type: 'single_line_text_field', value: '5' };
const images = Array.from({ length: 51 }, (_, at) => `https://images.example/${at}.jpg`);
const ofOtherId = { namespace: 'scd', key: 'external_id', type: 'id', value: 'f'.repeat(32) };
const sendingCreate = `store_product_id = null, sending = sent, sending_hash = sent_hash, sending_kind = 'create',
  sent = null, sent_hash = null, baseline = null`;
const sendingUpdate = `sending = jsonb_set(sent::jsonb, '{title}', '"Sent"'), sending_hash = 'other', sending_kind = 'update'`;

const situations: Record<string, Situation> = {
  Same: { outcome: 'unchanged' },
  'Our title': { ours: { title: 'Our title 2' }, outcome: 'updated' },
  'Our price': { ours: { price: '11' }, outcome: 'updated' },
  'Their title': { theirs: { title: 'Theirs' }, outcome: 'unchanged' },
  'Both titles': {
    ours: { title: 'Both titles 2' },
    theirs: { title: 'Theirs 2' },
    outcome: 'skipped',
    code: 'drifted',
  },
  'Decided about other titles': {
    ours: { title: 'Ours again' },
    theirs: { title: 'Theirs again' },
    chosen: 'drifted',
    outcome: 'skipped',
    code: 'choice-outdated',
  },
  'Dimensions beside another app': {
    ours: { dimensions: '10 x 5 x 3 in' },
    theirs: { metafield: ofApp },
    outcome: 'updated',
  },
  'More images than are read': {
    before: { moreImages: images.join('\n') },
    ours: { moreImages: images.slice(1).join('\n') },
    theirs: { templateSuffix: 'wide' },
    outcome: 'skipped',
    code: 'blocked',
  },
  'Of a merchant': { merchants: true, outcome: 'skipped', code: 'in-store' },
  Deleted: { theirs: { deleted: true }, outcome: 'skipped', code: 'deleted-in-store' },
  'Deleted and ours': {
    ours: { price: '12' },
    theirs: { deleted: true },
    outcome: 'skipped',
    code: 'deleted-in-store',
  },
  Sold: { theirs: { quantity: 3 }, outcome: 'unchanged' },
  'Our stock': { ours: { quantity: '9' }, outcome: 'updated' },
  'Sold and ours': {
    ours: { quantity: '9' },
    theirs: { quantity: 3 },
    outcome: 'skipped',
    code: 'not-sent',
  },
  'Left out': { ours: { [leaveOutField]: 'yes' }, outcome: 'skipped', code: 'left-out' },
  'Without price': { ours: { price: '' }, outcome: 'skipped', code: 'missing-fields' },
  'Too long': { ours: { title: 'x'.repeat(300) }, outcome: 'skipped', code: 'too-long' },
  Adopted: { listing: 'delete', outcome: 'unchanged' },
  Other: {
    ours: { title: 'Other 2' },
    listing: 'delete',
    outcome: 'skipped',
    code: 'different-content',
  },
  'Of another id': {
    ours: { price: '15' },
    theirs: { metafield: ofOtherId },
    outcome: 'skipped',
    code: 'different-content',
  },
  'Arrived unheard': { listing: sendingCreate, outcome: 'created' },
  'Arrived, then ours': { listing: sendingCreate, ours: { price: '13' }, outcome: 'updated' },
  'Never arrived': { listing: sendingCreate, theirs: { deleted: true }, outcome: 'created' },
  'Update lost': { listing: sendingUpdate, outcome: 'unchanged' },
  'Update lost and theirs': {
    listing: sendingUpdate,
    theirs: { title: 'Theirs 3' },
    outcome: 'skipped',
    code: 'lost-answer',
  },
  'Never read back': { listing: 'baseline = null', outcome: 'unchanged' },
  'Never read back, ours': { listing: 'baseline = null', ours: { price: '14' }, outcome: 'updated' },
};

it('every code of an outcome has a situation, but for a refusal, which no plan foresees', () => {
  const planned = new Set(Object.values(situations).map(({ code }) => code));
  // Lists of prices and stock are planned in suppliers/partial-lists.test.ts, a duplicate in push/match.test.ts.
  const others = ['unknown-product', 'not-in-store', 'duplicate'];
  expect(outcomeCodes.filter((code) => !planned.has(code))).toEqual([...others, 'store-refused']);
});

it('each situation of a product in the store is planned as it is pushed', async () => {
  const names = Object.keys(situations);
  for (const [at, name] of names.entries()) {
    if (situations[name]?.merchants) await createByMerchant(stack, `Merchant ${at}`, `S-${at}`);
  }
  await savePreferences(stack.database.db, { whenInStore: 'skip' });
  const id = await fileOf(names.map((name, at) => [name, '10', `S-${at}`, '5']));
  for (const [at, name] of names.entries()) {
    const before = situations[name]?.before;
    if (before) await edit(id, at + 1, before);
  }
  await push(id);
  await reach(id, 'completed');
  const { pool } = stack.database;
  for (const [at, name] of names.entries()) {
    const { ours, theirs, listing, chosen } = situations[name] as Situation;
    if (ours) await edit(id, at + 1, ours);
    const ourId = `(select our_id from outcomes where import_id = $1 and product = $2)`;
    if (theirs)
      await stack.store.edit((await productsNamed(name)).find((one) => one.title === name)?.id ?? 0, theirs);
    if (chosen) {
      await pool.query(
        `insert into push_choices (shop, our_id, about, basis, choice, import_id)
         values ($3, ${ourId}, $4, 'earlier', 'skip', $1)`,
        [id, at + 1, demoShop, chosen],
      );
    }
    if (listing === 'delete') await pool.query(`delete from listings where our_id = ${ourId}`, [id, at + 1]);
    else if (listing) {
      await pool.query(`update listings set ${listing} where our_id = ${ourId}`, [id, at + 1]);
    }
  }
  await copyStore(stack);
  const before = await calls();
  const planned = await expectAsPlanned(id);
  expect(planned.map(({ outcome, code }, at) => [names[at], outcome, code])).toEqual(
    names.map((name) => [name, situations[name]?.outcome, situations[name]?.code ?? null]),
  );
  expect((await calls()) - before).toBe(6);
});

it.for<[MatchChoice, string[]]>([
  ['skip', ['in-store', 'in-store']],
  ['update', ['updated', 'updated']],
  ['create', ['created', 'created']],
])(
  'products of the store with the same SKU are planned as they are pushed: %s',
  async ([choice, expected]) => {
    const sku = (at: number) => `M-${choice}-${at}`;
    await createByMerchant(stack, `Plain ${choice}`, sku(1));
    await createByMerchant(stack, `Sized ${choice}`, sku(2), { sizes: ['S', 'M'] });
    await savePreferences(stack.database.db, { whenInStore: choice });
    const id = await fileOf([
      [`Plain: ${choice}`, '10', sku(1), '5'],
      [`Sized: ${choice}`, '10', sku(2), '5'],
    ]);
    const planned = await expectAsPlanned(id);
    expect(planned.map(({ outcome, code }) => code ?? outcome)).toEqual(expected);
  },
);

it('a plan of a product whose match was deleted writes nothing, and stops when it is asked to', async () => {
  await createByMerchant(stack, 'Deleted match', 'D-1');
  const [theirs] = await productsNamed('Deleted match');
  await stack.store.edit(theirs?.id ?? 0, { deleted: true });
  const id = await fileOf([['Ours deleted', '10', 'D-1', '5']]);
  const { db } = stack.database;
  const copies = () =>
    db.selectFrom('store_products').select('id').where('title', '=', 'Deleted match').execute();
  expect((await plan(id)).lines).toMatchObject([{ outcome: 'created' }]);
  expect(await copies()).toHaveLength(1);
  const store = { client: storeClient(stack), shop: demoShop };
  const built = { ok: true as const, product: testDraft() };
  const keyed = [{ ourId: 'any', keys: [{ kind: 'sku' as const, value: 'D-1' }], built }];
  const stopped = { signal: AbortSignal.abort(new Error('asked to stop')), updatesCopy: false };
  await expect(matchProducts(db, store, id, keyed, stopped)).rejects.toThrow('asked to stop');
  await push(id);
  await reach(id, 'completed');
  expect(await copies()).toHaveLength(0);
});

it('what a push does otherwise is counted with its reason', async () => {
  const id = await fileOf([
    ['Deviant same', '10', 'V-1', '5'],
    ['Deviant edited', '10', 'V-2', '5'],
    ['Deviant refused', '10', 'V-3', '5'],
    ['Deviant theirs', '10', 'V-4', '5'],
  ]);
  await push(id);
  await reach(id, 'completed');
  // The store accepts no such amount, which nothing knows before.
  await edit(id, 3, { price: '1000000000000000000' });
  await plan(id);
  await edit(id, 2, { price: '13' });
  const [theirs] = await productsNamed('Deviant theirs');
  await stack.store.edit(theirs?.id ?? 0, { deleted: true });
  await push(id);
  await reach(id, 'completed', 'failed', 'queued', 'processed');
  const made = await readPlan(id);
  expect([made.compared, await outcomes(id)]).toMatchObject([
    { asPlanned: 1, otherwise: { edited: 1, refused: 1, store: 1 } },
    [
      { outcome: 'unchanged' },
      { outcome: 'updated' },
      { code: 'store-refused' },
      { code: 'deleted-in-store' },
    ],
  ]);
  expect(demoShop).toBe(made.shop);
});
