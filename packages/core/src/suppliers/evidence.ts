import type { ListTraits } from '@draftshelf/domain/suppliers/list-signs';
import {
  type CandidateSupplier,
  hasOwnSign,
  proposeSupplier,
  type SupplierProposal,
  type SupplierSign,
} from '@draftshelf/domain/suppliers/propose-supplier';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findValue, hasRows, queryRow, queryRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { RunOfRows } from '../work/runs.ts';
import { groupHashOrNull, readKeyAliases, selectItems } from './items-at.ts';
import { listsWithTask } from './lists.ts';
import { mayHaveItem } from './row-items.ts';
import { findEmptySuppliers } from './suppliers.ts';

/** An item of a sample. `letters` and `text` are hexadecimal hashes of the title's letters and of the text fields. */
export type SampledItem = {
  key: string;
  gtin: number | null;
  letters: string | null;
  text: string | null;
  title: string | null;
};
export type SampledRow = Omit<SampledItem, 'key'> & { key: string | null; vendor: string | null };
export type SampledList = Omit<ListTraits, 'rows'> & { rows: SampledRow[] };

/** Counts of a supplier's items that occur in a sample. CandidateSupplier in the domain describes each count. */
export type KnownItemCounts = { supplier: number; known: number; comparable: number; agreeing: number };

const letters = (hashes: RawBuilder<unknown>) => sql`encode(${groupHashOrNull(hashes, 'letters')}, 'hex')`;
const texts = (hashes: RawBuilder<unknown>) => sql`encode(${groupHashOrNull(hashes, 'text')}, 'hex')`;

/** SQL columns: the compared values of an item. */
const comparedColumns = sql`
  gtin, ${letters(sql.ref('hashes'))} as letters, ${texts(sql.ref('hashes'))} as text, title`;

/** Reads up to `rowsMax` evenly spread rows of a run that may have items. */
export async function readSampledRows(db: Db, of: RunOfRows, rowsMax: number): Promise<SampledRow[]> {
  const hashes = sql.ref('item_hashes');
  return queryRows<SampledRow>(db)`
    with last as (
      select coalesce(max(row), 0) as row from rows where import_id = ${of.import_id} and run = ${of.run}
    )
    select item_key as key, item_gtin::float8 as gtin, ${letters(hashes)} as letters, ${texts(hashes)} as text,
      title, vendor
    from rows
    where import_id = ${of.import_id} and run = ${of.run} and ${mayHaveItem} and row = any(array(
      select distinct 1 + (at * last.row::bigint / ${sql.lit(rowsMax)})::int
      from last, generate_series(0, ${sql.lit(rowsMax - 1)}) as at))
    order by row`;
}

/** Maximum numbers of suppliers: the newest ones in the first search, the likely ones in the second search. */
const suppliersMax = 1_000;
const likelyMax = 10;
/** Keys in the first search, and matches required for a second one: with fewer, under 10 % of a list are known. */
const fewKeys = 50;
const fewKnownMin = 2;

const given = (items: readonly SampledItem[]) =>
  unnestRows('given', items, { key: 'text', gtin: 'bigint', letters: 'text', text: 'text', title: 'text' });

/** SQL conditions: a sampled row is comparable with the item of its key (`found`); the row agrees with that item. */
const canCompare = sql`(found.gtin is not null and given.gtin is not null)
  or (coalesce(found.letters, found.text) is not null and coalesce(given.letters, given.text) is not null)
  or (found.letters is null and found.text is null and found.title is not null and given.title is not null)`;
const agrees = sql`found.gtin = given.gtin or found.letters = given.letters or found.text = given.text
  or (found.letters is null and found.text is null and lower(found.title) = lower(left(given.title, 80)))`;

const counts = sql`count(*)::int as known, (count(*) filter (where ${canCompare}))::int as comparable,
  (count(*) filter (where ${agrees}))::int as agreeing`;

/** Counts a sample's known rows by supplier. Searching few keys first saves 85 % of the look-ups with 200 suppliers. */
export async function countKnownItems(db: Db, items: readonly SampledItem[]): Promise<KnownItemCounts[]> {
  if (items.length === 0) return [];
  const newest = sql`select id from suppliers order by id desc limit ${suppliersMax}`;
  const few = items.filter((_, at) => at % Math.ceil(items.length / fewKeys) === 0);
  const first = await countKnown(db, newest, few);
  const isWhole = few.length === items.length;
  const likely = first
    .filter(({ known }) => isWhole || known >= fewKnownMin)
    .sort((a, b) => b.agreeing - a.agreeing || b.known - a.known)
    .slice(0, likelyMax);
  const ids = likely.map(({ supplier }) => supplier);
  return isWhole ? likely : countKnown(db, sql`select unnest(${ids}::int[])`, items);
}

async function countKnown(db: Db, ids: RawBuilder<unknown>, items: readonly SampledItem[]) {
  return queryRows<KnownItemCounts>(db)`
    with compared (id) as materialized (${ids}), named as materialized (
      select item.id from compared cross join lateral (
        select id from supplier_items
        where supplier = compared.id and key = any(${items.map(({ key }) => key)}::text[]) offset 0
      ) item
    ), found as (
      select supplier, key, ${comparedColumns}
      from (${selectItems({ supplier: null, ids: sql`array(select id from named)` })}) items
    )
    select supplier, ${counts} from found join ${given(items)} on given.key = found.key
    group by supplier`;
}

const keptRowsMax = 20_000;

/** Returns whether sampled keys occur in another supplier's first list, whose items are not all stored yet. */
export async function hasKeysBeingKept(db: Db, items: readonly Pick<SampledRow, 'key'>[], importId: string) {
  return hasRows(db)`
    select from (${listsWithTask('keep-items')}) lists join imports on imports.id = lists.import_id
    join rows on rows.import_id = imports.id and run = rows_run and row <= ${keptRowsMax}
      and item_key = any(${items.map(({ key }) => key)}::text[])
    where number = 1 and imports.id <> ${importId} limit 1`;
}

const itemsComparedMax = 20_000;

/**
 * Counts the rows of a sample that have the title, GTIN or former key of a supplier's item (`alike`), and those that
 * have an item's GTIN. Reads up to 20,000 items. If the supplier has more, extrapolates `alike` to all items.
 */
export async function countSimilarRows(db: Db, supplier: number, items: readonly SampledItem[]) {
  const aliases = await readKeyAliases(db, { supplier, before: null });
  const found = await queryRow<{ alike: number; gtins: number; compared: number; rows: number }>(db)`
    with compared as materialized (
      select ${comparedColumns}
      from (${selectItems({
        supplier,
        ids: sql`array(select id from supplier_items where supplier = ${supplier} order by key limit ${itemsComparedMax})`,
      })}) items
    )
    select (select count(*) from compared)::int as compared,
      (select coalesce(max(total_rows), 0) from supplier_lists lists
        join import_records as imports on imports.id = lists.import_id where lists.supplier = ${supplier}) as rows,
      (count(*) filter (where gtin in (select gtin from compared)))::int as gtins,
      (count(*) filter (where gtin in (select gtin from compared)
        or key in (select cleaned from (${aliases}) aliases) or letters in (select letters from compared)
        or text in (select text from compared)
        or lower(left(title, 80)) in (select lower(title) from compared where letters is null and text is null)
      ))::int as alike
    from ${given(items)}`;
  const times = found.compared < itemsComparedMax ? 1 : Math.max(1, found.rows / itemsComparedMax);
  return { alike: Math.min(items.length, Math.round(found.alike * times)), equalGtins: found.gtins };
}

/** Finds the supplier of the newest earlier import of the same bytes. Null if there is no such import. */
export const findSupplierOfBytes = (db: Db, { id, sha256 }: Pick<ImportRecord, 'id' | 'sha256'>) =>
  findValue<number>(db)`
    select supplier from imports join suppliers on suppliers.id = supplier
    where sha256 = ${sha256} and imports.id <> ${id} order by imports.created_at desc limit 1`;

type KnownSign = CandidateSupplier['signs'][number] & { supplier: number };

const sharersMax = 100;

export async function findSigns(db: Db, signs: readonly SupplierSign[]): Promise<KnownSign[]> {
  if (signs.length === 0) return [];
  return queryRows<KnownSign>(db)`
    select known.* from ${unnestRows('given', signs, signTypes)} cross join lateral (
      select supplier, kind, lists, count(*) over () > 1 as "isShared" from supplier_signs
      where supplier_signs.kind = given.kind and supplier_signs.value = given.value
      order by last_at desc limit ${sharersMax}
    ) known`;
}

const signTypes = { kind: 'text', value: 'text' } as const;

/** Adds a supplier's new list to the counts of the list's signs, such as its layout or folder. Inserts new signs. */
export async function addSigns(db: Db, supplier: number, signs: readonly SupplierSign[]): Promise<void> {
  if (signs.length === 0) return;
  await sql`
    insert into supplier_signs (supplier, kind, value) select ${supplier}, kind, value
    from ${unnestRows('given', signs, signTypes)}
    on conflict (kind, value, supplier) do update
      set lists = supplier_signs.lists + 1, last_at = excluded.last_at`.execute(db);
}

/** Subtracts a list from the counts of its signs when the list leaves its supplier. Deletes signs without a list. */
export async function removeSigns(db: Db, supplier: number, signs: readonly SupplierSign[]): Promise<void> {
  if (signs.length === 0) return;
  const isGiven = sql<boolean>`supplier = ${supplier} and (kind, value) in (
    select kind, value from ${unnestRows('given', signs, signTypes)})`;
  await db.deleteFrom('supplier_signs').where(isGiven).where('lists', '<=', 1).execute();
  await db.updateTable('supplier_signs').set({ lists: sql`lists - 1` }).where(isGiven).execute();
}

/** Evidence about a list. `except` is a supplier to exclude, or null. */
type Proposed = {
  rows: readonly Omit<SampledRow, 'vendor'>[];
  signs: readonly SupplierSign[];
  /** The name for a new supplier, or null if there is none. */
  name: string | null;
  /** The supplier of an earlier file with the same bytes, or null. */
  sameBytes: number | null;
  except: number | null;
};

const comparedMax = 3;

/** Proposes a list's supplier from sampled rows and signs. `sampled`: the number of distinct keys in the sample. */
export async function proposeByEvidence(
  db: Db,
  { rows, signs: ownSigns, name, sameBytes, except }: Proposed,
): Promise<{ proposal: SupplierProposal; candidates: readonly CandidateSupplier[]; sampled: number }> {
  const byKey = new Map(
    rows.flatMap((row) => (row.key === null ? [] : [[row.key, { ...row, key: row.key }]])),
  );
  const items = [...byKey.values()];
  const known = await countKnownItems(db, items);
  const signs = await findSigns(db, ownSigns);
  const left = await findEmptySuppliers(db, [...new Set(signs.map(({ supplier }) => supplier))], name);
  const suppliers = new Set([...known, ...signs, ...left].map(({ supplier }) => supplier));
  if (sameBytes !== null) suppliers.add(sameBytes);
  if (except !== null) suppliers.delete(except);
  const candidates = [...suppliers].map((supplier) => ({
    ...{ hasFile: supplier === sameBytes, known: 0, comparable: 0, agreeing: 0, alike: 0, equalGtins: 0 },
    ...(known.find((one) => one.supplier === supplier) ?? { supplier }),
    signs: signs.filter((sign) => sign.supplier === supplier),
    left: left.find((one) => one.supplier === supplier)?.kind ?? null,
  }));
  const sampled = items.length;
  const keyed = rows.filter(({ key }) => key !== null).length;
  const evidence = { rows: rows.length, keyed, sampled, candidates };
  const proposal = proposeSupplier(evidence);
  if (proposal.is !== 'new') return { proposal, candidates, sampled };
  await compareTitles(db, items, candidates);
  return { proposal: proposeSupplier(evidence), candidates, sampled };
}

/** Counts equal titles and GTINs for 3 candidates, as keys may have changed. Prefers those with a sign of their own. */
async function compareTitles(
  db: Db,
  items: readonly SampledItem[],
  candidates: readonly CandidateSupplier[],
): Promise<void> {
  const signed = candidates.filter(({ signs }) => signs.length > 0);
  const ownFirst = signed.sort((a, b) => Number(hasOwnSign(b)) - Number(hasOwnSign(a)));
  for (const candidate of ownFirst.slice(0, comparedMax)) {
    Object.assign(candidate, await countSimilarRows(db, candidate.supplier, items));
  }
}
