import * as contract from '@draftshelf/contract/review/pictures';
import type { Db } from '@draftshelf/core/connection/database';
import * as stored from '@draftshelf/core/enrich/file-pictures';
import { addPictureToRow } from '@draftshelf/core/review/edits';
import { currentRows, type RunOfRows } from '@draftshelf/core/work/runs';
import { photoAddress } from '@draftshelf/domain/base/photo-address';
import { pictureStateLabels } from '@draftshelf/domain/enrich/pictures/picture-states';
import { authorOf } from '../http/edit-author.ts';
import { notFound } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { serveCsv } from '../imports/serve-csv.ts';
import { serveImport } from '../imports/serve-import.ts';
import { toEditRefusal } from './rows-routes.ts';

export function servePictures(api: Api): void {
  const { db, changes } = api;
  serveImport(api, contract.listPictures, async ({ record, query: { state, after } }) => {
    const of = currentRows(record);
    const found = await stored.listPictures(db, of, { state, after, limit: contract.picturesPageSize + 1 });
    const pictures = found.slice(0, contract.picturesPageSize).map(({ photo_id, ...picture }) => ({
      ...picture,
      photo: photo_id === null ? null : photoAddress(photo_id),
    }));
    const next = found.length > pictures.length ? (pictures.at(-1)?.n ?? null) : null;
    return { counts: await stored.countPictures(db, of), pictures, next };
  });
  serveCsv(api, contract.getPicturesCsv, 'pictures', ({ record }) => readRecords(db, currentRows(record)));
  serve(api, contract.chooseProduct, async ({ params: { id, n }, body, request }) => {
    return changes.db.transaction().execute(async (trx) => {
      await findImportOr404(trx, id);
      const edited = await addPictureToRow(trx, id, { n, ...body }, authorOf(request));
      if (edited === undefined) throw notFound('Picture not found.');
      if (!edited.ok) throw toEditRefusal(edited);
      const { command } = edited;
      return { success: true as const, message: `Picture added to row ${body.row}.`, command };
    });
  });
}

const recordsPerRead = 1_000;

async function* readRecords(db: Db, of: RunOfRows): AsyncGenerator<string[]> {
  yield ['Picture', 'State', 'Row', 'Title', 'Reason'];
  for (let after = 0; ; ) {
    const page = await stored.listPictures(db, of, { state: undefined, after, limit: recordsPerRead });
    for (const { entry, state, row, title, reason } of page) {
      yield [entry, pictureStateLabels[state], row === null ? '' : String(row), title ?? '', reason ?? ''];
    }
    if (page.length < recordsPerRead) return;
    after = page.at(-1)?.n ?? after;
  }
}
