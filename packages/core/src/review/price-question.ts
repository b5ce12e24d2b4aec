import { canDo } from '@draftshelf/domain/imports/import-status';
import { heldSentences } from '@draftshelf/domain/push/auto-push';
import { isAskedAboutCurrency } from '@draftshelf/domain/push/before-push';
import { issueBit } from '@draftshelf/domain/review/issue-set';
import {
  countIfMinority,
  listOtherCurrencies,
  unpricedIssues,
} from '@draftshelf/domain/review/other-currency';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValues } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { changeImport, createHoldColumns } from '../imports/imports.ts';
import { currentRows, type RunOfRows } from '../work/runs.ts';
import { readRowsByNumber } from './effective-rows.ts';
import { readFacets } from './row-facets.ts';
import { readFilteredPage } from './search/row-page.ts';
import { ownValue } from './search/row-sql.ts';

export type PriceAnswer = 'send' | 'hold';

/** `named`: currencies in the first rows. `rows`: number of affected rows; null if at least half of the priced rows. */
export type PriceQuestion = {
  named: string[];
  store: string;
  answer: PriceAnswer | null;
  rows: number | null;
};

const sampleRows = 25;
/** Maximum number of notations of amounts ('€ 1.00'). If a run has more, its other currencies are not determined. */
const notationsMax = 50;

export async function readPriceQuestions(
  db: Db,
  records: readonly ImportRecord[],
): Promise<Map<string, PriceQuestion>> {
  const questions = new Map<string, PriceQuestion>();
  for (const { id, currency, ...counts } of await findOtherCurrencies(db, records)) {
    const record = records.find((one) => one.id === id);
    if (!record) continue;
    const facets = await readFacets(db, currentRows(record));
    const sample = await readFilteredPage(db, record, facets, { issue: 'other-currency', limit: sampleRows });
    const values = sample.rows.map((row) => row.values);
    const rows = countIfMinority(counts);
    const answer = answerOf(record);
    questions.set(id, {
      ...{ named: listOtherCurrencies(values, currency), store: currency, rows },
      answer: rows !== null && answer === 'hold' ? null : answer,
    });
  }
  return questions;
}

/** Returns the ids of imports with an open question about currencies or columns. Runs two queries. */
export async function findQuestionedImports(db: Db, records: readonly ImportRecord[]): Promise<Set<string>> {
  const open = records.filter((record) => isAskedAboutCurrency({ ...record, answer: answerOf(record) }));
  const found = await findOtherCurrencies(db, open);
  const columns = await countColumnQuestions(db, records);
  return new Set([...found.map(({ id }) => id), ...columns.keys()]);
}

/** Returns the number of ambiguous columns by import id, for imports that wait for a push. */
export async function countColumnQuestions(
  db: Db,
  records: readonly ImportRecord[],
): Promise<Map<string, number>> {
  const waiting = records.filter(({ status }) => canDo('review', status)).map(({ id }) => id);
  if (waiting.length === 0) return new Map();
  const found = await queryRows<{ id: string; questions: number }>(db)`
    select imports.id, json_array_length(mapping -> 'questions') as questions
    from imports join runs on runs.import_id = imports.id and runs.stage = 'parse' and runs.run = rows_run
    where imports.id = any(${waiting}::uuid[]) and mapping -> 'questions' is not null`;
  return new Map(found.map(({ id, questions }) => [id, questions]));
}

/** Finds imports with prices in other currencies. `other`: rows with such prices. `priced`: rows with any price. */
async function findOtherCurrencies(db: Db, records: readonly ImportRecord[]) {
  if (records.length === 0) return [];
  return queryRows<{ id: string; currency: string; other: number; priced: number }>(db)`
    select imports.id, runs.currency, other, priced from imports
    join runs on runs.import_id = imports.id and runs.stage = 'parse' and runs.run = rows_run
    cross join lateral (
      select (sum(rows) filter (where issue = 'other-currency'))::int as other,
        sum(case issue when '' then rows when 'other-currency' then 0 else -rows end)::int as priced
      from jsonb_to_recordset(facets) as facet (class text, issue text, rows integer)
      where class <> 'ignored' and issue = any(${['', 'other-currency', ...unpricedIssues]}::text[])
    ) counted
    where other > 0 and runs.currency is not null and imports.id = any(${records.map(({ id }) => id)}::uuid[])`;
}

/** Returns the operator's answer, or null if there is none or if the file was read again after the answer. */
const answerOf = (record: ImportRecord): PriceAnswer | null =>
  record.price_answer_run === record.rows_run ? record.price_answer : null;

const currencyFields = ['price', 'compareAtPrice', 'cost', 'currency'] as const;

/** Returns the other currencies in a run, reading one row per notation. Null if amounts have too many notations. */
export async function readOtherCurrencies(db: Db, of: RunOfRows, store: string): Promise<string[] | null> {
  const texts = currencyFields.map((field) => ownValue(field));
  const notation = sql`regexp_replace(concat_ws(chr(31), ${sql.join(texts)}), '[0-9[:space:].,''’]', '', 'g')`;
  const numbers = await queryValues<number>(db)`
    select min(row) as row from rows
    where import_id = ${of.import_id} and run = ${of.run} and ignored is null
      and issues & ${issueBit('other-currency')}::bigint <> 0
    group by ${notation} limit ${notationsMax + 1}`;
  if (numbers.length > notationsMax) return null;
  const read = (await readRowsByNumber(db, of, numbers)).map(({ values }) => values);
  return listOtherCurrencies(read, store);
}

/** Stores the operator's answer for the import's current rows. A re-read opens the question again. */
export async function answerPriceQuestion(
  db: Db,
  { id, rows_run }: Pick<ImportRecord, 'id' | 'rows_run'>,
  answer: PriceAnswer,
): Promise<void> {
  const held = answer === 'hold' ? createHoldColumns(heldSentences.stopped) : {};
  await changeImport(db, id, { price_answer: answer, price_answer_run: rows_run, ...held });
}
