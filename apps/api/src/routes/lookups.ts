import { decideProposal, listProposals, reprocessImages } from '@draftshelf/contract/lookups';
import { currentRows } from '@draftshelf/database/chunks/runs';
import { readConsistently } from '@draftshelf/database/connection/consistent-read';
import * as stored from '@draftshelf/database/enrich/proposals';
import { readRowsByNumber } from '@draftshelf/database/rows/effective-rows';
import { type LookupField, sourceLabel } from '@draftshelf/domain/sources';
import { type EditResult, editRows } from '@draftshelf/imports/edits/edits';
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
  serve(api, listProposals, ({ params, query }) =>
    readConsistently(db, async (trx) => {
      const record = await findImportOr404(trx, params.id);
      const found = await stored.listProposals(trx, currentRows(record), query.after);
      const rows = await readRowsByNumber(trx, currentRows(record), [
        ...new Set(found.map(({ row }) => row)),
      ]);
      const values = new Map(rows.map((row) => [row.row, row.values]));
      return {
        proposals: found.map(({ id, row, title, field, value, source, attribution, reason }) => ({
          ...{ id, row, title, field, value, attribution, reason },
          before: values.get(row)?.[field as LookupField] ?? null,
          source: sourceLabel(source),
        })),
        total: await stored.countProposals(trx, currentRows(record)),
      };
    }),
  );
  serve(api, decideProposal, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const isTaken = body.action === 'take';
    const command = await changes.db.transaction().execute(async (trx) => {
      const state = isTaken ? 'taken' : 'dismissed';
      const decided = await stored.decideProposal(trx, { importId: id, id: params.proposal }, state);
      if (!decided) throw notFound('This proposal has already been decided.');
      if (!isTaken) return null;
      const expected = body.shown === undefined ? undefined : { [decided.field]: body.shown };
      const change = { row: decided.row, values: { [decided.field]: decided.value }, expected };
      const edited = await editRows(trx, id, { kind: 'single' }, [change]);
      if (!edited.ok) throw takeRefusal(edited);
      await stored.recordTaking(trx, decided, edited.command);
      return edited.command;
    });
    return { success: true as const, message: isTaken ? 'Value taken.' : 'Proposal dismissed.', command };
  });
}

function takeRefusal(refused: Extract<EditResult, { ok: false }>) {
  if (refused.reason !== 'differs') return editRefusal(refused);
  return conflict(
    'Nothing was taken: the value has changed meanwhile. The proposal now shows the current one.',
    refused.current,
  );
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
