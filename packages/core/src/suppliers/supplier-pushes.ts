import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, findValue, queryValue } from '../connection/query-rows.ts';
import type { ImportRecord, SupplierRecord } from '../connection/schema.ts';
import type { RunOfRows } from '../work/runs.ts';

/** Confirmations from operators' pushes that also apply to the supplier's next lists. */
export type PushConfirmations = Pick<SupplierRecord, 'currencies' | 'products_max' | 'updates_agreed_at'>;

export const findPushConfirmations = (db: Db, supplier: number): Promise<PushConfirmations | undefined> =>
  findRow<PushConfirmations>(db)`
    select currencies, products_max, updates_agreed_at from suppliers where id = ${supplier}`;

/** A choice: send or skip a quantity that both the list and the store have changed. */
export type StockChoice = NonNullable<SupplierRecord['stock_choice']>;

/** Finds the operator's choice about quantities, or null if there is none. */
export const findStockChoice = (db: Db, { supplier }: Pick<ImportRecord, 'supplier'>) =>
  findValue<StockChoice>(db)`select stock_choice from suppliers where id = ${supplier}`;

/** Stores a choice about quantities for a supplier's next lists. Null removes the choice. */
export async function rememberStockChoice(db: Db, supplier: number, choice: StockChoice | null) {
  await db.updateTable('suppliers').set({ stock_choice: choice }).where('id', '=', supplier).execute();
}

const currenciesMax = 20;

/** Stores currencies that the operator agreed to send unchanged, for example 'EUR as USD'. */
export async function addAgreedCurrencies(db: Db, supplier: number, currencies: readonly string[]) {
  if (currencies.length === 0) return;
  await sql`
    update suppliers set currencies = (array(select distinct unnest(${currencies}::text[] || currencies)))
      [1:${sql.lit(currenciesMax)}]
    where id = ${supplier}`.execute(db);
}

/** Removes an agreed currency, so that the operator is asked again about the next list in this currency. */
export async function removeAgreedCurrency(db: Db, supplier: number, currency: string): Promise<void> {
  await sql`update suppliers set currencies = array_remove(currencies, ${currency})
    where id = ${supplier}`.execute(db);
}

/** SQL query: a run's products that earlier lists have put into a store. `first` is an SQL limit clause. */
const ownInStore = ({ import_id, run }: RunOfRows, first = sql``) => sql`
  select 1 from (
    select our_id from row_items where import_id = ${import_id} and run = ${run} and our_id is not null ${first}
  ) ids where exists (
    select 1 from shops join listings on listings.shop = shops.shop and listings.our_id = ids.our_id
    where store_product_id is not null)`;

/** Stores the number of products in an operator's push, and whether the push updated products of earlier lists. */
export async function rememberSupplierPush(
  db: Db,
  supplier: number,
  { products, of }: { products: number; of: RunOfRows },
): Promise<void> {
  await sql`
    update suppliers set products_max = greatest(products_max, ${products}),
      updates_agreed_at = coalesce(updates_agreed_at,
        case when exists (${ownInStore(of)}) then clock_timestamp() end)
    where id = ${supplier}`.execute(db);
}

/** Counting stops at this number, because larger numbers do not matter to the operator. */
const ownCountedMax = 10_000;

/** Counts an import's products that earlier lists pushed and that are in the store, among the first 10,000. */
export async function countOwnProductsInStore(db: Db, of: RunOfRows): Promise<number> {
  return queryValue<number>(db)`
    select count(*)::int from (${ownInStore(of, sql`limit ${ownCountedMax}`)}) own`;
}
