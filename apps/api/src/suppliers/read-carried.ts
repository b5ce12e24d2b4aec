import { CarriedValue, type Row } from '@draftshelf/contract/review/rows';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, SupplierListRecord } from '@draftshelf/core/connection/schema';
import type { EffectiveRow } from '@draftshelf/core/review/effective-rows';
import { countProposals } from '@draftshelf/core/review/proposals/listed-proposals';
import { countRowsWithChange } from '@draftshelf/core/review/search/row-page';
import { listCarriedCommands, readCarriedCells } from '@draftshelf/core/suppliers/carried-values';
import { currentRows, readParseRun } from '@draftshelf/core/work/runs';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { createWireMapper } from '../http/wire-fields.ts';

export const countCarriedProposals = (db: Db, record: ImportRecord): Promise<number> =>
  countProposals(db, currentRows(record), { source: supplierSource });

/** Returns the changes carried into this list: those in effect or, if all were undone, all. Null if there are none. */
export async function readCarriedChanges(db: Db, record: ImportRecord, { supplier }: SupplierListRecord) {
  const carried = await listCarriedCommands(db, record.id, supplier);
  if (carried.length === 0) return null;
  const inEffect = carried.filter(({ state }) => state !== 'undone' && state !== 'undoing');
  const isUndone = inEffect.length === 0;
  const shown = isUndone ? carried : inEffect;
  return {
    commands: shown.map(({ id }) => id),
    edits: shown.reduce((sum, { edits }) => sum + (edits ?? 0), 0),
    rows: await countRowsWithChange(db, currentRows(record), 'carried'),
    isUndone,
    toDecide: isUndone ? 0 : await countCarriedProposals(db, record),
  };
}

const carriedFields = createWireMapper(CarriedValue);

export async function readCarriedRows(
  db: Db,
  record: ImportRecord,
  rows: readonly EffectiveRow[],
): Promise<Map<number, Row['carried']>> {
  const numbers = rows.map(({ row }) => row);
  const cells = Map.groupBy(await readCarriedCells(db, record, numbers), ({ row }) => row);
  if (cells.size === 0) return new Map();
  const { mapping } = await readParseRun(db, currentRows(record));
  return new Map(
    rows.map((row) => {
      const theirs = readRowValues(row.cells, mapping);
      const fields = (cells.get(row.row) ?? []).map(({ field, filename, ...cell }) => [
        field,
        { ...carriedFields(cell), filename: filename ?? '', theirs: theirs[field as CanonicalField] ?? null },
      ]);
      return [row.row, fields.length > 0 ? Object.fromEntries(fields) : undefined];
    }),
  );
}
