import { decideProposal, listProposals, reprocessImages } from '@draftshelf/contract/lookups';
import * as stored from '@draftshelf/database/enrich/proposals';
import { sourceLabel } from '@draftshelf/domain/sources';
import { editRows } from '@draftshelf/imports/edits/edits';
import * as lookups from '@draftshelf/imports/lookups/reprocess-images';
import type { ApiDatabases } from '../databases.ts';
import { conflict, notFound } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import { findImportOr404 } from './imports.ts';
import { editRefusal } from './rows.ts';

/** 'Update Images', and the proposals of an import. */
export function serveLookups(api: Api, { database: { db }, changes }: ApiDatabases): void {
  serve(api, reprocessImages, async ({ params }) => {
    const record = await findImportOr404(db, params.id);
    const done = await changes.db.transaction().execute((trx) => lookups.reprocessImages(trx, record.id));
    if (!done.ok) throw conflict(done.reason);
    return { success: true, updatedCount: done.updated, message: updatedSentence(done) };
  });
  serve(api, listProposals, async ({ params, query }) => {
    const record = await findImportOr404(db, params.id);
    const found = await stored.listProposals(db, record, query.after);
    return {
      proposals: found.map(({ id, row, title, field, before, value, source, attribution, reason }) => ({
        ...{ id, row, title, field, before, value, attribution, reason },
        source: sourceLabel(source),
      })),
      total: await stored.countProposals(db, record.id),
    };
  });
  serve(api, decideProposal, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const take = body.action === 'take';
    await changes.db.transaction().execute(async (trx) => {
      const decided = await stored.decideProposal(
        trx,
        { importId: id, id: params.proposal },
        take ? 'taken' : 'dismissed',
      );
      if (!decided) throw notFound('This proposal has already been decided.');
      if (!take) return;
      const change = { row: decided.row, values: { [decided.field]: decided.value } };
      const edited = await editRows(trx, id, { kind: 'single' }, [change]);
      if (!edited.ok) throw editRefusal(edited);
      await stored.dismissOthers(trx, decided);
    });
    return { success: true as const, message: take ? 'Value taken.' : 'Proposal dismissed.' };
  });
}

function updatedSentence({ updated, continues }: lookups.ImagesReprocessed): string {
  const words =
    updated === 0
      ? 'No new images were found.'
      : updated === 1
        ? '1 product has a new image.'
        : `${updated} products have new images.`;
  return continues ? `${words} The other rows are looked up in the background.` : words;
}
