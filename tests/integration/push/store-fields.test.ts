import { setMatchChoice } from '@draftshelf/core/push/push-run';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { expect } from 'vitest';
import type { StoredProduct } from '../../../apps/simulators/store/src/catalogue.ts';
import { comparableProduct } from '../../store/comparable-product.ts';
import { csvForm } from '../../support/api-client.ts';
import { until } from '../../support/fixture.ts';
import { createByMerchant } from '../../support/merchant-product.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, readers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const it = testOnWorkers([...new Set([...pushers, ...readers])]);
const { reach, push, edit, outcomes } = pushSteps(() => stack);
const { undo } = undoSteps(() => stack);
const { expectAsPlanned } = planSteps(() => stack);

type Definition = { key: string; type: string; validations?: { name: string; value: string }[] };
const define = ({ key, ...rest }: Definition & { isRemoved?: true }) =>
  stack.store.define({ namespace: 'custom', key, name: key, ...rest });

/** A type with a cell, what the store takes for it, another cell with its value, and one that does not fit. */
const types: Record<string, [type: string, ...string[]]> = {
  line: ['single_line_text_field', 'By  hand', 'By hand', 'Cold', 'Cold', ''],
  lines: ['multi_line_text_field', 'Wash cold', 'Wash cold', 'Dry flat', 'Dry flat', ''],
  pieces: ['number_integer', '12', '12', '14', '14', 'a dozen'],
  rate: ['number_decimal', '2,5', '2.5', '3.75', '3.75', 'high'],
  vegan: ['boolean', 'ja', 'true', 'no', 'false', 'maybe'],
  since: ['date', '31.10.2026', '2026-10-31', '2026-11-02', '2026-11-02', 'autumn'],
  width: ['dimension', '12,5 cm', '{"value":12.5,"unit":"cm"}', '13', '{"value":13,"unit":"cm"}', 'wide'],
  net: ['weight', '1.5 kg', '{"value":1.5,"unit":"kg"}', '900 g', '{"value":900,"unit":"g"}', 'heavy'],
  content: ['volume', '0.5 l', '{"value":0.5,"unit":"l"}', '750 ml', '{"value":750,"unit":"ml"}', 'full'],
  manual: [
    'url',
    'https://a.example/m',
    'https://a.example/m',
    'https://a.example/n',
    'https://a.example/n',
    'm',
  ],
  tint: ['color', '1a2b3c', '#1A2B3C', '#ffffff', '#FFFFFF', 'blue'],
  colors: ['list.single_line_text_field', 'Red; Blue', '["Red","Blue"]', 'Red', '["Red"]', ''],
  sizes: ['list.number_integer', '1|2', '[1,2]', '3', '[3]', '1|x'],
};
const keys = Object.keys(types);
const header = (key: string) => (key === 'width' ? 'width (cm)' : key);
const mapping = Object.fromEntries(keys.map((key) => [header(key), `m:custom.${key}`]));
const cellsOf = (at: 1 | 3 | 5) => keys.map((key) => types[key]?.[at] ?? '');

let files = 0;
/** An import of products with metafields, SEO and codes. */
async function importOf(
  skus: string | readonly string[],
  cells: readonly string[],
  more: Record<string, string> = {},
): Promise<string> {
  files += 1;
  const columns = ['Title', 'Price', 'SKU', 'Quantity', ...keys.map(header), ...Object.keys(more)];
  const rows = [skus].flat().map((sku) => [`Bowl ${sku}`, '8', sku, '1', ...cells, ...Object.values(more)]);
  const quoted = (line: readonly string[]) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  const csv = `${[columns, ...rows].map(quoted).join('\n')}\n${' '.repeat(files)}\n`;
  const answer = await stack.api.upload(csvForm(csv, { before: { mapping: JSON.stringify(mapping) } }));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { id } = answer.body as { id: string };
  await reach(id, 'processed', 'queued');
  return id;
}

async function pushed(id: string): Promise<void> {
  await push(id);
  await reach(id, 'completed', 'failed');
}

async function update(id: string): Promise<void> {
  await stack.database.db.transaction().execute(async (trx) => {
    const begun = await pushImport(trx, id, 25, { supplier: null });
    if (!begun.ok) throw new Error(begun.reason);
    await setMatchChoice(trx, { import_id: id, run: begun.import.push_run }, 'update');
  });
  await reach(id, 'completed', 'failed');
}

async function stored(sku: string): Promise<StoredProduct> {
  const products = (await stack.store.products()) as unknown as StoredProduct[];
  const found = products.find((one) => one.variants.some((variant) => variant.sku === sku));
  if (!found) throw new Error(`No product with ${sku}`);
  return found;
}

const valuesOf = ({ metafields }: StoredProduct) =>
  Object.fromEntries(
    metafields.filter(({ namespace }) => namespace !== 'scd').map(({ key, value }) => [key, value]),
  );
const valuesOfOurs = ({ metafields }: StoredProduct) =>
  Object.fromEntries(
    metafields.filter(({ namespace }) => namespace === 'custom').map(({ key, value }) => [key, value]),
  );
const wanted = (at: 2 | 4) => Object.fromEntries(keys.map((key) => [key, types[key]?.[at] ?? '']));
const issuesOf = async (id: string) => {
  const { body } = await stack.api.call('GET', `/api/queue/${id}/rows`);
  return (body as { rows: { issues: { code: string; field: string | null; message: string }[] }[] }).rows[0]
    ?.issues;
};

async function defineAll(): Promise<void> {
  for (const key of keys) await define({ key, type: types[key]?.[0] ?? '' });
  await until('the definitions are known', async () => {
    const { body } = await stack.api.call('GET', '/api/csv/metafields');
    return (body as { metafields: unknown[] }).metafields.length >= keys.length;
  });
}

it('creates, updates, clears and restores metafields of every type, with SEO and codes', async () => {
  await defineAll();
  const seo = {
    Description: 'Made by hand.',
    'SEO title': 'Bowl, blue',
    'Meta description': 'A blue bowl.',
    'HS Code': '6912.00',
    Origin: 'Portugal',
  };
  const id = await importOf('MF-1', cellsOf(1), seo);
  await pushed(id);
  expect(await outcomes(id)).toMatchObject([{ outcome: 'created', message: null }]);
  const created = await stored('MF-1');
  expect(valuesOf(created)).toEqual(wanted(2));
  expect(created).toMatchObject({
    seo: { title: 'Bowl, blue', description: 'A blue bowl.' },
    variants: [{ harmonizedSystemCode: '691200', countryCodeOfOrigin: 'PT' }],
  });
  await pushed(id);
  expect(await outcomes(id)).toMatchObject([{ outcome: 'unchanged' }]);

  const next = await importOf('MF-1', cellsOf(3), { ...seo, 'SEO title': 'Bowl', Origin: 'Spanien' });
  await update(next);
  expect(await outcomes(next)).toMatchObject([{ outcome: 'updated', message: null }]);
  const updated = await stored('MF-1');
  expect(valuesOf(updated)).toEqual(wanted(4));
  expect(updated).toMatchObject({ seo: { title: 'Bowl' }, variants: [{ countryCodeOfOrigin: 'ES' }] });

  await undo(next);
  const restored = await stored('MF-1');
  expect(valuesOf(restored)).toEqual(wanted(2));
  expect(restored).toMatchObject({ seo: { title: 'Bowl, blue' }, variants: [{ countryCodeOfOrigin: 'PT' }] });
});

it('leaves out values that are none of their types, and says why in their cells', async () => {
  await defineAll();
  await define({
    key: 'line',
    type: 'single_line_text_field',
    validations: [{ name: 'choices', value: '["Cold"]' }],
  });
  await until('the choices are known', async () => {
    await stack.api.call('GET', '/api/csv/metafields');
    const { rows } = await stack.database.pool.query<{ validations: unknown[] }>(
      "select validations from metafield_definitions where key = 'line'",
    );
    return rows[0]?.validations.length === 1;
  });
  const cells = cellsOf(5).map((cell, at) => (keys[at] === 'line' ? 'Tumble' : cell));
  const id = await importOf('MF-2', cells);
  const issues = (await issuesOf(id)) ?? [];
  const unread = issues.filter(({ code }) => code === 'value-unread');
  expect(unread).toContainEqual({
    ...{ code: 'value-unread', field: 'm:custom.line' },
    message: 'line: “Tumble” isn’t one of the choices. It isn’t sent.',
  });
  expect(unread.map(({ field }) => field).toSorted()).toEqual(
    keys
      .filter((key) => cells[keys.indexOf(key)])
      .map((key) => `m:custom.${key}`)
      .toSorted(),
  );
  await pushed(id);
  expect(await outcomes(id)).toMatchObject([{ outcome: 'created' }]);
  expect(valuesOf(await stored('MF-2'))).toEqual({});
  await define({ key: 'line', type: 'single_line_text_field' });
});

it('takes back what it wrote, and neither a merchant’s values nor those of apps', async () => {
  await defineAll();
  const theirs = [
    { namespace: 'custom', key: 'line', type: 'single_line_text_field', value: 'By the merchant' },
    { namespace: 'reviews', key: 'rating', type: 'number_integer', value: '5' },
  ];
  await createByMerchant(stack, 'Bowl MF-3', 'MF-3', {
    product: { metafields: theirs, seo: { title: 'Theirs' } },
  });
  const id = await importOf('MF-3', cellsOf(1), { 'SEO title': 'Ours' });
  await update(id);
  expect(await outcomes(id)).toMatchObject([{ outcome: 'updated' }]);
  const taken = await stored('MF-3');
  expect(valuesOf(taken)).toEqual({ ...wanted(2), line: 'By the merchant', rating: '5' });
  expect(taken.seo).toEqual({ title: 'Theirs' });

  // The merchant changes one of ours: it is theirs from now on.
  await stack.store.edit(taken.id, {
    metafield: { namespace: 'custom', key: 'tint', type: 'color', value: '#000000' },
  });
  const next = await importOf('MF-3', cellsOf(3), { 'SEO title': 'Ours' });
  await update(next);
  const [outcome] = await outcomes(next);
  expect(outcome).toMatchObject({ outcome: 'updated' });
  for (const key of ['line', 'tint']) {
    expect(outcome?.message).toContain(
      `metafield custom.${key} (changed in the store, which keeps its value)`,
    );
  }
  const kept = { line: 'By the merchant', tint: '#000000', rating: '5' };
  expect(valuesOf(await stored('MF-3'))).toEqual({ ...wanted(4), ...kept });

  const empty = await importOf(
    'MF-3',
    keys.map(() => ''),
    { 'SEO title': '' },
  );
  await update(empty);
  const last = await stored('MF-3');
  expect(valuesOf(last)).toEqual(kept);
  expect(last.seo).toEqual({ title: 'Theirs' });
  await undo(empty);
  expect(valuesOf(await stored('MF-3'))).toEqual({ ...wanted(4), ...kept });
});

const byApp = { namespace: 'app--77--reviews', key: 'stars', type: 'number_integer', value: '4' };
const untouched = ({ metafields }: StoredProduct) =>
  metafields
    .filter(({ namespace }) => !['custom', 'scd'].includes(namespace))
    .map(({ namespace, key, value }) => `${namespace}.${key} ${value}`)
    .toSorted();

it.runIf(isLong)(
  'writes its own metafields alone where the product’s list can’t be replaced, once whatever answer is lost',
  async () => {
    await defineAll();
    const more = Array.from({ length: 70 }, (_, at) => {
      return {
        namespace: 'supplier',
        key: `note_${at}`,
        type: 'single_line_text_field',
        value: `Note ${at}`,
      };
    });
    await createByMerchant(stack, 'Bowl MF-6', 'MF-6', { product: { metafields: more } });
    await stack.store.edit((await stored('MF-6')).id, { metafield: byApp });
    const untaken = comparableProduct(await stored('MF-6'), false);
    const before = untouched(await stored('MF-6'));
    expect(before).toHaveLength(71);

    const id = await importOf('MF-6', cellsOf(1));
    await update(id);
    expect(valuesOfOurs(await stored('MF-6'))).toEqual(wanted(2));
    await undo(id);
    expect(comparableProduct(await stored('MF-6'), false)).toEqual(untaken);

    await stack.store.fault({ kind: 'drop-after', operation: 'productSet' });
    await stack.store.fault({ kind: 'drop-after', operation: 'metafieldsSet', times: 2 });
    await update(id);
    expect(await outcomes(id)).toMatchObject([{ outcome: 'updated', message: null }]);
    expect(valuesOfOurs(await stored('MF-6'))).toEqual(wanted(2));

    // The merchant changes one of ours: it stays, and the others change.
    await stack.store.edit((await stored('MF-6')).id, {
      metafield: { namespace: 'custom', key: 'tint', type: 'color', value: '#000000' },
    });
    const next = await importOf('MF-6', cellsOf(3));
    await stack.store.fault({ kind: 'drop-before', operation: 'metafieldsSet' });
    await update(next);
    const [outcome] = await outcomes(next);
    expect(outcome).toMatchObject({ outcome: 'updated' });
    expect(outcome?.message).toContain('metafield custom.tint (changed in the store');
    expect(valuesOfOurs(await stored('MF-6'))).toEqual({ ...wanted(4), tint: '#000000' });
    expect(untouched(await stored('MF-6'))).toEqual(before);

    // The store refuses them: the price is sent, the values that it had stay, and the next push sends them.
    await edit(next, 1, { price: '9', 'm:custom.line': 'Hot' });
    await stack.store.fault({ kind: 'status', status: 400, operation: 'metafieldsSet' });
    await pushed(next);
    const refused = await outcomes(next);
    expect(refused).toMatchObject([{ outcome: 'updated' }]);
    expect(refused[0]?.message).toContain('metafield custom.line (');
    expect(await stored('MF-6')).toMatchObject({ variants: [{ price: '9.00' }] });
    expect(valuesOfOurs(await stored('MF-6'))).toEqual({ ...wanted(4), tint: '#000000' });
    await pushed(next);
    expect(valuesOfOurs(await stored('MF-6'))).toEqual({ ...wanted(4), tint: '#000000', line: 'Hot' });
    expect(untouched(await stored('MF-6'))).toEqual(before);

    await stack.store.fault({ kind: 'drop-after', operation: 'metafieldsSet' });
    await undo(next);
    expect(valuesOfOurs(await stored('MF-6'))).toEqual({ ...wanted(4), tint: '#000000' });
    expect(untouched(await stored('MF-6'))).toEqual(before);
  },
);

it('empties what a person empties, and leaves out a definition that has changed since', async () => {
  await defineAll();
  const id = await importOf('MF-4', cellsOf(1), { 'SEO title': 'Ours', 'HS Code': '691200' });
  await pushed(id);
  await edit(id, 1, { 'm:custom.line': '', seoTitle: '', hsCode: '', 'm:custom.rate': '7' });
  await pushed(id);
  const emptied = await stored('MF-4');
  const { line: _, ...others } = wanted(2);
  expect(valuesOf(emptied)).toEqual({ ...others, rate: '7' });
  expect(emptied.seo?.title).toBeUndefined();
  expect(emptied.variants[0]?.harmonizedSystemCode).toBeUndefined();

  await define({ key: 'vegan', type: 'boolean', isRemoved: true });
  await stack.api.call('GET', '/api/csv/metafields');
  await edit(id, 1, { price: '9', 'm:custom.vegan': 'no' });
  await pushed(id);
  const [outcome] = await outcomes(id);
  expect(outcome).toMatchObject({ outcome: 'updated' });
  const after = await stored('MF-4');
  expect(after.variants[0]?.price).toBe('9.00');
  expect(valuesOf(after)).toEqual({ ...others, rate: '7' });
  await define({ key: 'vegan', type: 'boolean' });
});

it.runIf(isLong)(
  'suggests fields of a store whose definitions nobody has read yet, and does not wait for a slow one',
  async () => {
    await defineAll();
    const csv = 'Title,Price,Tint\nBowl,8,#123456\n';
    const answer = await stack.api.upload(csvForm(csv));
    const { id } = answer.body as { id: string };
    await reach(id, 'processed', 'queued');
    const suggested = async () => {
      await stack.database.db.deleteFrom('metafield_definitions').execute();
      const { body } = await stack.api.call('GET', `/api/queue/${id}/mapping?fresh=true`);
      const { columns } = body as { columns: { header: string; alternatives: { field: string }[] }[] };
      const offered = columns.find(({ header }) => header === 'Tint')?.alternatives ?? [];
      return offered.map(({ field }) => field).filter((field) => field.startsWith('m:'));
    };
    expect(await suggested()).toContain('m:custom.tint');
    // The api keeps what it has read for two seconds.
    await until('the store is asked again, and is slow', async () => {
      await stack.store.fault({ kind: 'delay', delayMs: 10_000, operation: 'metafieldDefinitions' });
      return (await suggested()).length === 0;
    });
  },
);

it.runIf(isLong)(
  'sends the category that a person has chosen for the supplier’s own, and counts what products have',
  async () => {
    await defineAll();
    const columns = { Type: 'Wohnen > Deko > Vasen', 'SEO title': 'Ours' };
    const id = await importOf('MF-5', cellsOf(1), columns);
    const readiness = async () =>
      (await stack.api.call('GET', `/api/queue/${id}/readiness`)).body as Record<string, unknown>;
    const { body } = await stack.api.call('GET', '/api/shopify/categories?q=vases');
    const category = { id: 'gid://shopify/TaxonomyCategory/hg-3-66', name: 'Home & Garden > Decor > Vases' };
    expect(body).toEqual({ categories: [category] });
    const own = { path: columns.Type, field: 'type', products: 1 };
    expect(await readiness()).toMatchObject({ withCategory: 0, paths: [{ ...own, category: null }] });
    const choice = { body: { path: columns.Type, category } };
    expect(await stack.api.call('PUT', `/api/queue/${id}/categories`, choice)).toMatchObject({ status: 200 });
    expect(await readiness()).toMatchObject({ products: 1, withCategory: 1, paths: [{ ...own, category }] });
    const { fields } = (await readiness()) as { fields: { field: string; products: number }[] };
    expect(Object.fromEntries(fields.map(({ field, products }) => [field, products]))).toMatchObject({
      ...{ title: 1, price: 1, image: 0, description: 0, upc: 0, weight: 0, seoTitle: 1, seoDescription: 0 },
      'm:custom.line': 1,
    });
    await pushed(id);
    expect(await stored('MF-5')).toMatchObject({ category: category.id, productType: columns.Type });
    const next = await importOf('MF-5', cellsOf(1), { ...columns, 'SEO title': 'Ours, too' });
    await update(next);
    expect(await stored('MF-5')).toMatchObject({ category: category.id, seo: { title: 'Ours, too' } });
    await push(next);
    await reach(next, 'completed');
    expect(await outcomes(next)).toMatchObject([{ outcome: 'unchanged' }]);
  },
);

const many = isLong ? 1_000 : 60;

it.runIf(isLong)(
  `pushes ${many} products with 13 metafields, search listing and category as planned, once, and undoes it exactly`,
  async () => {
    await defineAll();
    const skus = Array.from({ length: many }, (_, at) => `MANY-${at}`);
    const of = (listing: string) => ({
      Category: 'hg-3-66',
      'SEO title': listing,
      'Meta description': listing,
    });
    const stats = () => stack.store.stats();
    const inStore = async () => {
      const all = (await stack.store.products()) as unknown as StoredProduct[];
      const ours = all.filter(({ variants }) => variants.some(({ sku }) => sku?.startsWith('MANY-')));
      return ours.toSorted((one, other) => one.id - other.id).map((one) => comparableProduct(one, false));
    };
    const id = await importOf(skus, cellsOf(1), of('A bowl'));
    const before = await stats();
    await expectAsPlanned(id);
    const created = await stats();
    const pointsOf = (one: Awaited<ReturnType<typeof stats>>) =>
      Object.values(one.points).reduce((sum, points) => sum + points, 0);
    const rate = (from: typeof before, to: typeof before) => (pointsOf(to) - pointsOf(from)) / many;
    const first = await inStore();
    expect(first).toHaveLength(many);
    expect(await ledgerOf(id)).toEqual([{ effect: 'created', products: many }]);
    await expectAsPlanned(id);
    expect((await stats()).requests.productSet).toBe(created.requests.productSet);

    const next = await importOf(skus, cellsOf(3), of('Another bowl'));
    const begun = await stats();
    await update(next);
    const updated = await stats();
    expect(await ledgerOf(next)).toEqual([{ effect: 'updated', products: many }]);
    expect(await inStore()).not.toEqual(first);
    await push(next);
    await reach(next, 'completed');
    expect((await stats()).requests.productSet).toBe(updated.requests.productSet);
    await undo(next);
    expect(await inStore()).toEqual(first);
    console.log(
      `points of a product: ${rate(before, created).toFixed(1)} created, ${rate(begun, updated).toFixed(1)} updated`,
    );
  },
);

const ledgerOf = async (id: string) => {
  const { rows } = await stack.database.pool.query<{ effect: string; products: number }>(
    `select effect, count(distinct our_id)::int as products from ledger
     where import_id = $1 and effect <> 'unchanged' group by effect`,
    [id],
  );
  return rows;
};
