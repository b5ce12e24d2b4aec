import { outcomes } from '@draftshelf/domain/imports/outcome';
import type { AuditDifference } from '@draftshelf/domain/operate/audit';
import type { Db } from '../../connection/database.ts';
import { findRow, queryRows, queryValues } from '../../connection/query-rows.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { countOutcomes } from '../../reading/carry-over.ts';

/** Products per statement. A statement takes about 0.2 s. */
const productsPerPart = 20_000;
/** Maximum number of differences that a statement reports. */
export const differencesPerPartMax = 100;

/** Returns differences between the counters, outcomes and ledger lines of a pushed import. */
export async function auditImport(
  db: Db,
  importId: string,
): Promise<{ differences: AuditDifference[]; products: number }> {
  const shops = await listLedgerShops(db);
  const found = { differences: await compareCounters(db, importId), products: 0 };
  for (let after: number | null = 0; after !== null; ) {
    const part: ComparedPart = await compareLedger(db, { importId, after, shops });
    found.differences.push(...part.differences);
    found.products += part.products;
    after = part.last;
  }
  return found;
}

/** Lists pushed imports that are not being deleted. */
export const listPushedImports = (db: Db) =>
  queryValues<string>(db)`select id from imports where push_run > 0 and deletion_began_at is null`;

/** Compares counters with outcomes. Imports that are being deleted are skipped, because they lose rows in parts. */
async function compareCounters(db: Db, importId: string): Promise<AuditDifference[]> {
  const record = await findRow<ImportRecord>(db)`
    select * from import_records where id = ${importId} and deletion_began_at is null`;
  if (!record) return [];
  const of = { importId, filename: record.filename };
  const counted = await countOutcomes(db, { import_id: importId, run: record.rows_run });
  const found: AuditDifference[] = outcomes
    .filter((outcome) => record[outcome] !== counted[outcome])
    .map((counter) => ({
      ...{ kind: 'counter', ...of, counter, stored: record[counter], counted: counted[counter] },
    }));
  const decided = outcomes.reduce((sum, outcome) => sum + counted[outcome], 0);
  const products = record.total_products;
  if (record.status === 'completed' && decided !== products)
    found.push({ kind: 'undecided', ...of, products, outcomes: decided });
  const isAtRest = ['queued', 'processed', 'completed'].includes(record.status);
  if (isAtRest && record.open_chunks !== 0)
    found.push({ kind: 'open-chunks', ...of, chunks: record.open_chunks });
  return found;
}

/** Lists the shops in the ledger. Steps along the index from shop to shop, instead of reading all lines. */
const listLedgerShops = (db: Db) =>
  queryValues<string>(db)`
    with recursive shops (shop) as (
      (select shop from ledger order by shop limit 1)
      union all
      select (select next.shop from ledger next where next.shop > shops.shop order by next.shop limit 1)
      from shops where shops.shop is not null
    )
    select shop from shops where shop is not null`;

/**
 * Compares the next products of an import with the ledger, in which each product has one line. A re-read renumbers
 * products, so a missing line is also searched by our id. `last` is null for the last part. Grouping both sides needs
 * no statistics: a join of 20,000 with 20,000 rows took more than 10 s, grouping 0.1 s. `rows_run` is a subquery,
 * because a join would sort all further outcomes for each part.
 */
async function compareLedger(
  db: Db,
  { importId, after, shops }: { importId: string; after: number; shops: readonly string[] },
): Promise<ComparedPart> {
  const rows = await queryRows<Compared>(db)`
    with part as materialized (
      select product, run, our_id, outcome from outcomes
      where import_id = ${importId} and rows_run = (select rows_run from imports where id = ${importId})
        and product > ${after} order by product limit ${productsPerPart}
    ), bounds as materialized (
      select count(*)::int as products, max(product) as last from part
    ), compared as materialized (
      select product, run, our_id, outcome, sum(decided) as decided, max(lines) as lines from (
        select product, run, our_id, outcome, 1 as decided, 0 as lines from part
        union all
        select product, run, our_id, effect, 0, count(*) from ledger
        where import_id = ${importId} and origin = 'push'
          and product > ${after} and product <= (select coalesce(last, 0) from bounds)
        group by product, run, our_id, effect, payload_hash
      ) both_sides group by product, run, our_id, outcome
    ), missing as (
      select 'ledger-missing' as kind, product, outcome from compared
      where decided > 0 and lines = 0 and (
        select 1 from ledger
        where ledger.shop = any(${shops}::text[]) and ledger.our_id = compared.our_id and import_id = ${importId}
          and ledger.run = compared.run and effect = compared.outcome limit 1
      ) is null order by product limit ${differencesPerPartMax}
    ), twice as (
      select 'ledger-twice' as kind, product, outcome from compared where lines > 1
      order by product limit ${differencesPerPartMax}
    )
    select bounds.products, bounds.last, imports.filename, kind, product, outcome
    from bounds join imports on imports.id = ${importId}
      left join (select * from missing union all select * from twice) found on true
    order by product`;
  const [first] = rows;
  const differences = rows.flatMap(({ kind, filename, product, outcome }): AuditDifference[] =>
    kind === null || product === null || outcome === null
      ? []
      : [{ kind, importId, filename, product, outcome }],
  );
  const products = first?.products ?? 0;
  return { differences, products, last: products < productsPerPart ? null : (first?.last ?? null) };
}

type ComparedPart = { differences: AuditDifference[]; products: number; last: number | null };

type Compared = {
  products: number;
  last: number | null;
  filename: string;
  kind: 'ledger-missing' | 'ledger-twice' | null;
  product: number | null;
  outcome: string | null;
};
