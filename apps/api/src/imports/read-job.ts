import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { importNotFound } from '../http/refusal.ts';
import { readBesideJobs, toJob } from './to-job.ts';

/** The import. Throws a 404 if there is none. */
export async function findImportOr404(db: Db, id: string): Promise<ImportRecord> {
  const record = await findImport(db, id);
  if (!record) throw importNotFound();
  return record;
}

/** An import as a job, without its rows. */
export async function readJob(db: Db, record: ImportRecord) {
  const beside = await readBesideJobs(db, [record]);
  return toJob(record, beside.get(record.id) ?? {});
}
