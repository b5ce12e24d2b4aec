import { type FieldValues, listValues } from '@draftshelf/contract/review/field-values';
import type { Db } from '@draftshelf/core/connection/database';
import { readFieldValues, type ValuesQuery } from '@draftshelf/core/review/search/field-values';
import { optionsField } from '@draftshelf/domain/base/field-value';
import { splitOptionText } from '@draftshelf/domain/products/variant-options';
import { numberFields } from '@draftshelf/domain/review/operations/operation';
import { clusterValues } from '@draftshelf/domain/review/value-clusters';
import { type Api, serve } from '../http/serve.ts';
import type { LargeReads } from '../http/turns.ts';
import { findImportWithRows } from '../imports/read-jobs.ts';

const shownMax = 50;
/** Longer values are free text, such as descriptions. They are counted, but not listed. */
const shownCharsMax = 500;
/** Maximum number of values to cluster. Clustering more would block other requests for too long. */
const clusteredMax = 10_000;
const notClustered: readonly string[] = numberFields;

export function serveFieldValues(api: Api, { large }: { large: LargeReads }): void {
  const read = async (trx: Db, id: string, query: ValuesQuery): Promise<FieldValues> => {
    const { counts, ...read } = await readFieldValues(trx, await findImportWithRows(trx, id), query);
    const all = Array.from(counts, ([value, rows]) => ({ value, rows }));
    const values = all
      .filter(({ value }) => value.length <= shownCharsMax)
      .sort((one, other) => other.rows - one.rows);
    const clustered = notClustered.includes(query.field) ? [] : values.slice(0, clusteredMax);
    const clusters = clusterValues(clustered, query.field === optionsField ? splitOptionText : undefined);
    return { ...read, values: values.slice(0, shownMax), distinct: all.length, clusters };
  };
  serve(api, listValues, ({ params, query, closed }) =>
    large(closed(), (trx) => read(trx, params.id, query)),
  );
}
