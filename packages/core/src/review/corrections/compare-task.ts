import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import type { Kysely } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type {
  ChunkRecord,
  CompareProgress,
  CorrectionsCounts,
  CorrectionsRecord,
  Schema,
} from '../../connection/schema.ts';
import { changeImport, findImport } from '../../imports/imports.ts';
import { endUpload } from '../../imports/uploads.ts';
import { lockHeldChunk } from '../../work/claim-chunk.ts';
import { currentRows } from '../../work/runs.ts';
import { dropTasks, enqueueTask, hasTaskFailed, storeTaskProgress } from '../../work/tasks.ts';
import { type ChangeRefusal, findRefusal, notEditableRefusal } from '../change-refused.ts';
import { readLastEditId } from '../commands/stored-edits.ts';
import { type CorrectionRecord, compareRecords } from './compare-records.ts';
import {
  type CorrectionLine,
  findRowAfterLines,
  settleLines,
  storeCorrectedRows,
  storeLines,
} from './correction-lines.ts';
import {
  endFailedComparisons,
  insertCorrections,
  lockComparison,
  type NewCorrections,
  storeCorrectionsComparison,
} from './corrections.ts';

export const recordsPerPart = 1_000;

/** Stores a file of corrections and enqueues its comparison, in the caller's transaction. Returns the file's id. */
export async function beginComparison(
  db: Db,
  importId: string,
  file: Omit<NewCorrections, 'since_edit'>,
): Promise<{ ok: true; id: string } | ChangeRefusal> {
  const record = await findImport(db, importId);
  if (!record) return notEditableRefusal;
  const refused = await findRefusal(db, record, 'bulkEdit');
  if (refused) return refused;
  if (await hasTaskFailed(db, currentRows(record), 'compare-corrections')) {
    await endFailedComparisons(db, currentRows(record));
    await dropTasks(db, importId, ['compare-corrections'], ['dead']);
  }
  if (!(await endUpload(db, file.object_key))) {
    throw new Error('The upload took so long that its file may have been removed as left over');
  }
  const since_edit = await readLastEditId(db, importId);
  const id = await insertCorrections(db, currentRows(record), { ...file, since_edit });
  await enqueueTask(db, currentRows(record), 'compare-corrections', file.source.records);
  await changeImport(db, importId, {});
  return { ok: true, id };
}

/** Compares a part of the file and stores the result. `next`: the start of the next part, or null at the file's end. */
export async function compareFilePart(
  db: Kysely<Schema>,
  chunk: ChunkRecord,
  corrections: CorrectionsRecord,
  at: CompareProgress,
  { records, next }: { records: readonly CorrectionRecord[]; next: CompareProgress | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { done } = await lockHeldChunk(trx, chunk);
    if (!(await lockComparison(trx, corrections))) return;
    const record = await findImport(trx, corrections.import_id);
    if (!record) return;
    const { rows, lines, counts, commas } = await compareRecords(trx, record, corrections, records);
    const repeated = await storeCorrectedRows(trx, corrections, rows);
    const stored = lines.filter(({ place }) => place === null || !repeated.has(place));
    await storeLines(trx, corrections, stored);
    await storeCorrectionsComparison(trx, corrections, {
      at: next ?? { ...at, settled: 0 },
      counts: addCounts(corrections.counts, { ...counts, records: records.length, lines: linesOf(stored) }),
      source: { ...corrections.source, commas },
    });
    await storeTaskProgress(trx, chunk, done + records.length);
  });
}

const settledAtOnce = 5_000;

/** Marks ambiguous lines of the next rows and counts the lines. Call it after all records have been compared. */
export async function countFilePart(
  db: Kysely<Schema>,
  chunk: ChunkRecord,
  corrections: CorrectionsRecord,
  at: CompareProgress,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { done } = await lockHeldChunk(trx, chunk);
    if (!(await lockComparison(trx, corrections))) return;
    const after = at.settled ?? 0;
    const last = await findRowAfterLines(trx, corrections, { after, lines: settledAtOnce });
    const settled = await settleLines(trx, corrections, { after, last });
    await storeCorrectionsComparison(trx, corrections, {
      at: last === null ? null : { ...at, settled: last },
      counts: addCounts(corrections.counts, settled),
      source: corrections.source,
    });
    await storeTaskProgress(trx, chunk, done);
  });
}

/** Counts the lines that have no row. Lines with a row are counted by `countFilePart`. */
function linesOf(lines: readonly CorrectionLine[]): CorrectionsCounts['lines'] {
  const counts: CorrectionsCounts['lines'] = {};
  for (const { kind, row } of lines) if (row === null) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function addCounts(before: CorrectionsCounts, part: Partial<CorrectionsCounts>): CorrectionsCounts {
  const sums = structuredClone(before);
  sums.records += part.records ?? 0;
  sums.rows += part.rows ?? 0;
  addTo(sums.lines, part.lines);
  addTo(sums.unused, part.unused);
  for (const [name, cells] of Object.entries(part.fields ?? {})) {
    const field = name as CanonicalField;
    sums.fields[field] ??= { filled: 0, changed: 0, emptied: 0 };
    addTo(sums.fields[field], cells);
  }
  return sums;
}

function addTo(sums: Record<string, number>, part: Record<string, number> = {}): void {
  for (const [name, count] of Object.entries(part)) sums[name] = (sums[name] ?? 0) + count;
}
