import { findCorrectedImport, uploadCorrections } from '@draftshelf/contract/review/corrections';
import { discardOnError, type TakenFile } from '@draftshelf/core/reading/take-file';
import {
  createFirstProgress,
  findCorrectionsRefusal,
  toCorrectionsSource,
} from '@draftshelf/core/review/corrections/check-corrections';
import { beginComparison, recordsPerPart } from '@draftshelf/core/review/corrections/compare-task';
import { findImportByTag } from '@draftshelf/core/review/corrections/corrections';
import { scannedKey } from '@draftshelf/csv/object-keys';
import { parseRowKey } from '@draftshelf/domain/review/corrections/row-key';
import { findObject } from '@draftshelf/object-storage/objects';
import { readRecords } from '@draftshelf/object-storage/read-records';
import { conflict, invalid, notFound } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { type IntakeDeps, receiveCsv } from './receive-csv.ts';
import type { ReceiveQueue } from './receive-in-turn.ts';

export function serveCorrectionsUpload(
  api: Api,
  { inTurn, ...deps }: IntakeDeps & { inTurn: ReceiveQueue },
): void {
  const { db } = deps.intake;
  serve(api, findCorrectedImport, async ({ params }) => {
    const key = parseRowKey(params.key);
    const found = key && (await findImportByTag(db, key.tag));
    if (!found) throw notFound('The import of these corrections was not found.');
    return found;
  });
  serve(api, uploadCorrections, ({ params, request, reply }) =>
    inTurn({ request, reply }, async (ends) => {
      const { id } = await findImportOr404(db, params.id);
      const recall = async () => undefined;
      const { file, filename } = await receiveCsv(request, { ...deps, ...ends, recall });
      return discardOnError(file, deps.storage, async () => {
        const given = await readHead(file, deps);
        const refusal = await findCorrectionsRefusal(db, id, {
          headers: file.read.headers,
          records: given.records,
          isAll: given.isAll,
        });
        if (refusal !== null) throw invalid(refusal);
        const { object_key, source, at } = given;
        const begun = await db
          .transaction()
          .execute((trx) => beginComparison(trx, id, { filename, object_key, source, at }));
        if (!begun.ok) {
          throw conflict(
            begun.reason === 'blocked' ? begun.sentence : 'Rows can’t be edited in this status.',
          );
        }
        return { id: begun.id, records: source.records };
      });
    }),
  );
}

async function readHead(
  { objectKey, read }: TakenFile,
  { storage, limits }: Pick<IntakeDeps, 'storage' | 'limits'>,
) {
  const key = scannedKey(objectKey, read.dialect);
  const bytes = (await findObject(storage, key))?.bytes ?? 0;
  const at = createFirstProgress(read);
  const table = { ...read, key, bytes };
  const { records, next } = await readRecords(storage, table, { at, max: recordsPerPart, limits });
  return {
    records,
    isAll: next === null,
    object_key: objectKey,
    at,
    source: toCorrectionsSource(read, records, bytes),
  };
}
