import * as contract from '@draftshelf/contract/review/proposals';
import { proposalsDecidedMax } from '@draftshelf/contract/wire';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, ProposalRecord } from '@draftshelf/core/connection/schema';
import { changeImport, lockImport } from '@draftshelf/core/imports/imports';
import { insertCommand } from '@draftshelf/core/review/commands/edit-commands';
import { editRows } from '@draftshelf/core/review/edits';
import { readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import {
  type BulkDecisionResult,
  dismissProposals,
  type FurtherMatches,
  selectProposals,
  takeProposals,
  type UndecidedReason,
} from '@draftshelf/core/review/proposals/decide-proposals';
import * as decisions from '@draftshelf/core/review/proposals/decided-proposals';
import * as stored from '@draftshelf/core/review/proposals/listed-proposals';
import { createRecipeApplier } from '@draftshelf/core/review/proposals/values-with-recipes';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import { readShownName } from '@draftshelf/core/suppliers/suppliers';
import { findBlockingReason } from '@draftshelf/core/work/blocking';
import { currentRows, type RunOfRows } from '@draftshelf/core/work/runs';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { findChoiceProblem } from '@draftshelf/domain/base/field-choices';
import { countOf, formatCount } from '@draftshelf/domain/base/format';
import { sourceLabel, supplierSource } from '@draftshelf/domain/enrich/sources';
import { proposalSentence } from '@draftshelf/domain/suppliers/supplier-proposal';
import { authorOf } from '../http/edit-author.ts';
import { conflict, invalid, notFound } from '../http/refusal.ts';
import type { Api } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { serveImport, serveSnapshot } from '../imports/serve-import.ts';
import { toEditRefusal } from './rows-routes.ts';

export function serveProposals(api: Api): void {
  const { db, changes } = api;
  serveSnapshot(api, contract.listProposals, async (trx, record, { query: { after, limit, ...filter } }) => ({
    proposals: limit === 0 ? [] : await readProposals(trx, record, { filter, after, limit }),
    ...(after === undefined || limit === 0 ? await readCounts(trx, currentRows(record), filter) : uncounted),
  }));
  serveImport(api, contract.decideProposal, async ({ record: { id }, params, body, request }) => {
    const isTaken = body.action === 'take';
    const command = await changes.db.transaction().execute(async (trx) => {
      await lockRows(trx, id);
      await lockImport(trx, id);
      const [proposal] = await decisions.lockOpenProposals(trx, id, [params.proposal]);
      if (!proposal) throw notFound('This proposal has already been decided.');
      if (isTaken) return takeOne(trx, proposal, { ...body, author: authorOf(request) });
      await decisions.decideLockedProposals(trx, id, [proposal.id], 'dismissed', null);
      await changeImport(trx, id, {});
      return null;
    });
    return { success: true as const, message: isTaken ? 'Value accepted.' : 'Proposal dismissed.', command };
  });
  serveImport(api, contract.decideProposals, async ({ record, body, request }) => {
    let ids = body.ids ?? [];
    let further: FurtherMatches = { more: 0, isAtLeast: false };
    if (body.filter !== undefined) {
      const expected = body.expectedCount ?? 0;
      const one = { expectedCount: expected, limit: proposalsDecidedMax, upTo: body.upTo };
      const selected = await selectProposals(db, record, body.filter, one);
      if (!selected.ok) {
        throw conflict(countChangedSentence(selected.count, expected), { count: selected.count });
      }
      ids = selected.ids;
      further = selected;
    }
    const author = authorOf(request);
    const blocked = body.action === 'take' ? await findBlockingReason(db, record, 'edit') : undefined;
    if (blocked !== undefined) throw conflict(blocked);
    const done =
      body.action === 'take'
        ? await takeProposals(changes.db, record.id, ids, author)
        : await changes.db.transaction().execute((trx) => dismissProposals(trx, record.id, ids, author));
    refuseIfNotEditable(done);
    if (done.stopped !== null) request.log.error({ err: done.stopped.cause }, 'a decision stopped');
    return decidedReply(body.action, done, further);
  });
}

function decidedReply(action: 'take' | 'dismiss', done: BulkDecisionResult, further: FurtherMatches) {
  return {
    success: true as const,
    message: decisionSentence(action, done, further),
    command: done.command,
    decided: done.decided,
    left: done.left.slice(0, contract.skippedNamedMax),
    leftMore: Math.max(0, done.left.length - contract.skippedNamedMax),
    more: further.more,
    stopped: done.stopped !== null,
  };
}

async function readProposals(
  db: Db,
  record: ImportRecord,
  page: Parameters<typeof stored.listProposals>[2],
): Promise<contract.Proposal[]> {
  const of = currentRows(record);
  const found = await stored.listProposals(db, of, page);
  const rows = await readRowsByNumber(db, of, [...new Set(found.map(({ row }) => row))]);
  const values = new Map(rows.map((row) => [row.row, row.values]));
  const supplier = found.some(({ source }) => source === supplierSource)
    ? await readShownName(db, record)
    : null;
  const theirs = found.filter(({ source }) => source === supplierSource).map(cellOf);
  const becoming = await createRecipeApplier(db, record, theirs);
  return found.map(({ id, row, title, field, before, source, group_key, ...rest }) => {
    const now = values.get(row)?.[field as CanonicalField] ?? null;
    const { value, attribution, evidence } = rest;
    const becomes = becoming(cellOf({ row, field, value }));
    const reason =
      source === supplierSource
        ? proposalSentence(supplier, { theirs: value, becomes, yours: now, evidence })
        : rest.reason;
    return {
      ...{ id, row, title, field, value, attribution, reason, evidence },
      before: now,
      changed: (now ?? '') !== (before ?? ''),
      source: sourceLabel(source),
      sourceName: source,
      group: group_key,
    };
  });
}

const cellOf = ({ row, field, value }: { row: number; field: string; value: string }) => ({
  ...{ row, field: field as CanonicalField, value },
});

const uncounted = { total: 0, counts: [], groups: [], newest: null };

/** Reads the counts. Only the first page has counts, because counting takes longer than reading a page of proposals. */
async function readCounts(db: Db, of: RunOfRows, filter: stored.ProposalFilter) {
  const counts = await stored.countProposalsByField(db, of);
  return {
    total: await stored.countProposals(db, of, filter),
    counts: counts.map((one) => ({ ...one, label: sourceLabel(one.source) })),
    groups: await stored.listProposalGroups(db, of, filter),
    newest: await stored.readNewestProposalId(db, of),
  };
}

type Taking = { value?: string | undefined; shown?: string | null | undefined; author: string };

/** Accepts a proposal, with the operator's `value` if there is one. Returns the id of the resulting command. */
async function takeOne(trx: Db, proposal: ProposalRecord, { value = proposal.value, shown, author }: Taking) {
  const { id, import_id, field, row } = proposal;
  const single = { kind: 'single', author } as const;
  const command = await insertCommand(trx, import_id, single, 0);
  await decisions.decideLockedProposals(trx, import_id, [id], 'taken', command);
  const source = value === proposal.value ? proposal.source : undefined;
  const record = await findImportOr404(trx, import_id);
  const problem = findChoiceProblem(field, value);
  if (problem !== null) throw invalid(problem, 'value');
  const [current] = await readRowsByNumber(trx, currentRows(record), [row]);
  if (current?.byte_from !== proposal.byte_from) throw toEditRefusal({ ok: false, reason: 'no such row' });
  const expected = shown === undefined ? undefined : { [field]: shown };
  const theirs = source === supplierSource ? [cellOf(proposal)] : [];
  const after = (await createRecipeApplier(trx, record, theirs))(cellOf({ row, field, value }));
  const change = { row, values: { [field]: after }, expected, source };
  const edited = await editRows(trx, import_id, { ...single, id: command }, [change]);
  if (!edited.ok && edited.reason === 'differs') {
    throw conflict(
      'Nothing was accepted: the value has changed meanwhile. The proposal now shows the current value.',
      edited.current,
    );
  }
  if (!edited.ok) throw toEditRefusal(edited);
  await decisions.withdrawOtherProposals(trx, import_id, [proposal], command);
  return command;
}

/** Throws the same refusal as an edit if the import's status alone prevented the decision. */
function refuseIfNotEditable({ command, left }: BulkDecisionResult): void {
  const reasons = new Set(left.map(({ reason }) => reason));
  if (command === null && reasons.size === 1 && reasons.has('not editable now')) {
    throw toEditRefusal({ ok: false, reason: 'not editable now' });
  }
}

const words: Record<UndecidedReason, (count: number) => string> = {
  changed: (count) => `${formatCount(count)} had changed meanwhile`,
  'being sent': (count) => `${countOf(count, 'is', 'are')} being pushed right now`,
  gone: (count) => `${countOf(count, 'belongs', 'belong')} to rows that are gone`,
  ignored: (count) => `${countOf(count, 'belongs', 'belong')} to ignored rows`,
  decided: (count) => `${formatCount(count)} had been decided already`,
  several: (count) =>
    countOf(count, 'is one of several values for its field', 'are among several values for the same fields'),
  'not editable now': (count) => `${formatCount(count)} can’t be edited in the import’s current status`,
};

/** Describes a decision to the operator. `further`: proposals that match but exceed the limit of one decision. */
export function decisionSentence(
  action: 'take' | 'dismiss',
  { decided, left, stopped }: Pick<BulkDecisionResult, 'decided' | 'left' | 'stopped'>,
  further: FurtherMatches,
): string {
  const [one, many] =
    action === 'take'
      ? ['value was accepted', 'values were accepted']
      : ['proposal was dismissed', 'proposals were dismissed'];
  const first = decided === 0 ? `No ${one}` : countOf(decided, one, many);
  const rest = [...Map.groupBy(left, ({ reason }) => reason)].map(([reason, { length }]) =>
    words[reason](length),
  );
  const after = stopped === null ? furtherWords(further) : stoppedWords(stopped.open);
  return `${[first, ...rest].join(', ')}.${after}`;
}

function furtherWords({ more, isAtLeast }: FurtherMatches): string {
  if (more === 0) return '';
  const match = `${isAtLeast ? 'At least ' : ''}${countOf(more, 'more matches', 'more match')}`;
  return ` ${match}; repeat this to decide ${more === 1 ? 'it' : 'them'} too.`;
}

const stoppedWords = (open: number): string =>
  ` Then an error occurred; ${countOf(open, 'more proposal is', 'more proposals are')} still open. Try again in a moment.`;

export const countChangedSentence = (count: number, shown: number): string =>
  `There ${count === 1 ? 'is 1 proposal' : `are ${formatCount(count)} proposals`} now, but ${countOf(
    shown,
    'was',
    'were',
  )} shown. Nothing was decided. Look at the list again.`;
