import { getImport, getJob, type Job, type JobWithRows, listImports } from '@draftshelf/contract/imports';
import type { Db, OpenDatabase } from '@draftshelf/database/connect';
import { findImport, listQueue, queueVersion } from '@draftshelf/database/imports';
import { countShown, readFacets } from '@draftshelf/database/row-facets';
import { readReadings } from '@draftshelf/database/runs';
import type { ImportRecord } from '@draftshelf/database/schema';
import { readImportVersion } from '@draftshelf/database/screen-reads';
import { inSnapshot } from '@draftshelf/database/snapshot';
import { readWholeRows } from '../read-rows.ts';
import { importNotFound } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import { sharedAnswers } from '../shared-answer.ts';
import { toJob } from '../to-job.ts';

/** So old may the queue list's version be where a worker has changed something: screens poll every two seconds. */
const queueVersionMsMax = 500;

/** The queue list, and one import with its first rows under both of its names. */
export function serveImports(api: Api, { database: { db } }: { database: OpenDatabase }): void {
  const queueVersions = sharedAnswers(() => queueVersion(db), { msMax: queueVersionMsMax, keysMax: 4 });
  // A list is stored under the version that was known before it was read, so it is never older than its ETag. It stays
  // until the version changes: it is read, serialized and compressed once, not once per poller.
  const lists = sharedAnswers(() => readQueue(db), { msMax: Number.POSITIVE_INFINITY, keysMax: 4 });
  // Whoever changes something through this api sees it in the next list.
  api.app.addHook('onSend', (request, _reply, body, done) => {
    if (request.method !== 'GET') {
      queueVersions.forget();
      lists.forget();
    }
    done(null, body);
  });
  serve(api, listImports, async () => lists.get(await queueVersions.get('queue')), {
    etag: () => queueVersions.get('queue'),
  });
  const etag = async ({ params }: { params: { id: string } }) => {
    const version = await readImportVersion(db, params.id);
    if (version === undefined) throw importNotFound();
    return String(version);
  };
  const readWhole = (id: string) => inSnapshot(db, (snapshot) => readJobWithRows(snapshot, id));
  serve(api, getImport, async ({ params }) => ({ success: true as const, job: await readWhole(params.id) }), {
    etag,
  });
  serve(api, getJob, ({ params }) => readWhole(params.id), { etag });
}

/** The import, or the refusal that there is none. */
export async function findImportOr404(db: Db, id: string): Promise<ImportRecord> {
  const record = await findImport(db, id);
  if (!record) throw importNotFound();
  return record;
}

/** The job of an import without its rows. */
export async function readJob(db: Db, record: ImportRecord) {
  const readings = await readReadings(db, [record.id]);
  return toJob(record, readings.get(record.id));
}

async function readQueue(db: Db): Promise<Job[]> {
  const records = await listQueue(db);
  const readings = await readReadings(
    db,
    records.map((record) => record.id),
  );
  return records.map((record) => toJob(record, readings.get(record.id)));
}

async function readJobWithRows(db: Db, id: string): Promise<JobWithRows> {
  const record = await findImportOr404(db, id);
  const [job, rows] = [await readJob(db, record), await readWholeRows(db, record)];
  return { ...job, ...rows, csvDataTotal: countShown(record, await readFacets(db, record)) };
}
