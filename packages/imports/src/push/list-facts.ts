import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord, SupplierListRecord } from '@draftshelf/database/connection/schema';
import { findListOf } from '@draftshelf/database/suppliers/lists';
import { countUndecidedPrices, listCommandsNotDone } from '@draftshelf/database/suppliers/supplier-proposals';
import { countOwnInStore, findSupplierPushes } from '@draftshelf/database/suppliers/supplier-pushes';
import { findSupplier, isNamed } from '@draftshelf/database/suppliers/suppliers';
import { currentRows } from '@draftshelf/database/work/runs';
import { type ListFacts, noListFacts } from '@draftshelf/domain/push/list-facts';
import { type ListCommand, openFindings } from '@draftshelf/domain/suppliers/list';

/** An import as a list of its supplier. `isNamed`: screens name the supplier. */
export type OwnList = {
  list: SupplierListRecord;
  supplier: { id: number; name: string };
  isNamed: boolean;
  commandsNotDone: ListCommand[];
};

/** Reads an import as a list of its supplier; null: it is nobody's. */
export async function readOwnList(db: Db, { id, supplier: of }: ImportRecord): Promise<OwnList | null> {
  const list = of === null ? undefined : await findListOf(db, id);
  const supplier = list && (await findSupplier(db, { id: list.supplier }));
  if (!list || !supplier) return null;
  return {
    ...{ list, supplier },
    isNamed: await isNamed(db, supplier.id),
    commandsNotDone: await listCommandsNotDone(db, id),
  };
}

/** Reads what to know of an import as its supplier's list before it is pushed. */
export async function readListFacts(db: Db, record: ImportRecord, own: OwnList | null): Promise<ListFacts> {
  if (!own) return { ...noListFacts, isAsked: record.asked_supplier !== null };
  const { list, supplier } = own;
  const of = currentRows(record);
  const pushes = await findSupplierPushes(db, supplier.id);
  const isFirst = record.push_run === 0 && pushes?.updates_agreed_at === null;
  return {
    isAsked: false,
    supplier: own.isNamed ? supplier.name : null,
    findings: openFindings(list.findings ?? {}, list.answers),
    undecided: await countUndecidedPrices(db, of),
    commandsNotDone: own.commandsNotDone,
    firstUpdates: isFirst ? await countOwnInStore(db, of) : 0,
  };
}
