import { editRow, getProduct, listRows, undoEdits, undoneRowsMax } from '@draftshelf/contract/review/rows';
import { listedProductRowsMax, nothingToUndoCode } from '@draftshelf/contract/wire';
import { type Db, readInSnapshot } from '@draftshelf/core/connection/database';
import type { ImportRecord, RowFacet } from '@draftshelf/core/connection/schema';
import { readRowsVersion } from '@draftshelf/core/imports/imports';
import { productsPerBatch } from '@draftshelf/core/reading/validate-products';
import type { ChangeRefusal } from '@draftshelf/core/review/change-refused';
import { undoCommand } from '@draftshelf/core/review/commands/begin-undo';
import { readFirstEdits } from '@draftshelf/core/review/commands/edit-history';
import { editRows } from '@draftshelf/core/review/edits';
import { readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import { findProductRows, readUneditedValues } from '@draftshelf/core/review/product-rows';
import { countShownRows } from '@draftshelf/core/review/row-facets';
import { hasStoredCount } from '@draftshelf/core/review/search/row-filter';
import { type RowPage, type RowQuery, readFilteredPage } from '@draftshelf/core/review/search/row-page';
import { currentRows, readParseRun } from '@draftshelf/core/work/runs';
import { countOf } from '@draftshelf/domain/base/format';
import { leaveOutField, leaveOutValue } from '@draftshelf/domain/review/edited-field';
import { authorOf } from '../http/edit-author.ts';
import { conflict, importNotFound, invalid, notFound, Refusal } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import type { LargeReads } from '../http/turns.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { serveImport, serveSnapshot } from '../imports/serve-import.ts';
import { editsReadForSentence, rowChangeSentence } from './edit-sentence.ts';
import { readPictures } from './image-states.ts';
import type { PictureHosts } from './read-rows.ts';
import { readShownRows, toFacetCounts } from './to-row.ts';

type Deps = PictureHosts & { large: LargeReads };

export function serveRows(api: Api, { large, ...shown }: Deps): void {
  const { db, changes } = api;
  const readRows = async (trx: Db, id: string, query: Parameters<typeof readRequested>[3]) => {
    const record = await findImportOr404(trx, id);
    const of = currentRows(record);
    const run = await readParseRun(trx, of);
    const page = await readRequested(trx, record, run.facets, query);
    const rows = await readShownRows(trx, record, page.rows, shown, run);
    return { ...page, headers: run.headers, run: of.run, rows, facets: toFacetCounts(run.facets) };
  };
  serve(
    api,
    listRows,
    ({ params, query, closed }) => {
      const read = (trx: Db) => readRows(trx, params.id, query);
      return isLarge(query) ? large(closed(), read) : readInSnapshot(db, read);
    },
    {
      isShared: true,
      etag: async ({ params }) => {
        const version = await readRowsVersion(db, params.id);
        if (version === undefined) throw importNotFound();
        return version;
      },
    },
  );
  serveSnapshot(api, getProduct, async (trx, record, { params, query }) => {
    const of = currentRows(record);
    const window = { from: query.from, limit: listedProductRowsMax };
    const found = await findProductRows(trx, of, params.product, window);
    if (!found) throw notFound('Product not found.');
    const effective = await readRowsByNumber(trx, of, [found.first, ...found.numbers]);
    const unedited = await readUneditedValues(trx, of, effective);
    const whole = await readShownRows(trx, record, effective, shown, await readParseRun(trx, of));
    const rows = whole.map((row) => ({ ...row, unedited: unedited.get(row.row) ?? {} }));
    const [first] = rows;
    if (!first) throw notFound('Product not found.');
    const ofWindow = rows.filter(({ row }) => found.numbers.includes(row));
    const pictures = await readPictures(trx, record.id, effective, shown.imageHosts);
    return { product: params.product, first, rows: ofWindow, totalRows: found.total, pictures };
  });
  const readChanged = async (trx: Db, record: ImportRecord, numbers: readonly number[]) => {
    const of = currentRows(record);
    const rows = await readRowsByNumber(trx, of, numbers);
    const run = await readParseRun(trx, of);
    return { rows: await readShownRows(trx, record, rows, shown, run), facets: toFacetCounts(run.facets) };
  };
  serve(api, editRow, async ({ params, body, request }) => {
    const { leaveOut, expected } = body;
    const leaving = leaveOut === undefined ? {} : { [leaveOutField]: leaveOutValue(leaveOut) };
    const change = { row: params.row, values: { ...body.values, ...leaving }, expected };
    // The reply is read in the same transaction, so that a failed read rolls the edit back.
    return changes.db.transaction().execute(async (trx) => {
      const edited = await editRows(trx, params.id, { kind: 'single', author: authorOf(request) }, [change]);
      if (!edited.ok) throw toEditRefusal(edited);
      const { rows, facets } = await readChanged(trx, edited.record, [params.row]);
      const [row] = rows;
      if (!row) throw new Error('The edited row is missing');
      const { command } = edited;
      const edits = await readFirstEdits(trx, currentRows(edited.record), [command], editsReadForSentence);
      return { success: true as const, message: `${rowChangeSentence(edits)}.`, command, row, facets };
    });
  });
  serveImport(api, undoEdits, async ({ record: { id }, params, request }) => {
    const author = authorOf(request);
    return changes.db.transaction().execute(async (trx) => {
      const undone = await undoCommand(trx, id, params.command, author);
      if (!undone.ok) throw toEditRefusal(undone);
      const { command, kind, inBackground, left } = undone;
      const message = inBackground ? beingDone[kind] : doneSentence(kind, left);
      const record = await findImportOr404(trx, id);
      const changed = await readChanged(trx, record, undone.rows.slice(0, undoneRowsMax));
      return { success: true as const, message, command, left, inBackground, ...changed };
    });
  });
}

const isLarge = (query: RowQuery): boolean => query.sort !== undefined || !hasStoredCount(query);

async function readRequested(
  trx: Db,
  record: ImportRecord,
  facets: readonly RowFacet[],
  { rows: named, ...query }: RowQuery & { rows?: string | undefined },
): Promise<RowPage> {
  if (named === undefined) return readFilteredPage(trx, record, facets, query);
  const rows = await readRowsByNumber(trx, currentRows(record), named.split(',').map(Number));
  const totalRows = countShownRows(record, facets);
  return { rows, earlier: false, later: false, matching: null, totalRows, sorted: null };
}

const beingDone = { undo: 'The change is being undone.', redo: 'The change is being applied again.' };

function doneSentence(kind: 'undo' | 'redo', left: number): string {
  const done = kind === 'undo' ? 'Change undone' : 'Change applied again';
  if (left === 0) return `${done}.`;
  return `${done}, except for ${countOf(left, 'value that has', 'values that have')} been edited since.`;
}

const nothingToUndo = (message: string) => new Refusal(409, { code: nothingToUndoCode, message });

/** Returns the refusal of a command whose row numbers are of another run: a re-read has renumbered the rows. */
export const rowsRereadRefusal = () =>
  conflict('The rows have been read again since you chose them. Nothing was changed; choose them again.');

export function toEditRefusal(refused: ChangeRefusal) {
  switch (refused.reason) {
    case 'differs':
      return conflict(
        'This product was changed after you opened it. Nothing was saved; choose which values to keep.',
        refused.current,
      );
    case 'no such command':
      return notFound('Change not found.');
    case 'undone already':
      return nothingToUndo('This change has already been undone.');
    case 'changed since':
      return nothingToUndo('Nothing was undone. All values of this change have been edited since.');
    case 'no such import':
      return importNotFound();
    case 'no such row':
      return notFound('Row not found.');
    case 'read again':
      return rowsRereadRefusal();
    case 'invalid':
      return invalid(refused.sentence);
    case 'blocked':
      return conflict(refused.sentence);
    default:
      return conflict(editConflicts[refused.reason]);
  }
}

const editConflicts = {
  'too many': `One change can affect at most ${productsPerBatch} products.`,
  'not offered': 'The offered changes are out of date. Nothing was changed; choose again.',
  'no rows': 'There are no rows to change.',
  'not kept': 'These corrections expired after 30 days. Upload the file again.',
  'not stopped': 'This change isn’t stopped, so there’s nothing to resume.',
  'not compared': 'The corrections are still being compared. Wait until that has ended.',
  'applied already': 'These corrections have been applied already. Undo or redo them in the history.',
  ignored: 'This row is ignored, so it can’t be edited.',
  'not editable now': 'Rows can’t be edited in this status.',
  'being sent': 'This product is being pushed right now. Edit it after the push.',
};
