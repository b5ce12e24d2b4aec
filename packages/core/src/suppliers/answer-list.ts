import { canDo } from '@draftshelf/domain/imports/import-status';
import { takesMissing } from '@draftshelf/domain/suppliers/gone';
import type { ListAnswers } from '@draftshelf/domain/suppliers/list';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';
import { type ActionResult, refusedIn } from '../imports/action-result.ts';
import { changeImport, lockImport } from '../imports/imports.ts';
import { blockedBy } from '../work/blocking.ts';
import { hasOpenTask } from '../work/tasks.ts';
import { beginCounting } from './count-list.ts';
import { changeList, findListOf, listCounted } from './lists.ts';
import { lockSupplier, readAnswers } from './suppliers.ts';

/** Stores answers about a list, and enqueues the task that counts it or takes it back if they change that. */
export async function answerList(db: Db, id: string, answers: ListAnswers): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('bulkEdit', record.status)) return refusedIn(record);
  const list = await findListOf(db, id);
  if (!list || !(await lockSupplier(db, list.supplier))) return refused('This import is no supplier’s list.');
  const reason = await blockedBy(db, record, 'bulkEdit');
  if (reason !== undefined) return refused(reason);
  if (await hasOpenTask(db, id, 'count-list'))
    return refused('The list is being counted. Try again in a moment.');
  const { counts, isLatest } = answers;
  const [last] = await listCounted(db, list.supplier, 1);
  if (counts === false && list.state === 'counted' && last?.number !== list.number) {
    return refused('A newer list counts. Only the latest list can be taken back.');
  }
  const said = { ...list, answers: { ...list.answers, ...answers } };
  const { sendsComplete = null } = (await readAnswers(db, list.supplier)) ?? {};
  // Items that the list lacks become missing, or no longer are.
  const isOther = list.is_complete !== null && list.is_complete !== takesMissing(said, sendsComplete);
  const countsAgain = isOther && last?.number === list.number;
  await changeList(db, list, { answers: storableJson(said.answers) });
  await changeImport(db, id, {});
  const isPushed = record.status === 'completed' && list.state === 'open';
  if (counts !== undefined || countsAgain || (isLatest === true && isPushed)) await beginCounting(db, record);
  return { ok: true, import: record };
}

const refused = (reason: string) => ({ ok: false, reason }) as const;
