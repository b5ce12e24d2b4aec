import { type SignedList, supplierNameOf } from '@draftshelf/domain/suppliers/list-signs';
import { layoutOf } from '../reading/recall-mapping.ts';
import { keepPushedProducts, listPushedBefore } from './earlier-pushes.ts';
import { findSigns, type SampledRow } from './evidence.ts';
import type { PreparedBatch } from './prepared-batch.ts';
import { addSigns } from './signs.ts';
import { insertSupplier, lockNewSuppliers } from './suppliers.ts';

type KeyedList = Omit<SignedList, 'rows'> & { rows: readonly SampledRow[] };

/** Imports whose products become items of their supplier. */
const importsMax = 5;

/**
 * Puts the products of imports that were pushed before there were suppliers among the items of one: those of the newest
 * imports with the layout of this list, oldest first, if no supplier has it. Returns whether there is nothing left.
 */
export async function keepEarlierPushes(
  { db, record, progress }: PreparedBatch,
  list: KeyedList,
): Promise<boolean> {
  progress.earlier ??= await findEarlierPushes({ db, record }, list);
  const { earlier } = progress;
  if (earlier === null || earlier.imports.length === 0) return true;
  const product = await keepPushedProducts(db, earlier);
  const imports = product === null ? earlier.imports.slice(1) : earlier.imports;
  progress.earlier = { ...earlier, imports, product: product ?? 0 };
  return imports.length === 0;
}

async function findEarlierPushes({ db, record }: Pick<PreparedBatch, 'db' | 'record'>, list: KeyedList) {
  const hasKeys = list.rows.some(({ key }) => key !== null);
  if (list.layout === null || !hasKeys || record.supplier !== null) return null;
  const layout = { kind: 'layout' as const, value: list.layout };
  const isKnown = async () => (await findSigns(db, [layout])).length > 0;
  if (await isKnown()) return null;
  const pushed = await listPushedBefore(db, record.id);
  const alike = pushed.filter(({ headers }) => layoutOf(headers) === layout.value).slice(0, importsMax);
  if (alike.length === 0) return null;
  // Another file with the layout may have begun the supplier meanwhile.
  await lockNewSuppliers(db);
  if (await isKnown()) return null;
  const supplier = await insertSupplier(db, supplierNameOf(list) ?? '', false);
  await addSigns(db, supplier, [layout]);
  return { supplier, imports: alike.map(({ id }) => id).reverse(), product: 0 };
}
