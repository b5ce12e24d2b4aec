import type { Outcome, OutcomeCode } from '@draftshelf/domain/imports/outcome';
import { choiceAbouts } from '@draftshelf/domain/push/push-choices';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { isReadable } from '../review/stored-cells.ts';
import type { RunOfRows } from '../work/runs.ts';

/** Products that the last push skipped or could not send. The partial index outcomes_missed has this condition. */
const missed = sql`outcome in ('skipped','failed')`;

/** Products that are read. To group 50,000 of a million failed ones, with 7,000 causes, takes 0.3 s. */
const readProductsMax = 50_000;
const causesMax = 20;
const examplesMax = 3;
/** Longer messages are cut, because they are compared and sent with every report. */
const causeCharsMax = 500;

export type Cause = {
  outcome: Extract<Outcome, 'skipped' | 'failed'>;
  code: OutcomeCode | null;
  message: string | null;
  /** Number of affected products. */
  products: number;
  /** The first of these products, by number. */
  examples: number[];
};

/**
 * Why products were skipped or have failed: at most 20 causes, the most frequent first, each with its first three
 * products. Only the first 50,000 of these products are grouped.
 */
export async function groupMissed(db: Db, of: RunOfRows): Promise<Cause[]> {
  const { rows } = await sql<Cause>`
    with sought as (
      select product, outcome, code, left(message, ${causeCharsMax}) as message from outcomes
      where import_id = ${of.import_id} and rows_run = ${of.run} and ${missed}
      order by product limit ${readProductsMax}
    )
    select outcome, code, message, count(*)::int as products,
      (array_agg(product order by product))[1:${sql.lit(examplesMax)}] as examples
    from sought group by outcome, code, message
    order by count(*) desc, min(product) limit ${causesMax}`.execute(db);
  return rows;
}

/** Counting ends here: the operator does not read more numbers. */
const undecidedMax = 10_000;

/**
 * How many products the last push skipped because of something that the operator decides, and has not decided since; at
 * most 10,000, of the first 50,000 that were missed. Any choice that is newer than the outcome decides: the outcome
 * does not say what an outdated choice was about. Not those that the store already had: a setting decides about them.
 */
export async function countUndecided(db: Db, of: RunOfRows, shop: string): Promise<number> {
  const abouts = [...choiceAbouts.filter((about) => about !== 'in-store'), 'choice-outdated'];
  const { rows } = await sql<{ products: number }>`
    select count(*)::int as products from (
      select 1 from (
        select our_id, outcome, code, decided_at from outcomes
        where import_id = ${of.import_id} and rows_run = ${of.run} and ${missed}
        order by product limit ${readProductsMax}
      ) sought
      where outcome = 'skipped' and code = any(${abouts}::text[])
        and not exists (select 1 from push_choices
          where shop = ${shop} and push_choices.our_id = sought.our_id
            and (about = code or created_at > decided_at))
      limit ${undecidedMax}
    ) undecided`.execute(db);
  return rows[0]?.products ?? 0;
}

export type MissedProduct = { product: number; outcome: Cause['outcome']; message: string | null };

/** The next skipped or failed products after product number `after`, at most `limit`. */
export async function pageMissed(
  db: Db,
  of: RunOfRows,
  page: { after: number; limit: number },
): Promise<MissedProduct[]> {
  const { rows } = await sql<MissedProduct>`
    select product, outcome, message from outcomes
    where import_id = ${of.import_id} and rows_run = ${of.run} and ${missed} and product > ${page.after}
    order by product limit ${page.limit}`.execute(db);
  return rows;
}

/** The cells of some rows as in the file, repaired if a separator was missing or extra; none for a damaged row. */
export async function readCells(
  db: Db,
  of: RunOfRows,
  numbers: readonly number[],
): Promise<{ row: number; product: number; cells: string[] }[]> {
  const rows = await db
    .selectFrom('rows')
    .select(['row', 'product', 'cells'])
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('row', '=', sql<number>`any(${numbers}::int[])`)
    .orderBy('row')
    .execute();
  return rows.map((row) => (isReadable(row.cells) ? row : { ...row, cells: [] }));
}
