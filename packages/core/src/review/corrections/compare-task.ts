import type { Kysely } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type {
  ChunkRecord,
  CorrectionsCounts,
  CorrectionsRecord,
  RecordAt,
  Schema,
} from '../../connection/schema.ts';
import { changeImport, findImport } from '../../imports/imports.ts';
import { endUpload } from '../../imports/uploads.ts';
import { lockHeld } from '../../work/claim-chunk.ts';
import { currentRows } from '../../work/runs.ts';
import { dropTasks, enqueueTask, hasTaskFailed, storeTaskProgress } from '../../work/tasks.ts';
import type { ChangeRefused } from '../change-refused.ts';
import { refusedNow } from '../commands/begin-command.ts';
import { lastEdit } from '../commands/stored-edits.ts';
import { type ComparedRecords, type CorrectionRecord, compareRecords } from './compare-records.ts';
import { settleLines, storeCorrectedRows, storeLines } from './correction-lines.ts';
import {
  endComparisons,
  insertCorrections,
  lockComparison,
  type NewCorrections,
  storeCorrectionsComparison,
} from './corrections.ts';

export const comparedAtOnce = 1_000;

/** Records a stored file of corrections in the caller's transaction; a task compares it. Returns its id. */
export async function beginComparison(
  db: Db,
  importId: string,
  file: Omit<NewCorrections, 'since_edit'>,
): Promise<{ ok: true; id: string } | ChangeRefused> {
  const record = await findImport(db, importId);
  if (!record) return { ok: false, reason: 'not editable now' };
  const refused = await refusedNow(db, record, 'bulkEdit');
  if (refused) return refused;
  if (await hasTaskFailed(db, currentRows(record), 'compare-corrections')) {
    await endComparisons(db, currentRows(record));
    await dropTasks(db, importId, ['compare-corrections'], ['dead']);
  }
  if (!(await endUpload(db, file.object_key))) {
    throw new Error('The upload took so long that its file may have been removed as left over');
  }
  const since_edit = await lastEdit(db, importId);
  const id = await insertCorrections(db, currentRows(record), { ...file, since_edit });
  await enqueueTask(db, currentRows(record), 'compare-corrections', file.source.records);
  await changeImport(db, importId, {});
  return { ok: true, id };
}

/** `next`: where the following part begins; null: the comparison ends with this one. */
export async function comparePart(
  db: Kysely<Schema>,
  chunk: ChunkRecord,
  corrections: CorrectionsRecord,
  { records, next }: { records: readonly CorrectionRecord[]; next: RecordAt | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { done } = await lockHeld(trx, chunk);
    if (!(await lockComparison(trx, corrections))) return;
    const record = await findImport(trx, corrections.import_id);
    if (!record) return;
    const { rows, lines, counts, commas } = await compareRecords(trx, record, corrections, records);
    const repeated = await storeCorrectedRows(trx, corrections, rows);
    const stored = lines.filter(({ place }) => place === null || !repeated.has(place));
    await storeLines(trx, corrections, stored);
    const sums = addCounts(corrections.counts, { records: records.length, ...counts });
    await storeCorrectionsComparison(trx, corrections, {
      at: next,
      counts: next ? sums : withLines(sums, await settleLines(trx, corrections)),
      source: { ...corrections.source, commas },
    });
    await storeTaskProgress(trx, chunk, done + records.length);
  });
}

function addCounts(
  { fields, unused, ...counts }: CorrectionsCounts,
  part: ComparedRecords['counts'] & { records: number },
): CorrectionsCounts {
  const sums = { ...counts, fields: { ...fields }, unused: { ...unused } };
  sums.records += part.records;
  for (const [name, cells] of Object.entries(part.unused))
    sums.unused[name] = (sums.unused[name] ?? 0) + cells;
  for (const [name, { filled }] of Object.entries(part.fields)) {
    const field = name as keyof typeof fields;
    sums.fields[field] = { changed: 0, emptied: 0, filled: filled + (fields[field]?.filled ?? 0) };
  }
  return sums;
}

function withLines(
  counts: CorrectionsCounts,
  { fields, lines, rows }: Awaited<ReturnType<typeof settleLines>>,
): CorrectionsCounts {
  const ofFields = { ...counts.fields };
  for (const { field, ...changed } of fields)
    ofFields[field] = { filled: counts.fields[field]?.filled ?? 0, ...changed };
  return { ...counts, lines, rows, fields: ofFields };
}
