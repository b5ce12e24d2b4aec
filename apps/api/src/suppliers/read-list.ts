import type { List } from '@draftshelf/contract/imports/list';
import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';

/** An import as a version of its supplier's list; null before it has been read, and for a test. */
export async function readList(_db: Db, _record: ImportRecord): Promise<List | null> {
  return null;
}
