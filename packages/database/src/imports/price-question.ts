import { heldSentences } from '@draftshelf/domain/auto-push';
import type { RowValues } from '@draftshelf/domain/canonical-fields';
import { otherCurrenciesOf } from '@draftshelf/domain/other-currency';
import { currentRows } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { readFacets } from '../rows/row-facets.ts';
import { readPage } from '../rows/search/row-page.ts';
import type { ImportRecord } from '../schema.ts';
import { changeImport, heldBack } from './imports.ts';

/** The operator's decision about prices in another currency: send them as they are, or hold the import back. */
export type PriceAnswer = 'send' | 'hold';

/** `named`: the currencies of the import's amounts, from its first rows with the issue. `store`: the store's. */
export type PriceQuestion = { named: string[]; store: string; answer: PriceAnswer | null };

/** Rows that are read for the currencies that screens name. */
const sampleRows = 25;
/** Rows that are read for all currencies, in all and at a time. */
const rowsMax = 20_000;
const pageRows = 500;

/** The imports whose current rows have amounts in another currency than the store's, by id. */
export async function readPriceQuestions(
  db: Db,
  records: readonly ImportRecord[],
): Promise<Map<string, PriceQuestion>> {
  const questions = new Map<string, PriceQuestion>();
  if (records.length === 0) return questions;
  const found = await db
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
  for (const { id, currency } of found) {
    const record = records.find((one) => one.id === id);
    if (record && currency !== null) questions.set(id, await questionOf(db, record, currency));
  }
  return questions;
}

async function questionOf(db: Db, record: ImportRecord, store: string): Promise<PriceQuestion> {
  const facets = await readFacets(db, currentRows(record));
  const { rows } = await readPage(db, record, facets, { issue: 'other-currency', limit: sampleRows });
  const values = rows.map((row): RowValues => row.values);
  const answer = record.price_answer_run === record.rows_run ? record.price_answer : null;
  return { named: otherCurrenciesOf(values, store), store, answer };
}

/**
 * All currencies beside the store's that amounts of an import's current rows name; null: the import has too many such
 * rows to know.
 */
export async function readOtherCurrencies(
  db: Db,
  record: ImportRecord,
  store: string,
): Promise<string[] | null> {
  const facets = await readFacets(db, currentRows(record));
  const named = new Set<string>();
  let after = 0;
  for (let read = 0; read < rowsMax; read += pageRows) {
    const page = { issue: 'other-currency', after, limit: pageRows } as const;
    const { rows, later } = await readPage(db, record, facets, page);
    const values = rows.map((row): RowValues => row.values);
    for (const one of otherCurrenciesOf(values, store)) named.add(one);
    const last = rows.at(-1);
    if (!later || !last) return [...named];
    after = last.row;
  }
  return null;
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
