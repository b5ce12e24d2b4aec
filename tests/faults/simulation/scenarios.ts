import { isDeepStrictEqual } from 'node:util';
import { findImport } from '@draftshelf/core/imports/imports';
import { auditImport } from '@draftshelf/core/operate/audit/audit-import';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { differenceSentence } from '@draftshelf/domain/operate/audit';
import type { StoredProduct } from '../../../apps/simulators/store/src/catalogue.ts';
import { doubles } from './merchant.ts';
import { type BaseName, beginPush, gone, type Imports, listed, type ModelProduct, rated } from './model.ts';
import { changeGone, pushAndEdit, undo, undoInParts } from './operator.ts';
import type { Run } from './run-in-simulation.ts';
import { foreignParts, ourIdOf, type StoredValues, valuesOf } from './stored-values.ts';

export type Scenario = {
  name: string;
  base: BaseName;
  /** Does the work in a run, and returns what differs from the model at its end. */
  drive(run: Run, imports: Imports): Promise<string[]>;
};

export const scenarios: readonly Scenario[] = [
  {
    name: 'push of new products',
    base: 'read',
    async drive(run, { list }) {
      await beginPush(run.database, list);
      await run.settle(async () => true);
      return [
        ...(await storeDifferences(run, () => ({}))),
        ...(await outcomeDifferences(run, [list], () => 'created')),
        ...(await recordDifferences(run, list)),
      ];
    },
  },
  {
    name: 'push of updates and new products',
    base: 'pushed',
    async drive(run, { list }) {
      await beginPush(run.database, list);
      await run.settle(async () => true);
      const skipped = await skippedSkus(run, list);
      const wasThere = new Set(listed.earlier.map(({ sku }) => sku));
      return [
        ...(await storeDifferences(run, ({ sku }) => (skipped.has(sku) ? { isAny: true } : {}))),
        ...(await outcomeDifferences(run, [list], (sku) => (wasThere.has(sku) ? 'updated' : 'created'))),
        ...(await recordDifferences(run, list)),
      ];
    },
  },
  {
    name: 'two pushes of the same products by two operators',
    base: 'read',
    async drive(run, { list, other }) {
      // One after the other, outside of the run, so that their chunks always have the same ids.
      await beginPush(run.database, list);
      await beginPush(run.database, other);
      await run.settle(async () => true);
      const skipped = await skippedSkus(run, list);
      return [
        ...(await storeDifferences(run, ({ sku }) => {
          // In place of one that the merchant has deleted, the other import makes its own.
          if (run.merchant.touched.get(sku)?.deleted) return { isAny: true };
          return skipped.has(sku) ? { model: listed.other.find((one) => one.sku === sku) } : {};
        })),
        ...(await outcomeDifferences(run, [list, other], () => 'created, skipped')),
        ...(await recordDifferences(run, list)),
        ...(await recordDifferences(run, other)),
      ];
    },
  },
  { name: 'undo of a push', base: 'updated', drive: (run, of) => driveUndo(run, of, undo) },
  {
    name: 'undo of a push that was never read back',
    base: 'unread',
    drive: (run, of) => driveUndo(run, of, undo),
  },
  {
    name: 'push of an import that is edited and paused',
    base: 'pushed',
    async drive(run, { list }) {
      const titles = await pushAndEdit(run, list);
      const skipped = await skippedSkus(run, list);
      return [
        ...(await storeDifferences(run, (listedAs) => {
          const { sku, title } = listedAs;
          const model = { ...listedAs, title: titles.get(sku) ?? title };
          return skipped.has(sku) ? { isAny: true } : { model };
        })),
        ...(await recordDifferences(run, list)),
      ];
    },
  },
  {
    name: 'change of gone products',
    base: 'gone',
    async drive(run, { shortest }) {
      const change = run.scheduler.random.pick([
        { action: 'archive', value: 'status', to: 'ARCHIVED' },
        { action: 'quantity', value: 'quantity', to: 0 },
      ] as const);
      run.merchant.replaced = change.value;
      await changeGone(run, shortest, change.action);
      const lines = await lineResults(run, shortest, 'gone');
      return [
        ...(await storeDifferences(run, (model) => {
          const result = lines.get(model.sku);
          if (gone.has(model.sku) !== (result !== undefined)) return { isAbsent: true };
          return result === change.action ? { model: { ...model, [change.value]: change.to } } : {};
        })),
        ...(await recordDifferences(run, shortest, false)),
      ];
    },
  },
  {
    name: 'undo of a change of gone products',
    base: 'emptied',
    async drive(run, { shortest }) {
      await undo(run, shortest);
      const lines = await lineResults(run, shortest, 'undo');
      return [
        ...(await storeDifferences(run, (model) =>
          lines.get(model.sku) === 'keep' ? { model: { ...model, quantity: 0 } } : {},
        )),
        ...(await recordDifferences(run, shortest, false)),
      ];
    },
  },
  {
    name: 'undo of a push that is cancelled and begun again',
    base: 'updated',
    drive: (run, of) => driveUndo(run, of, undoInParts, { isAny: true }),
  },
];

/** Undoes the push of updates and new products. */
async function driveUndo(
  run: Run,
  { list }: Imports,
  carryOut: (run: Run, id: string) => Promise<void>,
  kept: Expected = {},
): Promise<string[]> {
  await carryOut(run, list);
  const earlier = new Map(listed.earlier.map((one) => [one.sku, one]));
  const lines = await lineResults(run, list, 'undo');
  const { touched } = run.merchant;
  return [
    ...(await storeDifferences(run, ({ sku }) => {
      // What was kept has the values of the push, unless a cancelled undo has restored some before.
      if (lines.get(sku) === 'keep' && touched.has(sku)) return kept;
      const model = earlier.get(sku);
      return model ? { model } : { isAbsent: true };
    })),
    ...(await recordDifferences(run, list, false)),
  ];
}

/** `isAny`: only what the merchant has set is known. */
type Expected = { model?: ModelProduct | undefined; isAny?: true; isAbsent?: true };

/** Compares each product of the store with the list, or what `expected` says instead, and with the merchant's work. */
async function storeDifferences(
  { store, before, merchant }: Run,
  expected: (product: ModelProduct) => Expected,
): Promise<string[]> {
  const inStore = await store.products();
  return [
    ...doubles(inStore),
    ...listed.list.flatMap((listedAs) => {
      const { sku } = listedAs;
      const { model = listedAs, isAny, isAbsent } = expected(listedAs);
      const touched = merchant.touched.get(sku);
      const found = inStore.find(({ variants }) => variants.some((one) => one.sku === sku));
      if (found && touched?.deleted?.known && touched.deleted.known === ourIdOf(found))
        return [`${sku} was deleted by the merchant and is there again`];
      if (!found) return isAbsent || touched?.deleted ? [] : [`${sku} is missing`];
      if (isAbsent) return [`${sku} is there, and should not be`];
      // One that was made again has nothing of other apps.
      const rating = before.get(sku) === found.id && rated.has(sku) ? '5' : null;
      const values = { rating, ...model, ...(isAny && valuesOf(found)), ...touched?.values };
      return valueDifferences(found, values);
    }),
  ];
}

function valueDifferences(
  product: StoredProduct,
  { sku, ...should }: StoredValues & { sku: string },
): string[] {
  const is = { ...valuesOf(product), others: foreignParts(product) };
  if (isDeepStrictEqual(is, { ...should, others: [] })) return [];
  return [`${sku} is ${JSON.stringify(is)}, should be ${JSON.stringify(should)}`];
}

/** What is wrong in the records of a push that has ended: its outcomes, its ledger, and what is left over. */
async function recordDifferences(
  { database: { db }, store, merchant }: Run,
  importId: string,
  hasOutcomes = true,
): Promise<string[]> {
  const wrong: string[] = [];
  const record = await findImport(db, importId);
  const outcomes = await db.selectFrom('outcomes').selectAll().where('import_id', '=', importId).execute();
  if (hasOutcomes) {
    // A push that finds everything in the store, and something that it may not touch, has nothing to show.
    const isOver = record?.status === 'completed' || outcomes.every(({ outcome }) => outcome === 'skipped');
    if (!isOver) wrong.push(`an import is ${record?.status}: ${record?.error_message}`);
    if (outcomes.length !== record?.total_products) wrong.push(`${outcomes.length} products have outcomes`);
    const named = new Set(outcomes.map((one) => Number(one.store_product_id?.split('/').at(-1))));
    for (const { id, variants } of await store.products()) {
      const sku = variants[0]?.sku ?? '';
      if (!named.has(id) && !merchant.touched.has(sku))
        wrong.push(`no outcome of ${record?.filename} names ${sku}`);
    }
  }
  for (const one of outcomes)
    if (one.outcome === 'failed') wrong.push(`product ${one.product}: ${one.message}`);
  const sending = await db.selectFrom('listings').select('our_id').where('sending', 'is not', null).execute();
  if (sending.length > 0) wrong.push(`${sending.length} products are still being sent`);
  return [...wrong, ...(await auditImport(db, importId)).differences.map(differenceSentence)];
}

/** Compares the outcomes of each product that the merchant has left alone, over all imports, with the model. */
async function outcomeDifferences(
  { database: { db }, merchant }: Run,
  imports: readonly string[],
  expected: (sku: string) => string,
): Promise<string[]> {
  const outcomes = await db.selectFrom('outcomes').selectAll().where('import_id', 'in', imports).execute();
  return listed.list.flatMap(({ sku }) => {
    const own = outcomes.filter(({ product }) => `V-${product}` === sku);
    const is = own.map(({ outcome }) => outcome).sort();
    if (merchant.touched.has(sku) || is.join(', ') === expected(sku)) return [];
    const said = own.flatMap(({ message }) => message ?? []).join(' ');
    return [`the outcome of ${sku} is ${is.join(', ')}, should be ${expected(sku)}. ${said}`];
  });
}

/** The SKUs of products that a push has skipped. */
async function skippedSkus({ database: { db } }: Run, importId: string): Promise<Set<string>> {
  const skipped = await db
    .selectFrom('outcomes')
    .select('product')
    .where('import_id', '=', importId)
    .where('outcome', '=', 'skipped')
    .execute();
  return new Set(skipped.map(({ product }) => `V-${product}`));
}

/** What an undo, or a change of gone products, has done with them, by SKU. */
async function lineResults(
  { database: { db } }: Run,
  importId: string,
  kind: 'undo' | 'gone',
): Promise<Map<string, string | null>> {
  const found = await findPreview(db, importId, kind);
  const lines = await db
    .selectFrom('preview_lines')
    .select(['title', 'result'])
    .where('preview', '=', found?.id ?? 0)
    .execute();
  // Also titles of the merchant begin with the number.
  return new Map(lines.map(({ title, result }) => [`V-${/\d+/.exec(title ?? '')}`, result]));
}
