import { randomUUID } from 'node:crypto';
import { type CanonicalField, productFields } from '@draftshelf/domain/canonical-fields';
import { canDo } from '@draftshelf/domain/import-status';
import { productJudge, recordIssues } from '@draftshelf/domain/judged-row';
import { type RowClass, worstClass } from '@draftshelf/domain/row-rule';
import { searchText } from '@draftshelf/domain/search-text';
import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { type RekeyedRow, rejudgeDuplicates } from './duplicates.ts';
import { type EffectiveRow, latestEdits, readProductRows, readRow } from './effective-rows.ts';
import { changeImport, followCounts, lockImport } from './imports.ts';
import { ourIdOf } from './our-id.ts';
import { facetCounter, moveFacets } from './row-facets.ts';
import { readFindings } from './row-findings.ts';
import { replaceSearchRows } from './row-search.ts';
import type { ImportRecord } from './schema.ts';

export type EditResult =
  | { ok: true; row: EffectiveRow }
  | { ok: false; reason: 'no such row' | 'takes no part' | 'not editable now' | 'being sent' };

/**
 * Records edits of one row and judges its product anew, in the caller's transaction. `values`: field → new value,
 * null takes an edit back. What the product has once is edited on its first row (decision P16). The import's status
 * follows: the last fixed row makes it `processed`.
 */
export async function editRow(
  db: Db,
  importId: string,
  rowNumber: number,
  values: Partial<Record<CanonicalField, string | null>>,
): Promise<EditResult> {
  const record = await lockImport(db, importId);
  if (!record) return { ok: false, reason: 'no such row' };
  if (!canDo('edit', record.status)) return { ok: false, reason: 'not editable now' };
  const before = await readRow(db, record, rowNumber);
  if (!before) return { ok: false, reason: 'no such row' };
  if (before.ignored !== null) return { ok: false, reason: 'takes no part' };
  const [first = before] = await readProductRows(db, record, { firstProduct: before.product, products: 1 });
  if (await isSending(db, record, first)) return { ok: false, reason: 'being sent' };
  const command = randomUUID();
  for (const [field, after] of Object.entries(values) as [CanonicalField, string | null][]) {
    const edited = productFields.has(field) ? first : before;
    await db
      .insertInto('edits')
      .values({
        import_id: importId,
        command,
        row: edited.row,
        byte_from: edited.byte_from,
        field,
        before: withoutNul(edited.values[field] ?? null),
        after,
      })
      .execute();
  }
  await rejudgeDuplicates(db, record, await rejudgeProduct(db, record, before.product));
  await followCounts(db, importId);
  const row = await readRow(db, record, rowNumber);
  return row ? { ok: true, row } : { ok: false, reason: 'no such row' };
}

/** A product whose payload is on its way to the store must not change under it; paused or failed, none is (decision 0018). */
async function isSending(db: Db, record: ImportRecord, first: EffectiveRow): Promise<boolean> {
  if (record.status !== 'uploading') return false;
  const listing = await db
    .selectFrom('listings')
    .innerJoin('chunks', 'chunks.id', 'listings.sending_chunk')
    .select('listings.our_id')
    .where('listings.our_id', '=', ourIdOf(record.sha256, first.byte_from))
    .where('listings.sending', 'is not', null)
    .where('chunks.import_id', '=', record.id)
    .executeTakeFirst();
  return listing !== undefined;
}

/** Postgres text holds no NUL; the cell itself keeps it. */
function withoutNul<T extends string | null>(text: T): T {
  return (text?.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text) as T;
}

/** Applies the edits that hold to rows that a parse run has just stored, whose duplicates are not known yet; counts follow. */
export async function applyEdits(db: Db, record: ImportRecord): Promise<void> {
  const edited = await db
    .selectFrom('edits')
    .leftJoin('rows', (join) =>
      join
        .onRef('rows.import_id', '=', 'edits.import_id')
        .onRef('rows.byte_from', '=', 'edits.byte_from')
        .on('rows.run', '=', record.rows_run),
    )
    .select(['edits.byte_from', 'rows.product'])
    .distinct()
    .where('edits.import_id', '=', record.id)
    .execute();
  const products = new Set(edited.flatMap(({ product }) => product ?? []));
  for (const product of products) await rejudgeProduct(db, record, product);
  const lost = edited.filter(({ product }) => product === null).map(({ byte_from }) => byte_from);
  const { length } = await latestEdits(db, record.id, lost);
  await changeImport(db, record.id, { edits_without_row: length });
}

/**
 * Writes the effective values of a product's rows into the typed columns, judges their classes by the rule
 * that judged them when the file was read, and moves the three counters by the difference. Answers the rows' keys.
 */
async function rejudgeProduct(db: Db, record: ImportRecord, product: number): Promise<RekeyedRow[]> {
  const rows = await readProductRows(db, record, { firstProduct: product, products: 1 });
  if (rows.length === 0) return [];
  const classBefore = worstOf(rows.map((row) => row.class));
  const judge = productJudge();
  const judged = rows.map((row) => {
    const { issues, title, sku, vendor, image, ...columns } = judge.next(row.values);
    const texts = {
      title: withoutNul(title),
      sku: withoutNul(sku),
      vendor: withoutNul(vendor),
      image: withoutNul(image),
    };
    return { row, ...columns, ...texts, issues: [...recordIssues(row.issues), ...issues] };
  });
  for (const { row, issues, ...columns } of judged) {
    await db
      .updateTable('rows')
      .set({ ...columns, issues: asJson(issues) })
      .where('import_id', '=', record.id)
      .where('run', '=', record.rows_run)
      .where('row', '=', row.row)
      .execute();
  }
  await followRows(db, record, judged);
  const classAfter = worstOf(judged.map((row) => row.class));
  const rekeyed = judged.map(({ row, sku, gtin }) => ({ row: row.row, before: row, after: { sku, gtin } }));
  // While the file is being read anew, the counters count the new run, whose settle applies the edit to them.
  if (classBefore === classAfter || record.rows_run !== record.parse_run) return rekeyed;
  await db
    .updateTable('imports')
    .set({
      [`${classBefore}_products`]: sql`${sql.ref(`${classBefore}_products`)} - 1`,
      [`${classAfter}_products`]: sql`${sql.ref(`${classAfter}_products`)} + 1`,
    })
    .where('id', '=', record.id)
    .execute();
  return rekeyed;
}

type JudgedAnew = { row: EffectiveRow; class: RowClass; gtin: string | null; issues: string[] };

/** The counts of facets move with rows that were judged anew, and a search finds them by what they are now. */
async function followRows(db: Db, record: ImportRecord, judged: readonly JudgedAnew[]): Promise<void> {
  const findings = await readFindings(
    db,
    record,
    judged.map(({ row }) => row.row),
  );
  const duplicates = new Set(findings.map(({ row }) => row));
  const counter = facetCounter();
  for (const { row, class: rowClass, issues } of judged) {
    const duplicate = duplicates.has(row.row);
    counter.add(row, duplicate, -1);
    counter.add({ class: rowClass, ignored: null, issues }, duplicate, 1);
  }
  await moveFacets(db, { import_id: record.id, run: record.rows_run }, counter.facets());
  const searched = judged.map(({ row, gtin }) => ({ row: row.row, text: searchText(row.values, gtin) }));
  await replaceSearchRows(db, record, searched);
}

const asJson = (issues: readonly string[]) => (issues.length > 0 ? JSON.stringify(issues) : null);

const worstOf = (classes: readonly RowClass[]): RowClass => classes.reduce(worstClass, 'valid');

/** Gives a new import the edits that its latest twin (the same bytes) holds; they are applied by its settle. */
export async function copyEdits(db: Db, fromImportId: string, toImportId: string): Promise<void> {
  await sql`
    insert into edits (import_id, command, row, byte_from, field, before, after)
    select ${toImportId}, command, row, byte_from, field, before, after from (
      select distinct on (byte_from, field) * from edits where import_id = ${fromImportId}
      order by byte_from, field, id desc
    ) latest where after is not null`.execute(db);
}
