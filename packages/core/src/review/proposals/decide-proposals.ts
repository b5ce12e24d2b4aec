import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import type { Kysely } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord, ProposalRecord, Schema } from '../../connection/schema.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { currentRows } from '../../work/runs.ts';
import { findRefusal } from '../change-refused.ts';
import { insertCommand } from '../commands/edit-commands.ts';
import {
  buildEdit,
  type EditableRows,
  findHolder,
  listProductsInPush,
  readEditableRows,
  storeEdits,
  toProductNumbers,
} from '../edits.ts';
import type { EffectiveRow } from '../effective-rows.ts';
import { lockRows } from '../rows-lock.ts';
import {
  decideLockedProposals,
  lockOpenProposals,
  readOpenProposals,
  withdrawOtherProposals,
} from './decided-proposals.ts';
import {
  countProposals,
  listProposalIds,
  type ProposalFilter,
  proposalsCountedMax,
} from './listed-proposals.ts';
import { createRecipeApplier } from './values-with-recipes.ts';

/** Proposals per transaction. Each transaction keeps the import's rows locked. */
const proposalsPerPart = 250;

/** 'changed': the field's value differs from `before`. 'several': several values were selected for the field. */
export type UndecidedReason =
  | 'changed'
  | 'being sent'
  | 'gone'
  | 'ignored'
  | 'decided'
  | 'several'
  | 'not editable now';

export type UndecidedProposal = { id: number; reason: UndecidedReason };

/** `decided`: number of taken or dismissed proposals. `stopped`: a failed part's error, and the number left open. */
export type BulkDecisionResult = {
  command: string | null;
  decided: number;
  left: UndecidedProposal[];
  stopped: { open: number; cause: unknown } | null;
};

/** `more`: the number of further matches. If `isAtLeast`, counting stopped at a limit, and there may be more. */
export type FurtherMatches = { more: number; isAtLeast: boolean };

export type ProposalSelection = ({ ok: true; ids: number[] } & FurtherMatches) | { ok: false; count: number };

/** Returns the first `limit` matches up to id `upTo`. Not ok if the number of matches is not `expectedCount`. */
export async function selectProposals(
  db: Db,
  record: ImportRecord,
  conditions: ProposalFilter,
  { expectedCount, limit, upTo }: { expectedCount: number; limit: number; upTo?: number | undefined },
): Promise<ProposalSelection> {
  const filter = { ...conditions, upTo };
  const count = await countProposals(db, currentRows(record), filter);
  if (count !== expectedCount) return { ok: false, count };
  const ids = await listProposalIds(db, currentRows(record), filter, limit);
  return { ok: true, ids, more: count - ids.length, isAtLeast: count >= proposalsCountedMax };
}

/**
 * Takes proposals by one command, in several transactions, in the order of ids. Withdraws other open proposals for the
 * same fields. If a later part fails, its proposals stay open, and `stopped` has the error. If no part has been stored
 * yet, the error is thrown. `db` must not be a transaction.
 */
export async function takeProposals(
  db: Kysely<Schema>,
  importId: string,
  ids: readonly number[],
  author?: string,
): Promise<BulkDecisionResult> {
  const open = await readOpenProposals(db, importId, ids);
  const several = open.filter(({ is_only }) => !is_only);
  const left = [
    ...decidedAlready(ids, open),
    ...several.map(({ id }): UndecidedProposal => ({ id, reason: 'several' })),
  ];
  // If all selected proposals for a field have the same value, the first one is taken. Otherwise, none is taken.
  const single = open.filter(({ is_first, is_only }) => is_first && is_only).map(({ id }) => id);
  const done: BulkDecisionResult = { command: null, decided: 0, left, stopped: null };
  for (let from = 0; from < single.length; from += proposalsPerPart) {
    const part = single.slice(from, from + proposalsPerPart);
    try {
      const taken = await db
        .transaction()
        .execute((trx) => takePart(trx, importId, part, { id: done.command ?? undefined, author }));
      done.command = taken.command;
      done.decided += taken.decided;
      done.left.push(...taken.left);
    } catch (cause) {
      if (done.command === null) throw cause;
      return { ...done, stopped: { open: single.length - from, cause } };
    }
  }
  return done;
}

/** Dismisses proposals by one command, in the caller's transaction. Locks the import's rows first, as edits do. */
export async function dismissProposals(
  db: Db,
  importId: string,
  ids: readonly number[],
  author?: string,
): Promise<BulkDecisionResult> {
  await lockRows(db, importId);
  await lockImport(db, importId);
  const open = await lockOpenProposals(db, importId, ids);
  const left = decidedAlready(ids, open);
  if (open.length === 0) return { command: null, decided: 0, left, stopped: null };
  const command = await insertCommand(db, importId, { kind: 'proposals', author }, 0);
  const openIds = open.map(({ id }) => id);
  await decideLockedProposals(db, importId, openIds, 'dismissed', command);
  await changeImport(db, importId, {});
  return { command, decided: open.length, left, stopped: null };
}

function decidedAlready(ids: readonly number[], open: readonly { id: number }[]): UndecidedProposal[] {
  const known = new Set(open.map(({ id }) => id));
  return ids.filter((id) => !known.has(id)).map((id) => ({ id, reason: 'decided' }));
}

/** `command.id`: the id of the command, if an earlier part has stored it. */
async function takePart(
  db: Db,
  importId: string,
  ids: readonly number[],
  command: { id: string | undefined; author: string | undefined },
): Promise<Omit<BulkDecisionResult, 'stopped'>> {
  const earlier = command.id ?? null;
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  if (!record || (await findRefusal(db, record, 'edit'))) {
    return { command: earlier, decided: 0, left: ids.map((id) => ({ id, reason: 'not editable now' })) };
  }
  const open = await lockOpenProposals(db, importId, ids);
  const left = decidedAlready(ids, open);
  const numbers = open.map(({ row }) => row);
  const read = await readEditableRows(db, record, numbers);
  const sending = await listProductsInPush(db, record, read);
  const taken: Taken[] = [];
  for (const proposal of open) {
    const judged = judge(proposal, read, sending);
    if (typeof judged === 'string') left.push({ id: proposal.id, reason: judged });
    else taken.push({ proposal, ...judged });
  }
  if (taken.length === 0) return { command: earlier, decided: 0, left };
  const theirs = taken
    .filter(({ proposal }) => proposal.source === supplierSource)
    .map(({ proposal: { value }, holder: { row }, field }) => ({ row, field, value }));
  const valueWithRecipes = await createRecipeApplier(db, record, theirs);
  const edits = taken.map(({ proposal: { value, source }, holder, field }) =>
    buildEdit(holder, field, valueWithRecipes({ row: holder.row, field, value }), source),
  );
  const rows = new Set(edits.map(({ row }) => row)).size;
  const id = await insertCommand(db, importId, { kind: 'proposals', ...command }, rows);
  const proposals = taken.map(({ proposal }) => proposal);
  const takenIds = proposals.map((one) => one.id);
  await decideLockedProposals(db, importId, takenIds, 'taken', id);
  const products = toProductNumbers(taken.map(({ holder }) => holder));
  await storeEdits(db, record, id, { edits, products });
  await withdrawOtherProposals(db, importId, proposals, id);
  return { command: id, decided: taken.length, left };
}

type Taken = { proposal: ProposalRecord; holder: EffectiveRow; field: CanonicalField };

/** Returns the row and field that a proposal would edit, or the reason why the proposal stays undecided. */
function judge(
  proposal: ProposalRecord,
  read: EditableRows,
  sending: ReadonlySet<number>,
): Omit<Taken, 'proposal'> | UndecidedReason {
  const row = read.rows.get(proposal.row);
  if (row === undefined || row.byte_from !== proposal.byte_from) return 'gone';
  if (row.ignored !== null) return 'ignored';
  if (sending.has(row.product)) return 'being sent';
  const field = proposal.field as CanonicalField;
  const holder = findHolder(read, row, field);
  const now = holder.values[field] ?? '';
  return now === (proposal.before ?? '') || now === proposal.value ? { holder, field } : 'changed';
}
