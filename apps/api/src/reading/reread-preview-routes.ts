import {
  previewBytesMax,
  previewCellCharsMax,
  previewCellsMax,
  previewRecordsMax,
  previewReread,
  previewRowsMax,
  type RereadPreview,
} from '@draftshelf/contract/reading/reread-preview';
import { type RereadSamples, sampleReread } from '@draftshelf/core/reading/preview-reread';
import type { FileLimits } from '@draftshelf/core/reading/take-file';
import { countAddedRows } from '@draftshelf/core/scanner/added-rows';
import { currentRows, readRunOverrides, shownDialect } from '@draftshelf/core/work/runs';
import type { ScannedTable } from '@draftshelf/csv/dialect';
import { shortened } from '@draftshelf/domain/base/cut-text';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import pLimit from 'p-limit';
import type { ApiDatabases } from '../http/databases.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-job.ts';
import { overridesOfChanges } from './mapping-routes.ts';
import { changesOfChoice } from './table-routes.ts';
import { readTextHead } from './text-head.ts';

type Deps = Pick<ApiDatabases, 'database'> & { storage: ObjectStorage; limits: FileLimits };

/** One preview at a time leaves the processor to polls. */
const previewsAtOnceMax = 1;

type Sample = Exclude<RereadSamples['after'], string>;

/** Shows what a re-read would give before it is started. */
export function serveRereadPreview(api: Api, { database: { db }, storage, limits }: Deps): void {
  const previews = pLimit(previewsAtOnceMax);
  serve(api, previewReread, async ({ params, body }) => {
    const record = await findImportOr404(db, params.id);
    const current = await readRunOverrides(db, currentRows(record));
    const changes = {
      ...(await changesOfChoice(db, record.id, body.dialect ?? {})),
      mapping: overridesOfChanges(body.mapping ?? {}),
    };
    return previews(async () => {
      const options = {
        headOf: (table: ScannedTable | undefined) =>
          readTextHead(record, table, { storage, bytesMax: previewBytesMax, limits }),
        isTest: record.test_mode,
        limits,
        rowsMax: previewRowsMax,
        recordsMax: previewRecordsMax,
      };
      const { isWhole, before, after } = await sampleReread(options, current, changes);
      return { isWhole, ...compare(before, after), added: await countAddedRows(db, record.id) };
    });
  });
}

function compare(
  before: Sample | string,
  after: Sample | string,
): Pick<RereadPreview, 'before' | 'after' | 'problem'> {
  const known = typeof before === 'string' ? null : countsOf(before);
  if (typeof after === 'string') return { before: known, after: null, problem: after };
  return {
    before: known,
    after: {
      ...countsOf(after),
      dialect: shownDialect(after.dialect),
      headers: after.headers.slice(0, previewCellsMax).map(shorten),
      records: after.records.map(toRecord),
    },
    problem: null,
  };
}

const countsOf = ({ rows, classes }: Sample) => ({ rows, ...classes });

function toRecord({ row, class: rowClass, cells, values }: Sample['records'][number]) {
  return {
    row,
    class: rowClass,
    cells: cells.slice(0, previewCellsMax).map(shorten),
    title: values.title === undefined ? null : shorten(values.title),
    price: values.price === undefined ? null : shorten(values.price),
  };
}

const shorten = (text: string): string => shortened(text, previewCellCharsMax);
