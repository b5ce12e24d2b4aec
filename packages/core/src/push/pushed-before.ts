import { createHash } from 'node:crypto';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { fingerprintHeaders } from '../reading/mappings.ts';
import {
  answerPriceQuestion,
  type PriceQuestion,
  readOtherCurrencies,
  readPriceQuestions,
} from '../review/price-question.ts';
import {
  addAgreedCurrencies,
  findPushConfirmations,
  rememberSupplierPush,
} from '../suppliers/supplier-pushes.ts';
import { currentRows, readParseRun } from '../work/runs.ts';

/** Earlier pushes by operators: of the same supplier's lists, or of files with the same layout. */
export type EarlierPushFacts = {
  isKnown: boolean;
  products: number | null;
  /** Currencies that were sent unchanged, as 'EUR as USD'. */
  currencies: readonly string[];
};

/** Finds earlier pushes whose answers also apply to an import. */
export async function findEarlierPushFacts(
  db: Db,
  { supplier }: Pick<ImportRecord, 'supplier'>,
  { headers, mapping }: { headers: readonly string[]; mapping: HeaderMapping },
): Promise<EarlierPushFacts> {
  const layout = await findRow<{ products_max: number; currencies: string[] }>(db)`
    select products_max, currencies from pushed_layouts where fingerprint = ${pushedLayoutOf(headers, mapping)}`;
  const lists = supplier === null ? undefined : await findPushConfirmations(db, supplier);
  const products = lists?.products_max ?? layout?.products_max ?? null;
  const currencies = [...(layout?.currencies ?? []), ...(lists?.currencies ?? [])];
  return { isKnown: products !== null, products, currencies };
}

/** Returns a hash of the headers and of the columns of title and price. Null for files without headers. */
function pushedLayoutOf(headers: readonly string[], mapping: HeaderMapping): string | null {
  const layout = fingerprintHeaders(headers);
  if (layout === null) return null;
  const columnOf = (field: CanonicalField) =>
    mapping.columns[mapping.sources[field]?.[0] ?? -1]?.header ?? '';
  const layoutAndColumns = JSON.stringify([layout, columnOf('title'), columnOf('price')]);
  return createHash('sha256').update(layoutAndColumns).digest('hex');
}

const sentAs = (named: string, store: string) => `${named} as ${store}`;

/** Returns an import's currencies that the operator has not yet agreed to send unchanged. */
export async function findUnagreedCurrencies(
  db: Db,
  record: ImportRecord,
  agreed: readonly string[],
): Promise<string[]> {
  const question = (await readPriceQuestions(db, [record])).get(record.id);
  return question ? openOf(db, record, question, agreed) : [];
}

async function openOf(
  db: Db,
  record: ImportRecord,
  { named, store, answer }: PriceQuestion,
  agreed: readonly string[],
): Promise<string[]> {
  if (answer === 'send') return [];
  if (answer === 'hold' || agreed.length === 0) return named;
  // The question names only the currencies of the first rows, so all rows are read here.
  const all = await readOtherCurrencies(db, currentRows(record), store);
  return all === null ? named : all.filter((one) => !agreed.includes(sentAs(one, store)));
}

/** Answers a new import's question about currencies, if the operator agreed to all of them for earlier files. */
export async function repeatCurrencyAnswer(db: Db, record: ImportRecord): Promise<void> {
  if (record.supplier === null) return;
  const question = (await readPriceQuestions(db, [record])).get(record.id);
  if (question?.answer !== null) return;
  const { headers, mapping } = await readParseRun(db, currentRows(record));
  const { currencies: agreed } = await findEarlierPushFacts(db, record, { headers, mapping });
  const open = await openOf(db, record, question, agreed);
  if (open.length === 0) await answerPriceQuestion(db, record, 'send');
}

/** Stores for the import's supplier the currencies to which the operator just agreed, unless few rows have them. */
export async function saveAgreedCurrencies(db: Db, record: ImportRecord): Promise<void> {
  const question = (await readPriceQuestions(db, [record])).get(record.id);
  if (record.supplier === null || !question || question.rows !== null) return;
  const all = await readOtherCurrencies(db, currentRows(record), question.store);
  const agreed = (all ?? question.named).map((one) => sentAs(one, question.store));
  await addAgreedCurrencies(db, record.supplier, agreed);
}

/** Maximum number of layouts. Beyond it, the layouts that were pushed longest ago are removed. */
const layoutsMax = 2_000;
const currenciesMax = 20;

/** Records an operator's push under the import's supplier or, without a supplier, under the file's layout. */
export async function rememberPush(db: Db, record: ImportRecord): Promise<void> {
  if (record.test_mode) return;
  const of = currentRows(record);
  const { total_products: products, supplier } = record;
  if (supplier !== null) return rememberSupplierPush(db, supplier, { products, of });
  const { headers, mapping } = await readParseRun(db, of);
  const fingerprint = pushedLayoutOf(headers, mapping);
  if (fingerprint === null) return;
  const question = (await readPriceQuestions(db, [record])).get(record.id);
  const currencies =
    question?.answer === 'send' && question.rows === null
      ? question.named.map((named) => sentAs(named, question.store))
      : [];
  await sql`
    insert into pushed_layouts (fingerprint, products_max, currencies)
    values (${fingerprint}, ${products}, (${currencies}::text[])[1:${sql.lit(currenciesMax)}])
    on conflict (fingerprint) do update set pushed_at = excluded.pushed_at,
      products_max = greatest(pushed_layouts.products_max, excluded.products_max),
      currencies = (array(select distinct unnest(excluded.currencies || pushed_layouts.currencies)))
        [1:${sql.lit(currenciesMax)}]`.execute(db);
  await sql`
    delete from pushed_layouts where fingerprint in (
      select fingerprint from pushed_layouts order by pushed_at desc, fingerprint offset ${layoutsMax}
    )`.execute(db);
}
