import { createHash } from 'node:crypto';
import type { AskableField, SentProduct } from '@draftshelf/domain/enrich/ai/answer';
import { listAskedFields } from '@draftshelf/domain/enrich/ai/asked-fields';
import { promptVersion } from '@draftshelf/domain/enrich/ai/prompt';
import { selectSentColumns } from '@draftshelf/domain/enrich/ai/sent-columns';
import { toSentProduct } from '@draftshelf/domain/enrich/ai/sent-product';
import type { Db } from '../../connection/database.ts';
import type { AiAskRecord, AiServiceRecord } from '../../connection/schema.ts';
import {
  type EffectiveRow,
  findRowsOfProducts,
  readRowPage,
  readRowsByNumber,
} from '../../review/effective-rows.ts';
import { readSampleCells } from '../../review/row-samples.ts';
import { type RunOfRows, readParseRun } from '../../work/runs.ts';
import { changeAsks, type NewAsk } from './ai-asks.ts';

/** The AI service and the model that an answer comes from. */
export type AiTarget = { baseUrl: string; model: string };

/** Hashes everything that influences an answer, so that equal requests share one stored answer. */
export function hashAsk(
  target: AiTarget,
  { language, tone }: Pick<AiServiceRecord, 'language' | 'tone'>,
  { fields, sent }: { fields: readonly AskableField[]; sent: SentProduct },
): Buffer {
  const content = [promptVersion, target.baseUrl, target.model, language, tone, fields, sent];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

/** A product that AI may be asked about: its first row, and its content as sent to AI. */
export type AskCandidate = { row: EffectiveRow; sent: SentProduct };

/** The maximum number of rows per product that are read for its options. */
const rowsOfProductMax = 100;

/** Returns functions that read the products of a run, each with its first row and its content as sent to AI. */
export async function openCandidates(db: Db, of: RunOfRows) {
  const { mapping } = await readParseRun(db, of);
  const sample = await readSampleCells(db, of);
  const unmapped = mapping.columns.filter(({ field }) => field === null);
  const columns = selectSentColumns(
    unmapped.map(({ index, header }) => ({
      index,
      name: header,
      values: sample.map((cells) => cells[index] ?? ''),
    })),
  );
  const toCandidate = (rows: readonly EffectiveRow[]): AskCandidate[] => {
    const [row] = rows;
    if (!row) return [];
    const values = rows.map((one) => one.values);
    const further = columns.map(({ index, name }) => ({ name, value: row.cells[index] ?? '' }));
    return [{ row, sent: toSentProduct(values, further) }];
  };
  /** Returns the products that have rows in `some` and begin after row `after`. Reads their other rows, too. */
  const candidatesOf = async (some: readonly EffectiveRow[], after: number): Promise<AskCandidate[]> => {
    const products = some.filter(({ ignored }) => ignored === null).map(({ product }) => product);
    const found = await findRowsOfProducts(db, of, [...new Set(products)]);
    const begun = found
      .map(({ rows }) => rows.slice(0, rowsOfProductMax))
      .filter(([first = 0]) => first > after);
    const read = new Map(some.map((row) => [row.row, row]));
    const missing = begun.flat().filter((row) => !read.has(row));
    for (const row of missing.length === 0 ? [] : await readRowsByNumber(db, of, missing))
      read.set(row.row, row);
    return begun.flatMap((rows) => toCandidate(rows.flatMap((row) => read.get(row) ?? [])));
  };
  return {
    /** `last` is the last row that was read, or null if there are no more rows. */
    async page(after: number, limit: number): Promise<{ candidates: AskCandidate[]; last: number | null }> {
      const rows = await readRowPage(db, of, { after, limit });
      const last = rows.length < limit ? null : (rows.at(-1)?.row ?? null);
      // A joined row continues a product, so it is never a product's first row.
      const firsts = rows.filter(({ joined }) => !joined);
      const candidates = await candidatesOf(firsts, after);
      return { candidates, last };
    },
    /** Returns the products of these rows. `numbers` needs only one row of each product. */
    ofRows: async (numbers: readonly number[]): Promise<AskCandidate[]> =>
      candidatesOf(await readRowsByNumber(db, of, numbers), 0),
  };
}

/** Returns the request about a product, or null if there is nothing to ask. */
export function buildAsk(
  { row, sent }: AskCandidate,
  chosen: readonly AskableField[],
  target: AiTarget,
  service: AiServiceRecord,
): NewAsk | null {
  const fields = listAskedFields(sent, chosen);
  if (fields.length === 0) return null;
  const hash = hashAsk(target, service, { fields, sent });
  return { byteFrom: row.byte_from, row: row.row, fields, sent, hash };
}

export const rowsPerPage = 500;

/** Returns the asks whose hash is current. The other asks get their current hash and are handled later. */
export async function filterCurrentAsks<T extends AiAskRecord>(
  db: Db,
  asks: readonly T[],
  { target, service }: { target: AiTarget; service: AiServiceRecord },
): Promise<T[]> {
  const current: T[] = [];
  for (const ask of asks) {
    const hash = hashAsk(target, service, { fields: ask.fields, sent: ask.sent ?? {} });
    if (hash.equals(ask.hash)) current.push(ask);
    else await changeAsks(db, ask.import_id, [ask], { hash });
  }
  return current;
}
