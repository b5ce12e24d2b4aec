import { type UndoChoice, type UndoCode, undoChoicesFor, undoCodes } from '@draftshelf/domain/push/push-undo';
import { undoSumsOf } from '@draftshelf/domain/push/undo-actions';
import type { Db } from '../../connection/database.ts';
import type { PushUndoRecord } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import type { ActionRefused } from '../../imports/action-result.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { changePreview, findPreview } from '../previews/previews.ts';
import { chooseLine, clearChoices } from '../previews/undo-lines.ts';

type Chosen = { ok: true; products: number } | ActionRefused;

const begun: ActionRefused = {
  ok: false,
  reason: 'Choices can be made between the preview of an undo and its start. Preview it again.',
};
const notAllowed: ActionRefused = { ok: false, reason: 'This choice can’t be made for this product.' };

async function lockPreview(db: Db, id: string): Promise<PushUndoRecord | undefined> {
  if (!(await lockImport(db, id))) return undefined;
  const undo = await findPreview(db, id, 'undo');
  if (!undo || undo.run !== null) return undefined;
  await changeImport(db, id, {});
  return undo;
}

/** Chooses for one product; null takes the choice back. In a transaction. */
export async function chooseForLine(
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

/** Chooses for all products kept for a reason, also those with a choice of their own. */
export async function chooseForCode(
  db: Db,
  id: string,
  code: string,
  choice: UndoChoice | null,
): Promise<Chosen> {
  const undo = await lockPreview(db, id);
  if (!undo) return begun;
  const known = undoCodes.find((one) => one === code);
  if (!known || !undoChoicesFor(true, known).some((one) => choice === null || one === choice))
    return notAllowed;
  await changePreview(db, undo.id, { choices: storableJson(withChoice(undo, known, choice)) });
  await clearChoices(db, undo.id, known);
  const products = undoSumsOf(undo.sums)
    .filter((sum) => sum.code === known && sum.choosable)
    .reduce((all, sum) => all + sum.products, 0);
  return { ok: true, products };
}

const withChoice = ({ choices }: PushUndoRecord, code: UndoCode, choice: UndoChoice | null) => {
  const { [code]: _, ...others } = choices;
  return choice === null ? others : { ...others, [code]: choice };
};
