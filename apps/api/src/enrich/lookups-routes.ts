import { reprocessImages } from '@draftshelf/contract/enrich/sources';
import * as lookups from '@draftshelf/core/enrich/lookups/reprocess-images';
import { grouped } from '@draftshelf/domain/base/format';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';

export function serveLookups(api: Api, { database: { db }, changes }: ApiDatabases): void {
  serve(api, reprocessImages, async ({ params }) => {
    const record = await findImportOr404(db, params.id);
    const done = await changes.db.transaction().execute((trx) => lookups.reprocessImages(trx, record.id));
    if (!done.ok) throw conflict(done.reason);
    return { success: true, updatedCount: done.updated, message: updatedSentence(done) };
  });
}

function updatedSentence({ updated, continues }: lookups.ImagesReprocessed): string {
  const words =
    updated === 0
      ? 'No new images were found.'
      : updated === 1
        ? '1 product has a new image.'
        : `${grouped(updated)} products have new images.`;
  return continues ? `${words} The other rows are looked up in the background.` : words;
}
