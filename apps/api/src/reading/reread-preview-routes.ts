import * as contract from '@draftshelf/contract/reading/reread-preview';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { type RereadSamples, sampleReread, type TextHead } from '@draftshelf/core/reading/preview-reread';
import type { FileLimits } from '@draftshelf/core/reading/take-file';
import { countAddedRows } from '@draftshelf/core/scanner/added-rows';
import { currentRows, readRunOverrides, toShownDialect } from '@draftshelf/core/work/runs';
import type { ScannedTable } from '@draftshelf/csv/dialect';
import { tableKey } from '@draftshelf/csv/object-keys';
import { shortenText } from '@draftshelf/domain/base/cut-text';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { isMissingObjectError } from '@draftshelf/object-storage/object-errors';
import { getRange } from '@draftshelf/object-storage/objects';
import { withContainer } from '@draftshelf/object-storage/store-table';
import pLimit from 'p-limit';
import type { Api } from '../http/serve.ts';
import { serveImport } from '../imports/serve-import.ts';
import { toMappingOverrides } from './mapping-routes.ts';
import { findRereadChanges } from './table-routes.ts';

type Deps = { storage: ObjectStorage; limits: FileLimits };

/** One preview at a time, so that the processor has time for polls. */
const previewsAtOnceMax = 1;

type Sample = Exclude<RereadSamples['after'], string>;

export function serveRereadPreview(api: Api, { storage, limits }: Deps): void {
  const { db } = api;
  const previews = pLimit(previewsAtOnceMax);
  serveImport(api, contract.previewReread, async ({ record, body }) => {
    const current = await readRunOverrides(db, currentRows(record));
    const changes = {
      ...(await findRereadChanges(db, record.id, body.dialect ?? {})),
      mapping: toMappingOverrides(body.mapping ?? {}),
    };
    return previews(async () => {
      const options = {
        headOf: (table: ScannedTable | undefined) => readTextHead(record, table, { storage, limits }),
        isTest: record.test_mode,
        limits,
        rowsMax: contract.previewRowsMax,
        recordsMax: contract.previewRecordsMax,
      };
      const { isWhole, before, after } = await sampleReread(options, current, changes);
      return {
        isWhole,
        before: typeof before === 'string' ? null : countsOf(before),
        after: typeof after === 'string' ? null : toAfter(after),
        problem: typeof after === 'string' ? after : null,
        added: await countAddedRows(db, record.id),
      };
    });
  });
}

const toAfter = (sample: Sample): contract.RereadPreview['after'] => ({
  ...countsOf(sample),
  dialect: toShownDialect(sample.dialect),
  headers: sample.headers.slice(0, contract.previewCellsMax).map(shorten),
  records: sample.records.map(toRecord),
});

const countsOf = ({ rows, classes }: Sample) => ({ rows, ...classes });

function toRecord({ row, class: rowClass, cells, values }: Sample['records'][number]) {
  return {
    row,
    class: rowClass,
    cells: cells.slice(0, contract.previewCellsMax).map(shorten),
    title: values.title === undefined ? null : shorten(values.title),
    price: values.price === undefined ? null : shorten(values.price),
  };
}

const shorten = (text: string): string => shortenText(text, contract.previewCellCharsMax);

async function readTextHead(
  { object_key: objectKey, file_bytes: fileBytes }: Pick<ImportRecord, 'object_key' | 'file_bytes'>,
  table: ScannedTable | undefined,
  { storage, limits }: Pick<Deps, 'storage' | 'limits'>,
): Promise<TextHead> {
  const bytesMax = contract.previewBytesMax;
  const head = (key: string) => getRange(storage, key, 0, Buffer.alloc(bytesMax));
  if (!table) {
    const bytes = await head(objectKey);
    return { bytes, isWhole: bytes.length >= fileBytes };
  }
  const bytes = await head(tableKey(objectKey, table)).catch((error: unknown) => {
    if (!isMissingObjectError(error)) throw error;
    return withContainer(storage, { objectKey, fileBytes }, limits, async (container) => {
      return Buffer.concat(await Array.fromAsync(container.read(table.n, { headBytes: bytesMax })));
    });
  });
  return { bytes: bytes.subarray(0, bytesMax), isWhole: bytes.length < bytesMax };
}
