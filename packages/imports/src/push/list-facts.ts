import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { findListOf } from '@draftshelf/database/suppliers/lists';
import { countUndecidedPrices, listCommandsNotDone } from '@draftshelf/database/suppliers/supplier-proposals';
import { countOwnInStore, findSupplierPushes } from '@draftshelf/database/suppliers/supplier-pushes';
import { readShownName } from '@draftshelf/database/suppliers/suppliers';
import { currentRows } from '@draftshelf/database/work/runs';
import { type ListFacts, noListFacts } from '@draftshelf/domain/push/list-facts';
import { openFindings } from '@draftshelf/domain/suppliers/list';

/** Reads what to know of an import as its supplier's list before it is pushed. */
export async function readListFacts(db: Db, record: ImportRecord): Promise<ListFacts> {
  const { supplier } = record;
  if (supplier === null) return { ...noListFacts, isAsked: record.asked_supplier !== null };
  const of = currentRows(record);
  const list = await findListOf(db, record.id);
  const pushes = await findSupplierPushes(db, supplier);
  const isFirst = record.push_run === 0 && pushes?.updates_agreed_at === null;
  return {
    isAsked: false,
    supplier: await readShownName(db, record),
    findings: openFindings(list?.findings ?? {}, list?.answers ?? {}),
    undecided: await countUndecidedPrices(db, of),
    commandsNotDone: await listCommandsNotDone(db, record.id),
    firstUpdates: isFirst ? await countOwnInStore(db, of) : 0,
  };
}
