import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { listPushesOfDrafts } from '@draftshelf/core/push/push-run';
import { draftsAdminUrl } from '@draftshelf/shopify/client';

/** Returns, by import, where the store's admin lists the drafts of its last push. */
export async function readDraftsUrls(
  db: Db,
  records: readonly Pick<ImportRecord, 'id' | 'created' | 'completed_at'>[],
): Promise<Map<string, string>> {
  // A push that runs has not completed.
  const ends = new Map(
    records.flatMap(({ id, created, completed_at }) =>
      created > 0 && completed_at !== null ? [[id, completed_at] as const] : [],
    ),
  );
  const pushes = ends.size === 0 ? [] : await listPushesOfDrafts(db, [...ends.keys()]);
  return new Map(
    pushes.flatMap(({ id, storeUrl, from, to }) => {
      const end = to ?? ends.get(id);
      return end === undefined ? [] : [[id, draftsAdminUrl(storeUrl, from, end)] as const];
    }),
  );
}
