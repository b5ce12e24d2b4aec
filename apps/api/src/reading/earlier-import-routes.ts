import { type EarlierImport, findEarlierImport } from '@draftshelf/contract/reading/upload';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport, findSame } from '@draftshelf/core/imports/imports';
import { countCopiedEdits } from '@draftshelf/core/review/commands/stored-edits';
import { type Api, serve } from '../http/serve.ts';

export function serveEarlierImport(api: Api, { database: { db } }: { database: Pick<OpenDatabase, 'db'> }) {
  serve(api, findEarlierImport, async ({ query }) => {
    const same = await findSame(db, query.sha256);
    const record = same && (await findImport(db, same.id));
    if (!record) return { earlier: null };
    const { id, filename, source, created_at } = record;
    const edits = await countCopiedEdits(db, id);
    return {
      earlier: {
        ...{ id, filename, source, edits },
        createdAt: created_at.toISOString(),
        classes: classesOf(record),
      },
    };
  });
}

function classesOf(record: ImportRecord): EarlierImport['classes'] {
  const isReading = record.status === 'processing' || record.paused_from === 'processing';
  if (record.test_mode || isReading || record.rows_run === 0) return null;
  return {
    products: record.total_products,
    valid: record.valid_products,
    warnings: record.warning_products,
    errors: record.error_products,
  };
}
