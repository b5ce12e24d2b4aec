import { searchForm } from '@draftshelf/domain/base/search-text';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Db, isCancelledStatement } from '../../connection/database.ts';
import type { Schema } from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { codeOf, hasTrigramIndex, indexPattern } from './row-search.ts';

/** The newest imports with rows are searched. */
const searchedImportsMax = 200;
/** Of each import so many rows are read first: they answer what is in most rows, for which the index is slow. */
const headRowsMax = 100;
/** Rows that are ranked. The index may know more; those of the newest imports may then be among the others. */
const rankedMax = 200;
/** The search stops after so long, whatever it has found: an answer is only of use while the operator still looks. */
const searchMsMax = 150;

/** A product of an import: its row that holds the text, or the first such row. */
export type FoundProduct = {
  importId: string;
  filename: string;
  row: number;
  title: string | null;
  sku: string | null;
  gtin: string | null;
};

export type FoundProducts = {
  products: FoundProduct[];
  /** Whether more products hold the text. */
  hasMore: boolean;
  /** Imports with rows that were searched. */
  imports: number;
  /** Whether older imports have rows, too. They were not searched. */
  hasOlder: boolean;
  /** Searched imports whose search is still being filled. */
  unfilled: number;
  /** Whether only the first rows of each import were searched, because the search took too long or has no index. */
  isCut: boolean;
};

type SearchedImport = { id: string; run: number; filename: string; searchable: boolean; place: number };
type Match = { import_id: string; run: number; row: number; text: string };

/**
 * At most `limit` products of the newest imports whose title, SKU, UPC, vendor or item number holds a text of at least
 * three characters. A whole value counts more than its beginning, and that more than a part; then the newest import
 * comes first.
 */
export async function findProducts(db: Kysely<Schema>, text: string, limit: number): Promise<FoundProducts> {
  const form = searchForm(text.trim());
  const all = await readSearchedImports(db);
  const imports = all.slice(0, searchedImportsMax);
  const query = { form, code: codeOf(text.trim()), limit };
  const { matches, isCut } = await findMatches(db, imports, query);
  const products = await readProducts(db, imports, ranked(matches, imports, form), limit);
  return {
    products: products.slice(0, limit),
    hasMore: products.length > limit,
    imports: imports.length,
    hasOlder: all.length > imports.length,
    unfilled: imports.filter(({ searchable }) => !searchable).length,
    isCut,
  };
}

async function readSearchedImports(db: Db): Promise<SearchedImport[]> {
  const { rows } = await sql<Omit<SearchedImport, 'place'>>`
    select imports.id, rows_run as run, filename, searchable
    from imports join runs on runs.import_id = imports.id and runs.stage = 'parse' and runs.run = rows_run
    where rows_removed_at is null and exists (select 1 from row_facets where row_facets.import_id = imports.id and row_facets.run = rows_run)
    order by imports.created_at desc, imports.id limit ${searchedImportsMax + 1}`.execute(db);
  return rows.map((one, place) => ({ ...one, place }));
}

type Query = { form: string; code: string | null; limit: number };

/** The first rows of each import, and the index if these hold the text too rarely. */
async function findMatches(
  db: Kysely<Schema>,
  imports: readonly SearchedImport[],
  { form, code, limit }: Query,
): Promise<{ matches: Match[]; isCut: boolean }> {
  if (imports.length === 0) return { matches: [], isCut: false };
  const endsMs = performance.now() + searchMsMax;
  const places = imports.map(({ id, run, place }) => ({ id, run, place }));
  const searched = unnestRows('searched', places, { id: 'uuid', run: 'int', place: 'int' });
  const ofImport = sql`row_search.import_id = searched.id and row_search.run = searched.run`;
  const holds = sql`strpos(text, ${form}) > 0`;
  const inHead = await withinTime(
    db,
    endsMs,
    sql<Match>`
      select head.* from ${searched} cross join lateral (
        select import_id, run, row, text from row_search
        where ${ofImport} and row <= ${headRowsMax} and ${holds} order by row limit ${limit + 1}
      ) head order by place, head.row limit ${rankedMax}`,
  );
  const withCode =
    code === null
      ? []
      : await withinTime(
          db,
          endsMs,
          sql<Match>`
            select import_id, row_search.run, row, text from ${searched} join row_search on ${ofImport}
            where code = ${code} limit ${rankedMax}`,
        );
  const known = [...(withCode ?? []), ...(inHead ?? [])];
  if (known.length > limit) return { matches: known, isCut: false };
  const pattern = (await hasTrigramIndex(db)) ? indexPattern(form) : null;
  if (pattern === null) return { matches: known, isCut: true };
  const ids = imports.map(({ id }) => id);
  const byIndex = await withinTime(
    db,
    endsMs,
    // Materialized, so that the planner asks the index once and not each import for all of its rows.
    sql<Match>`
      with holding as materialized (
        select import_id, run, row, text from row_search
        where text like ${pattern} and ${holds} and import_id = any(${ids}::uuid[])
      )
      select import_id, holding.run, row, text from holding
      join ${searched} on import_id = searched.id and holding.run = searched.run
      order by place, row limit ${rankedMax}`,
  );
  return { matches: [...known, ...(byIndex ?? [])], isCut: byIndex === null };
}

/** The rows of a statement, or null if it would end after `endsMs` of the process's clock. */
async function withinTime<T>(db: Kysely<Schema>, endsMs: number, query: RawBuilder<T>): Promise<T[] | null> {
  const leftMs = Math.floor(endsMs - performance.now());
  // A limit of 0 would be none.
  if (leftMs < 1) return null;
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        await sql`set local statement_timeout = ${sql.lit(leftMs)}`.execute(trx);
        return (await query.execute(trx)).rows;
      });
  } catch (error) {
    if (isCancelledStatement(error)) return null;
    throw error;
  }
}

/** Each row once, the best first. */
function ranked(matches: readonly Match[], imports: readonly SearchedImport[], form: string): Match[] {
  const places = new Map(imports.map(({ id, place }) => [id, place]));
  const once = new Map(matches.map((match) => [`${match.import_id} ${match.row}`, match]));
  const ofMatch = (match: Match) => ({
    match,
    rank: rankOf(match.text.split('\n'), form),
    place: places.get(match.import_id) ?? imports.length,
  });
  return [...once.values()]
    .map(ofMatch)
    .sort((a, b) => a.rank - b.rank || a.place - b.place || a.match.row - b.match.row)
    .map(({ match }) => match);
}

function rankOf(values: readonly string[], form: string): number {
  if (values.includes(form)) return 0;
  return values.some((value) => value.startsWith(form)) ? 1 : 2;
}

/** So many rows are read for each product of an answer: several may belong to one product. */
const rowsPerProduct = 4;

/** The products of rows, in their order, with the values that the operator sees. One more than an answer has. */
async function readProducts(
  db: Db,
  imports: readonly SearchedImport[],
  matches: readonly Match[],
  limit: number,
): Promise<FoundProduct[]> {
  const first = matches.slice(0, rowsPerProduct * (limit + 1));
  const refs = first.map(({ import_id, run, row }, place) => ({ importId: import_id, run, row, place }));
  if (refs.length === 0) return [];
  const names = new Map(imports.map(({ id, filename }) => [id, filename]));
  const { rows } = await sql<FoundProduct & { product: number }>`
    select rows.import_id as "importId", rows.row, product, nullif(coalesce(edited.title, rows.title), '') as title,
      nullif(coalesce(edited.sku, rows.sku), '') as sku, gtin
    from ${unnestRows('refs', refs, { importId: 'uuid', run: 'int', row: 'int', place: 'int' })}
    join rows on rows.import_id = refs.import_id and rows.run = refs.run and rows.row = refs.row
    cross join lateral (
      select max(after) filter (where field = 'title') as title, max(after) filter (where field = 'sku') as sku from (
        select distinct on (field) field, after from edits
        where edits.import_id = rows.import_id and edits.byte_from = rows.byte_from and field in ('title','sku')
        order by field, id desc
      ) latest
    ) edited
    where ignored is null order by place`.execute(db);
  const seen = new Set<string>();
  return rows
    .filter(({ importId, product }) => {
      const key = `${importId} ${product}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    })
    .slice(0, limit + 1)
    .map(({ product: _, ...found }) => ({ ...found, filename: names.get(found.importId) ?? '' }));
}
