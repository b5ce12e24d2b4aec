import { toGtin14, toPrintedCode } from '@draftshelf/domain/base/gtin';
import { toSearchTerm } from '@draftshelf/domain/base/search-text';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Db, isCancelledStatement } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { Schema } from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { hasAnyKey } from '../duplicates.ts';

const searchedImportsMax = 200;
/** Rows of each import that are searched first. They are enough for a text that most rows contain. */
const headRowsMax = 100;
/** Maximum number of rows to rank. Older imports may have more matches. */
const rankedMax = 200;
const rowsOfCodeMax = 20;
/** The search stops after this time, because by then the operator has typed the next character. */
const searchMsMax = 300;

/** `row`: the first row of the product that contains the text. */
type FoundProduct = {
  importId: string;
  filename: string;
  row: number;
  title: string | null;
  sku: string | null;
  upc: string | null;
};

type SearchedImport = { id: string; run: number; filename: string; rows: number; place: number };
type Match = { import_id: string; run: number; row: number; text: string };

/**
 * Searches titles, codes and vendors for at least three characters. Products with a whole value equal to the text come
 * first, then those of newer imports. `hasOlder`: older imports exist that were not searched. `isCut`: time ran out,
 * so some imports were searched only in their first rows.
 */
export async function findProducts(db: Kysely<Schema>, text: string, limit: number) {
  const form = toSearchTerm(text.trim());
  const all = await readSearchedImports(db);
  const imports = all.slice(0, searchedImportsMax);
  const ofCode = await findByCode(db, text.trim());
  const { matches, isCut } = await findMatches(db, imports, form, limit);
  const products = await readProducts(db, ranked([...ofCode, ...matches], imports, form), limit);
  return {
    found: products.slice(0, limit),
    hasMore: products.length > limit,
    imports: imports.length,
    hasOlder: all.length > imports.length,
    isCut,
  };
}

async function readSearchedImports(db: Db): Promise<SearchedImport[]> {
  const rows = await queryRows<Omit<SearchedImport, 'place'>>(db)`
    select imports.id, rows_run as run, filename, total_rows as rows from import_records as imports
    where rows_removed_at is null and exists (
      select from runs where import_id = imports.id and stage = 'parse' and run = rows_run and facets <> '[]')
    order by imports.created_at desc, imports.id limit ${searchedImportsMax + 1}`;
  return rows.map((one, place) => ({ ...one, place }));
}

/** Finds rows by whole SKU or UPC in all imports, newest first. An index finds the rows. */
async function findByCode(db: Kysely<Schema>, text: string): Promise<Match[]> {
  const gtin = toGtin14(text);
  const codes = [
    hasAnyKey('sku', [text, text.toUpperCase()]),
    ...(gtin === null ? [] : [hasAnyKey('gtin', [gtin])]),
  ];
  const found = codes.map(
    (which) => sql`
      (select import_id, run, row, search as text from rows
       where import_id = imports.id and run = rows_run and ${which} and ignored is null limit ${rowsOfCodeMax})`,
  );
  const query = sql<Match>`
    select found.* from imports cross join lateral (${sql.join(found, sql` union all `)}) found
    where rows_removed_at is null and deletion_began_at is null
    order by created_at desc, imports.id limit ${rankedMax}`;
  return (await withinTime(db, performance.now() + searchMsMax, query)) ?? [];
}

/**
 * Searches the first rows of each import. If these have too few matches, searches all rows, import by import. Does not
 * use LIKE: Postgres estimates the matches of LIKE, so it would read and sort a whole import instead of reading rows
 * in key order up to the limit. For a text in one of 900 rows, that took 370 ms instead of 260.
 */
async function findMatches(
  db: Kysely<Schema>,
  imports: readonly SearchedImport[],
  form: string,
  limit: number,
): Promise<{ matches: Match[]; isCut: boolean }> {
  const endsMs = performance.now() + searchMsMax;
  const matches: Match[] = [];
  const find = async (of: readonly SearchedImport[], which: RawBuilder<unknown>, ofEach: number) => {
    const places = of.map(({ id, run, place }) => ({ id, run, place }));
    const found = await withinTime(
      db,
      endsMs,
      sql<Match>`
        select found.* from ${unnestRows('searched', places, { id: 'uuid', run: 'int', place: 'int' })}
        cross join lateral (
          select import_id, run, row, search as text from rows
          where import_id = searched.id and run = searched.run and ${which} and strpos(search, ${form}) > 0
          order by row limit ${ofEach}
        ) found order by place, row limit ${rankedMax}`,
    );
    matches.push(...(found ?? []));
    return found !== null;
  };
  if (!(await find(imports, sql`row <= ${headRowsMax}`, limit + 1))) return { matches, isCut: true };
  if (matches.length > limit) return { matches, isCut: false };
  for (const part of inParts(imports)) {
    if (!(await find(part, sql`true`, rankedMax))) return { matches, isCut: true };
    if (matches.length >= rankedMax) break;
  }
  return { matches, isCut: false };
}

/** Rows of the first part. A cancelled statement returns nothing, so parts begin small and double in size. */
const firstPartRows = 100_000;
const partRowsMax = 1_000_000;

function inParts(imports: readonly SearchedImport[]): SearchedImport[][] {
  const parts: SearchedImport[][] = [];
  let partRows = firstPartRows / 2;
  let rows = partRows;
  for (const one of imports) {
    if (rows >= partRows) {
      parts.push([]);
      rows = 0;
      partRows = Math.min(2 * partRows, partRowsMax);
    }
    parts.at(-1)?.push(one);
    rows += one.rows;
  }
  return parts;
}

/** Runs a query. Returns null if it has not ended by `endsMs`, in milliseconds of `performance.now()`. */
async function withinTime<T>(db: Kysely<Schema>, endsMs: number, query: RawBuilder<T>): Promise<T[] | null> {
  const leftMs = Math.floor(endsMs - performance.now());
  // Postgres treats a timeout of 0 as no timeout.
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

/** Removes leading zeros: codes of digits are stored with leading zeros, but an operator may leave them out. */
const bare = (text: string): string => (/^\d+$/.test(text) ? text.replace(/^0+/, '') : text);

function rankOf(values: readonly string[], form: string): number {
  const wanted = bare(form);
  if (values.some((value) => value === form || bare(value) === wanted)) return 0;
  return values.some((value) => value.startsWith(form) || bare(value).startsWith(wanted)) ? 1 : 2;
}

/** Rows to read per product found, because several of the rows may belong to one product. */
const rowsPerProduct = 4;

/** Reads the products of rows, in the order of the rows. Reads one more than `limit`, to tell if there are more. */
async function readProducts(db: Db, matches: readonly Match[], limit: number): Promise<FoundProduct[]> {
  const first = matches.slice(0, rowsPerProduct * (limit + 1));
  const refs = first.map(({ import_id, run, row }, place) => ({ importId: import_id, run, row, place }));
  if (refs.length === 0) return [];
  const rows = await queryRows<Omit<FoundProduct, 'upc'> & { product: number; gtin: string | null }>(db)`
    select rows.import_id as "importId", filename, rows.row, product, nullif(title, '') as title,
      nullif(sku, '') as sku, gtin
    from ${unnestRows('refs', refs, { importId: 'uuid', run: 'int', row: 'int', place: 'int' })}
    join rows on rows.import_id = refs.import_id and rows.run = refs.run and rows.row = refs.row
    join imports on imports.id = rows.import_id
    where ignored is null order by place`;
  const products = Map.groupBy(rows, ({ importId, product }) => `${importId} ${product}`);
  return [...products.values()]
    .slice(0, limit + 1)
    .flatMap(([found]) => (found ? [found] : []))
    .map(({ product: _, gtin, ...found }) => ({ ...found, upc: gtin && toPrintedCode(gtin) }));
}
