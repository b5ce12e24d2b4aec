import { getValuesSample } from '@draftshelf/contract/values-sample';
import { currentRows, hasEnded } from '@draftshelf/database/chunks/runs';
import { readConsistently } from '@draftshelf/database/connection/consistent-read';
import type { ApiDatabases } from '../databases.ts';
import { findImportOr404 } from '../read-job.ts';
import { readValuesSample } from '../read-values-sample.ts';
import { conflict } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';

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
