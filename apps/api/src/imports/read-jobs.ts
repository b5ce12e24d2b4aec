import type { Job } from '@draftshelf/contract/imports/imports';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { type QueueEntry, readImports } from '@draftshelf/core/imports/queue-page';
import { currentRows, hasRunEnded } from '@draftshelf/core/work/runs';
import type { FastifyBaseLogger } from 'fastify';
import { conflict, importNotFound } from '../http/refusal.ts';
import { readJobExtras, toJob } from './to-job.ts';

/** Maximum number of messages per job in lists. A job may have 100 messages. */
const listedErrorsMax = 3;

/** Number of imports read at a time. It is small, because each import has the mapping of all its columns. */
const importsAtATime = 50;

export type CachedJob = { version: number; job: Job };

/** Reads jobs by id. Imports that were deleted in the meantime are missing from the result. */
export async function readJobs(
  db: Db,
  entries: readonly QueueEntry[],
  log: FastifyBaseLogger,
): Promise<Map<string, CachedJob>> {
  const jobs = new Map<string, CachedJob>();
  for (let from = 0; from < entries.length; from += importsAtATime) {
    const ids = entries.slice(from, from + importsAtATime).map(({ id }) => id);
    const records = await readImports(db, ids);
    const beside = await readJobExtras(db, records);
    for (const record of records) {
      const light = { ...record, error_log: record.error_log.slice(0, listedErrorsMax) };
      const job = toJob(light, beside);
      if (job.isUnreadable) log.error({ importId: record.id }, 'an import cannot be shown');
      jobs.set(record.id, { version: record.version, job });
    }
  }
  return jobs;
}

export async function findImportOr404(db: Db, id: string): Promise<ImportRecord> {
  const record = await findImport(db, id);
  if (!record) throw importNotFound();
  return record;
}

/** Finds an import. Throws a Refusal if its file is still being read. */
export async function findImportWithRows(db: Db, id: string): Promise<ImportRecord> {
  const record = await findImportOr404(db, id);
  if (await hasRunEnded(db, currentRows(record))) return record;
  throw conflict('The file is still being processed, so its rows can’t be read yet.');
}

export const cancelledSentence = ({ reread }: { reread: boolean }): string =>
  reread ? 'Re-read cancelled. The previous rows and your edits are kept.' : 'Import cancelled.';

export const createJobReply = async (db: Db, message: string, record: ImportRecord) => ({
  ...{ success: true as const, message, job: await readJob(db, record) },
});

export const readJob = async (db: Db, record: ImportRecord): Promise<Job> =>
  toJob(record, await readJobExtras(db, [record]));
