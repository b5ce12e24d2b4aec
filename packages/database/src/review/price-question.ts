import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { heldSentences } from '@draftshelf/domain/push/auto-push';
import { isAskedAboutCurrency } from '@draftshelf/domain/push/before-push';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { issueBit } from '@draftshelf/domain/review/issue-set';
import { otherCurrenciesOf } from '@draftshelf/domain/review/other-currency';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { changeImport, heldBack } from '../imports/imports.ts';
import { currentRows, type RunOfRows } from '../work/runs.ts';
import { readRowsByNumber } from './effective-rows.ts';
import { readFacets } from './row-facets.ts';
import { readPage } from './search/row-page.ts';
import { hasNul } from './stored-cells.ts';

/** The operator's decision about prices in another currency: send them as they are, or hold the import back. */
export type PriceAnswer = 'send' | 'hold';

/** `named`: the currencies of the import's amounts, from its first rows with the issue. `store`: the store's. */
export type PriceQuestion = { named: string[]; store: string; answer: PriceAnswer | null };

/** Rows that are read for the currencies that screens name. */
const sampleRows = 25;
/** Notations of amounts that are read for all currencies. A file with more has no order that anybody agreed to. */
const notationsMax = 50;

/** The imports whose current rows have amounts in another currency than the store's, by id. */
export async function readPriceQuestions(
  db: Db,
  records: readonly ImportRecord[],
): Promise<Map<string, PriceQuestion>> {
  const questions = new Map<string, PriceQuestion>();
  for (const { id, currency } of await findOtherCurrencies(db, records)) {
    const record = records.find((one) => one.id === id);
    if (record && currency !== null) questions.set(id, await questionOf(db, record, currency));
  }
  return questions;
}

/** The imports whose currency, or how their columns are read, the operator is asked about. Two queries. */
export async function readOpenQuestions(db: Db, records: readonly ImportRecord[]): Promise<Set<string>> {
  const open = records.filter((record) => isAskedAboutCurrency({ ...record, answer: answerOf(record) }));
  const found = await findOtherCurrencies(db, open);
  const columns = await findColumnQuestions(db, records);
  return new Set([...found.flatMap(({ id, currency }) => (currency === null ? [] : id)), ...columns]);
}

/** Those that wait for a push and have columns that can be read in several ways. */
async function findColumnQuestions(db: Db, records: readonly ImportRecord[]): Promise<string[]> {
  const waiting = records.filter(({ status }) => canDo('review', status)).map(({ id }) => id);
  if (waiting.length === 0) return [];
  const found = await db
    .selectFrom('imports')
    .innerJoin('runs', (join) =>
      join.onRef('runs.import_id', '=', 'imports.id').onRef('runs.run', '=', 'imports.rows_run'),
    )
    .select('imports.id')
    .where('runs.stage', '=', 'parse')
    .where('imports.id', 'in', waiting)
    .where(sql<boolean>`runs.mapping -> 'questions' is not null`)
    .execute();
  return found.map(({ id }) => id);
}

/** Those with amounts in another currency than the store's, which is `currency`. */
async function findOtherCurrencies(db: Db, records: readonly ImportRecord[]) {
  if (records.length === 0) return [];
  return db
    .selectFrom('imports')
    .innerJoin('runs', (join) =>
      join
        .onRef('runs.import_id', '=', 'imports.id')
        .onRef('runs.run', '=', 'imports.rows_run')
        .on('runs.stage', '=', 'parse'),
    )
    .innerJoin('row_facets', (join) =>
      join
        .onRef('row_facets.import_id', '=', 'imports.id')
        .onRef('row_facets.run', '=', 'imports.rows_run')
        .on('row_facets.issue', '=', 'other-currency')
        .on('row_facets.rows', '>', 0),
    )
    .select(['imports.id', 'runs.currency'])
    .distinct()
    .where(
      'imports.id',
      'in',
      records.map(({ id }) => id),
    )
    .execute();
}

/** The operator's answer; null if it is about rows that were read again since. */
const answerOf = (record: ImportRecord): PriceAnswer | null =>
  record.price_answer_run === record.rows_run ? record.price_answer : null;

async function questionOf(db: Db, record: ImportRecord, store: string): Promise<PriceQuestion> {
  const facets = await readFacets(db, currentRows(record));
  const { rows } = await readPage(db, record, facets, { issue: 'other-currency', limit: sampleRows });
  const values = rows.map((row): RowValues => row.values);
  return { named: otherCurrenciesOf(values, store), store, answer: answerOf(record) };
}

/** The fields whose texts name currencies. */
const currencyFields = ['price', 'compareAtPrice', 'cost', 'currency'] as const;

/**
 * All currencies beside the store's that amounts of the rows name; null: they are too different to know. Of amounts
 * that differ in their digits only, one is read.
 */
export async function readOtherCurrencies(
  db: Db,
  of: RunOfRows,
  { mapping, store }: { mapping: HeaderMapping; store: string },
): Promise<string[] | null> {
  const columns = currencyFields.flatMap((field) => mapping.sources[field] ?? []);
  const cells = columns.map((column) => sql`cells ->> ${sql.lit(column)}`);
  const notation = sql`case when not ${hasNul} then
    regexp_replace(concat_ws(chr(31), ${sql.join(cells)}), '[0-9[:space:].,''’]', '', 'g') end`;
  const { rows } = await sql<{ row: number; isKnown: boolean }>`
    select min(row) as row, bool_and(not ${hasNul}) as "isKnown" from rows
    where import_id = ${of.import_id} and run = ${of.run} and ignored is null
      and issues & ${issueBit('other-currency')}::bigint <> 0
    group by ${notation} limit ${notationsMax + 1}`.execute(db);
  if (rows.length > notationsMax || rows.some(({ isKnown }) => !isKnown)) return null;
  const numbers = rows.map(({ row }) => row);
  const read = await readRowsByNumber(db, of, numbers);
  return otherCurrenciesOf(
    read.map((row): RowValues => row.values),
    store,
  );
}

/** Records the operator's answer for the import's current rows; a re-read asks again. */
export async function answerPriceQuestion(
  db: Db,
  { id, rows_run }: Pick<ImportRecord, 'id' | 'rows_run'>,
  answer: PriceAnswer,
): Promise<void> {
  const held = answer === 'hold' ? heldBack(heldSentences.stopped) : {};
  await changeImport(db, id, { price_answer: answer, price_answer_run: rows_run, ...held });
}
