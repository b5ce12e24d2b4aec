import { optionFields } from '@draftshelf/domain/base/canonical-fields';
import { toSearchText } from '@draftshelf/domain/base/search-text';
import { createOptionFormatter } from '@draftshelf/domain/products/variant-options';
import { toStoredValues } from '@draftshelf/domain/review/stored-values';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValue } from '../connection/query-rows.ts';
import type { EditCommandRecord, Schema } from '../connection/schema.ts';
import { findImport } from '../imports/imports.ts';
import { markFirstRows } from '../reading/join-groups.ts';
import { type RunOfRows, readRowRules, setMayLackValues } from '../work/runs.ts';
import { countTargetRows, insertTarget, removeCommandTargets } from './commands/command-targets.ts';
import { markDuplicates } from './duplicates.ts';
import {
  computeValues,
  type EffectiveRow,
  readProductRows,
  readRowPage,
  toStoredSources,
} from './effective-rows.ts';
import { storeFacetCounts } from './row-facets.ts';
import { lockRows } from './rows-lock.ts';
import { toShownRun } from './search/row-sql.ts';
import { vacuumGrownTables } from './vacuum.ts';
import { storedColumns, updateColumns, updateDifferingRows } from './validated-rows.ts';

const rowsPerPart = 5_000;
const filledColumns = [...storedColumns, 'sources', 'search', 'is_first'] as const;

/** Adds effective values to rows of earlier releases, after a migration. Resumable. Returns the number of runs. */
export async function fillEffectiveValues({ db }: { db: Kysely<Schema> }): Promise<number> {
  const runs = await queryRows<RunOfRows & { isWhole: boolean }>(db)`
    select import_id, run, rows_removed_at is null and deletion_began_at is null
      and not exists (
        select from chunks where chunks.import_id = imports.id and task = 'retire-rows' and chunks.done > 0
      ) as "isWhole"
    from runs join imports on imports.id = import_id where runs.stage = 'parse' and lacks_values`;
  for (const { isWhole, ...of } of runs) {
    for (let last: LastRow | undefined = { row: 0, product: 0 }; last !== undefined; ) {
      const before: LastRow = last;
      last = await db.transaction().execute((trx) => fillPart(trx, of, before));
      await db.connection().execute(vacuumGrownTables);
    }
    await fillOptions(db, of);
    await db.transaction().execute(async (trx) => {
      await lockRows(trx, of.import_id);
      await markFirstRows(trx, of);
      await markDuplicates(trx, of);
      // If rows of the run were removed, its counts stay as they are.
      if (isWhole) await storeFacetCounts(trx, of);
      await setMayLackValues(trx, of, false);
    });
  }
  await db.transaction().execute(findTargets);
  return runs.length;
}

/** The end of a part. `product`: the last product that begins in this part or in an earlier part. */
type LastRow = { row: number; product: number };

async function fillPart(db: Db, of: RunOfRows, last: LastRow): Promise<LastRow | undefined> {
  await lockRows(db, of.import_id);
  const stored = await readRowPage(db, of, { after: last.row, limit: rowsPerPart });
  let { product } = last;
  const rows = await computeValues(db, of, stored);
  const pairs = rows.map(({ row, ignored, values, sources, gtin }, at) => {
    const before = stored[at] as EffectiveRow;
    // A joined row continues a product. First rows that are missed here are marked by `markFirstRows`.
    const isFirst = ignored === null && !before.joined && before.product !== product;
    if (isFirst) product = before.product;
    return {
      before: { ...before, sources: toStoredSources(before.sources) },
      after: {
        row,
        ...toStoredValues(values),
        sources: toStoredSources(sources),
        search: ignored === null ? toSearchText(values, gtin) : null,
        is_first: isFirst,
      },
    };
  });
  await updateDifferingRows(db, of, pairs, filledColumns);
  const end = rows.at(-1);
  return end && { row: end.row, product };
}

const productsPerPart = 100;

/** Stores the options of rows. Reads whole products, because any row of a product may name the options. */
async function fillOptions(db: Kysely<Schema>, of: RunOfRows): Promise<void> {
  const { mapping } = await readRowRules(db, of);
  // A run without a mapping was never split, so it has no rows.
  if (mapping === null) return;
  const { sources, optionNames, optionCell } = mapping;
  const hasOptions = optionFields.some(({ value }) => sources[value] !== undefined);
  if (!hasOptions && optionNames === undefined && optionCell === undefined) return;
  const last = await queryValue<number | null>(db)`
    select max(product) as last from rows where import_id = ${of.import_id} and run = ${of.run}`;
  for (let firstProduct = 1; firstProduct <= (last ?? 0); firstProduct += productsPerPart) {
    await db.transaction().execute(async (trx) => {
      await lockRows(trx, of.import_id);
      const rows = await readProductRows(trx, of, { firstProduct, products: productsPerPart });
      const filled = [...Map.groupBy(rows, ({ product }) => product).values()].flatMap((ofProduct) => {
        const textsOf = createOptionFormatter(ofProduct.map(({ values }) => values));
        return ofProduct.map(({ row, values }) => ({ row, options: textsOf(values) }));
      });
      const withOptions = filled.filter(({ options }) => options !== null);
      await updateColumns(trx, of, withOptions, ['options']);
    });
  }
}

/** Finds the rows of commands whose row search an earlier release began. These commands have changed no rows yet. */
async function findTargets(db: Db): Promise<void> {
  const commands = await queryRows<Pick<EditCommandRecord, 'import_id' | 'id' | 'target'>>(db)`
    select import_id, id, target from edit_commands
    where kind = 'bulk' and progress ->> 'step' = 'search' and target is not null`;
  for (const { import_id, id, target } of commands) {
    const record = await findImport(db, import_id);
    if (!record || !target || 'rows' in target) continue;
    const ofRun = { ...toShownRun(record), command: id };
    await removeCommandTargets(db, { import_id, id });
    await insertTarget(db, ofRun, target);
    await sql`
      update edit_commands set progress = (progress::jsonb || '{"step": "rows", "at": 0}')::json
      where import_id = ${import_id} and id = ${id}`.execute(db);
    await sql`
      update chunks set total = ${await countTargetRows(db, ofRun)}
      where import_id = ${import_id} and task = 'apply-command' and command = ${id}`.execute(db);
  }
}
