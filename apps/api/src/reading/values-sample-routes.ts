import { getValuesSample } from '@draftshelf/contract/reading/values-sample';
import { readConsistently } from '@draftshelf/core/connection/consistent-read';
import { currentRows, hasEnded } from '@draftshelf/core/work/runs';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-job.ts';
import { readValuesSample } from './read-values-sample.ts';

/** Prices and pictures of an import, from some of its rows. */
export function serveValuesSample(api: Api, { database: { db } }: Pick<ApiDatabases, 'database'>): void {
  serve(api, getValuesSample, ({ params }) =>
    readConsistently(db, async (trx) => {
      const record = await findImportOr404(trx, params.id);
      if (!(await hasEnded(trx, currentRows(record)))) {
        throw conflict('The file is still being processed, so its rows can’t be read yet.');
      }
      return readValuesSample(trx, record);
    }),
  );
}
