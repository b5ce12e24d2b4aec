import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import { sql } from 'kysely';
import type { ImportRecord } from '../connection/schema.ts';

/** SQL table of the imports that dashboard and history list. Imports that operators do not see are left out here. */
export const shownImports = sql`import_records as imports`;

/** Whether activity and counters tell of an import. The same imports as `shownImports`. */
export function isShown(_record: ImportRecord): boolean {
  return true;
}

/** SQL list of the final statuses, written out, because the conditions of partial indexes need constants. */
export const finalList = sql.join(finalStatuses.map((status) => sql.lit(status)));
