import type { ValueField } from '@draftshelf/domain/base/field-value';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import { hasOneRowEach } from '../row-facets.ts';
import { entriesReader } from './read-entries.ts';
import { findMatching } from './row-page.ts';

export type FieldValues = {
  /** Rows by value; by entry where a field is a list, and by option. */
  counts: Map<string, number>;
  /** The rows that were read, and those of them without a value. */
  rows: number;
  empty: number;
  /** Whether these are all rows that match. */
  isAll: boolean;
};

export type ValuesQuery = Parameters<typeof findMatching>[2] & { field: ValueField };

/** The answer is of use while the operator looks at the dialog that shows it. */
const readMsMax = 300;
const readRowsMax = 100_000;
/** Rows per statement: it takes about 15 ms. */
const rowsPerRead = 2_000;

/**
 * Counts the effective values of a field in the current rows that match the query, without the ignored ones: of the
 * first 100,000, or of as many as can be read in 300 ms.
 */
export async function readFieldValues(
  db: Db,
  record: ImportRecord,
  { field, ...filter }: ValuesQuery,
): Promise<FieldValues> {
  const deadline = performance.now() + readMsMax;
  const of = { ...currentRows(record), oneRowEach: hasOneRowEach(record) };
  const readEntries = await entriesReader(db, of, field);
  const found: FieldValues = { counts: new Map(), rows: 0, empty: 0, isAll: false };
  for (let after = 0; ; ) {
    const msMax = deadline - performance.now();
    if (msMax <= 0 || found.rows >= readRowsMax) return found;
    const page = await findMatching(db, record, filter, { after, limit: rowsPerRead, msMax });
    for (const { entries } of await readEntries(sql`row = any(${page.rows}::int[])`)) {
      found.rows += 1;
      if (entries.length === 0) found.empty += 1;
      for (const entry of entries) found.counts.set(entry, (found.counts.get(entry) ?? 0) + 1);
    }
    if (page.next === null) return { ...found, isAll: true };
    after = page.next;
  }
}
