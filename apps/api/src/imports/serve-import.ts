import type { ReplyOf, Route } from '@draftshelf/contract/route';
import { type Db, readInSnapshot } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { type Api, type Call, serve } from '../http/serve.ts';
import { findImportOr404 } from './read-jobs.ts';

export type ImportCall<R extends Route> = Call<R> & { record: ImportRecord };

/** Serves a route of an import. Replies 404 if the import is unknown. */
export function serveImport<R extends Route>(
  api: Api,
  route: R,
  handler: (call: ImportCall<R>) => Promise<ReplyOf<R>>,
): void {
  serve(api, route, async (call) => handler({ ...call, record: await findCalledImport(api.db, call) }));
}

/** Serves a read of an import from one snapshot. Replies 404 if the import is unknown. */
export function serveSnapshot<R extends Route>(
  api: Api,
  route: R,
  read: (trx: Db, record: ImportRecord, call: Call<R>) => Promise<ReplyOf<R>>,
): void {
  serve(api, route, (call) =>
    readInSnapshot(api.db, async (trx) => read(trx, await findCalledImport(trx, call), call)),
  );
}

/** Finds the import whose id is in a call's path. Throws a Refusal (404) if the import is unknown. */
export const findCalledImport = (db: Db, { request }: Pick<Call<Route>, 'request'>): Promise<ImportRecord> =>
  findImportOr404(db, (request.params as { id: string }).id);
