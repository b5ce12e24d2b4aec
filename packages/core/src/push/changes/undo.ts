import { canDo } from '@draftshelf/domain/imports/import-status';
import {
  type ChoiceIfUnsure,
  listUndoChoices,
  type UndoChoice,
  type UndoCode,
  unconfirmedChosenDeletionsMax,
  unconfirmedDeletionsMax,
  undoCodes,
} from '@draftshelf/domain/push/push-undo';
import { applyUndoChoices, listUndoSums } from '@draftshelf/domain/push/undo-actions';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord, PushUndoRecord } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { endAsking } from '../../enrich/ai/ai-imports.ts';
import { type ActionRefusal, type ActionResult, refuseInStatus } from '../../imports/action-result.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { findBlockingReason } from '../../work/blocking.ts';
import { chooseLine, clearChoices, countChosenLines } from '../previews/change-lines.ts';
import { beginPreview, changePreview, findPreview } from '../previews/previews.ts';
import { findUndoablePush } from '../previews/push-undos.ts';
import { hasHeldPushChunk } from '../sending.ts';
import { beginPreviewRun, hasPreviewRun, stopUndo } from './carry-out.ts';

const nothingToUndo: ActionRefusal = {
  ok: false,
  reason:
    'This import has no push that can be undone. A push that wrote products can be undone once, within 90 days.',
};
const stillSending: ActionRefusal = {
  ok: false,
  reason: 'The last products of the push are still being sent. Try again in a moment.',
};

/** Locks an import whose push can be undone now. Refuses imports for which `isRefused` returns true. */
export async function lockUndoableImport(
  db: Db,
  id: string,
  isRefused: (record: ImportRecord) => boolean = () => false,
): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('undoPush', record.status) || isRefused(record)) return refuseInStatus(record);
  const reason = await findBlockingReason(db, record, 'undoPush');
  if (reason !== undefined) return { ok: false, reason };
  return (await hasHeldPushChunk(db, id)) ? stillSending : { ok: true, import: record };
}

/** Begins the preview of an undo of a push run, by default of the last undoable run. Needs its own transaction. */
export async function previewUndo(
  db: Db,
  id: string,
  { run, whenUnsure }: { run?: number | undefined; whenUnsure: ChoiceIfUnsure },
): Promise<ActionResult> {
  const locked = await lockUndoableImport(db, id);
  if (!locked.ok) return locked;
  const push = await findUndoablePush(db, id, run);
  if (!push) return nothingToUndo;
  // The preview can no longer be refused, so a failed undo is stopped now. The preview covers the remaining changes.
  const record = hasPreviewRun(locked.import) ? await stopUndo(db, locked.import) : locked.import;
  return beginPreview(db, record, {
    ...{ kind: 'undo', shop: push.shop, undoes_run: push.run },
    ...{ made_at_run: record.push_run, when_unsure: whenUnsure },
  });
}

type Chosen = { ok: true; products: number } | ActionRefusal;

const begun: ActionRefusal = {
  ok: false,
  reason: 'You can only choose after an undo was previewed and before it starts. Preview the undo again.',
};
const notAllowed: ActionRefusal = { ok: false, reason: 'This choice can’t be made for this product.' };

async function lockPreview(db: Db, id: string): Promise<PushUndoRecord | undefined> {
  if (!(await lockImport(db, id))) return undefined;
  const undo = await findPreview(db, id, 'undo');
  if (!undo || undo.run !== null) return undefined;
  await changeImport(db, id, {});
  return undo;
}

/** Stores a choice for one product. Null removes the choice. Call it inside a transaction. */
export async function chooseUndoForLine(
  db: Db,
  id: string,
  line: number,
  choice: UndoChoice | null,
): Promise<Chosen> {
  const undo = await lockPreview(db, id);
  if (!undo) return begun;
  const products = await chooseLine(db, undo.id, line, choice);
  return products === 0 ? notAllowed : { ok: true, products };
}

/** Stores a choice for all products that the undo keeps because of `code`. Replaces choices for single products. */
export async function chooseUndoForCode(
  db: Db,
  id: string,
  code: string,
  choice: UndoChoice | null,
): Promise<Chosen> {
  const undo = await lockPreview(db, id);
  if (!undo) return begun;
  const known = undoCodes.find((one) => one === code);
  if (!known || !listUndoChoices(true, known).some((one) => choice === null || one === choice))
    return notAllowed;
  await changePreview(db, undo.id, { choices: storableJson(withChoice(undo, known, choice)) });
  await clearChoices(db, undo.id, known);
  const products = listUndoSums(undo.sums)
    .filter((sum) => sum.code === known && sum.choosable)
    .reduce((all, sum) => all + sum.products, 0);
  return { ok: true, products };
}

const withChoice = ({ choices }: PushUndoRecord, code: UndoCode, choice: UndoChoice | null) => {
  const { [code]: _, ...others } = choices;
  return choice === null ? others : { ...others, [code]: choice };
};

/** Counts the products that an undo would delete, given the choices made so far. */
export async function countDeletions(
  db: Db,
  undo: Pick<PushUndoRecord, 'id' | 'sums' | 'choices'>,
): Promise<ReturnType<typeof applyUndoChoices>> {
  return applyUndoChoices(listUndoSums(undo.sums), undo.choices, await countChosenLines(db, undo.id));
}

/** Returns whether the operator has to type the number of deletions. */
export const mustConfirmDeletions = ({
  deletions,
  deletedAnyway,
}: ReturnType<typeof applyUndoChoices>): boolean =>
  deletions > unconfirmedDeletionsMax || deletedAnyway > unconfirmedChosenDeletionsMax;

/** Carries out an undo as the next push run. `deletions`: number typed by the operator. Needs its own transaction. */
export async function beginUndoPush(
  db: Db,
  id: string,
  { run, deletions }: { run: number; deletions?: number | undefined },
): Promise<ActionResult> {
  const locked = await lockUndoableImport(db, id);
  if (!locked.ok) return locked;
  const undo = await findPreview(db, id, 'undo');
  const refused = await refusalOf(db, locked.import, undo, { run, deletions });
  if (refused || !undo) return refused ?? notPreviewed;
  const moved = await beginPreviewRun(db, locked.import, undo);
  await endAsking(db, id, 'A push is being undone, so asking AI was stopped.');
  return { ok: true, import: moved };
}

const notPreviewed: ActionRefusal = {
  ok: false,
  reason: 'The undo of this push has not been previewed. Preview it first.',
};

async function refusalOf(
  db: Db,
  record: ImportRecord,
  undo: PushUndoRecord | undefined,
  { run, deletions }: { run: number; deletions?: number | undefined },
): Promise<ActionRefusal | undefined> {
  if (!undo || undo.undoes_run !== run || undo.run !== null || undo.problem !== null) return notPreviewed;
  if (undo.previewed_at === null) {
    return { ok: false, reason: 'The undo is still being previewed. Wait until that has ended.' };
  }
  if (undo.made_at_run !== record.push_run) {
    return { ok: false, reason: 'The import was pushed after the preview. Preview the undo again.' };
  }
  const planned = await countDeletions(db, undo);
  if (!mustConfirmDeletions(planned) || deletions === planned.deletions) return undefined;
  const products = planned.deletions.toLocaleString('en-US');
  return {
    ok: false,
    reason: `${products} products would be deleted. Type this number to confirm it.`,
  };
}
