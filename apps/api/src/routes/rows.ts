import { editRow, listRows } from '@draftshelf/contract/rows';
import type { OpenDatabase } from '@draftshelf/database/connect';
import { type EditResult, editRow as recordEdits } from '@draftshelf/database/edits';
import { readFacets } from '@draftshelf/database/row-facets';
import { readPage } from '@draftshelf/database/row-page';
import { readParseRun } from '@draftshelf/database/runs';
import { readImportVersion } from '@draftshelf/database/screen-reads';
import { inSnapshot } from '@draftshelf/database/snapshot';
import { toRows } from '../read-rows.ts';
import { conflict, importNotFound, notFound } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import { toFacets } from '../to-facets.ts';
import { findImportOr404 } from './imports.ts';

type Deps = { database: OpenDatabase; storeUrlOf: (productId: string) => string };

/** Rows of an import by pages, and edits of one row. */
export function serveRows(api: Api, { database: { db }, storeUrlOf }: Deps): void {
  serve(
    api,
    listRows,
    async ({ params, query }) => {
      return inSnapshot(db, async (snapshot) => {
        const record = await findImportOr404(snapshot, params.id);
        const { headers } = await readParseRun(snapshot, record.id, record.rows_run);
        const facets = await readFacets(snapshot, record);
        const page = await readPage(snapshot, record, facets, query);
        const rows = await toRows(snapshot, record, page.rows, storeUrlOf);
        return { ...page, headers, rows, facets: toFacets(facets) };
      });
    },
    {
      etag: async ({ params }) => {
        const version = await readImportVersion(db, params.id);
        if (version === undefined) throw importNotFound();
        return String(version);
      },
    },
  );
  serve(api, editRow, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const edited = await db.transaction().execute((trx) => recordEdits(trx, id, params.row, body.values));
    if (!edited.ok) throw refusalOf(edited.reason);
    return inSnapshot(db, async (snapshot) => {
      const record = await findImportOr404(snapshot, id);
      const [row] = await toRows(snapshot, record, [edited.row], storeUrlOf);
      if (!row) throw new Error('The edited row is not there');
      const facets = toFacets(await readFacets(snapshot, record));
      return { success: true as const, message: 'The change is saved.', row, facets };
    });
  });
}

function refusalOf(reason: Extract<EditResult, { ok: false }>['reason']) {
  switch (reason) {
    case 'no such row':
      return notFound('There is no row with this number.');
    case 'takes no part':
      return conflict('This row takes no part, so there is nothing to edit.');
    case 'not editable now':
      return conflict('The job cannot be edited in its present status.');
    case 'being sent':
      return conflict('This product is being sent to Shopify at the moment. Edit it after that.');
  }
}
