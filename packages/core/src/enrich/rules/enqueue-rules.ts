import type { Preferences } from '@draftshelf/domain/access/preferences';
import { ruleSource } from '@draftshelf/domain/enrich/sources';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { readPreferences, savePreferences } from '../../access/preferences.ts';
import type { Db } from '../../connection/database.ts';
import { hasRows } from '../../connection/query-rows.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { type ActionRefusal, refuseInStatus } from '../../imports/action-result.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { currentRows } from '../../work/runs.ts';
import { dropTasks, enqueueForAllInReview, enqueueTask } from '../../work/tasks.ts';
import { lockRules, lockRulesShared, readRules } from '../category-rules.ts';

type RuledImport = Pick<ImportRecord, 'id' | 'rows_run' | 'total_rows'>;

/** Enqueues 'apply-rules' for new rows if a rule is on, or if open proposals of earlier rules must be removed. */
export async function enqueueRules(db: Db, record: RuledImport): Promise<void> {
  await lockRulesShared(db);
  const { rules } = await readRules(db);
  const isNeeded =
    rules.some(({ enabled }) => enabled) ||
    (await hasRows(db)`
      select id from proposals where import_id = ${record.id} and state = 'open' and source = ${ruleSource} limit 1`);
  if (isNeeded) await enqueue(db, record);
}

/** Applies the saved rules to an import again, in the background. */
export async function requestApplyRules(db: Db, id: string): Promise<{ ok: true } | ActionRefusal> {
  const record = await lockImport(db, id);
  if (!record || !canDo('applyRules', record.status)) return refuseInStatus(record);
  await enqueue(db, record);
  await changeImport(db, id, {});
  return { ok: true };
}

/** Drops an open task and enqueues a new one from the first row. The caller has locked the import. */
async function enqueue(db: Db, record: RuledImport): Promise<void> {
  await dropTasks(db, record.id, ['apply-rules']);
  await enqueueTask(db, currentRows(record), 'apply-rules', record.total_rows);
}

/** Applies changed rules to all imports in review. Call it in the transaction that changes the rules. */
export const enqueueRulesInReview = (db: Db) => enqueueForAllInReview(db, 'apply-rules');

/** Saves preferences and returns all of them. Applies rules again if the preference for empty fields changes. */
export async function savePreferencesWithRules(db: Db, changes: Partial<Preferences>): Promise<Preferences> {
  if (changes.rulesFillEmpty === undefined) return savePreferences(db, changes);
  await lockRules(db);
  const before = await readPreferences(db);
  const saved = await savePreferences(db, changes);
  if (saved.rulesFillEmpty !== before.rulesFillEmpty) await enqueueRulesInReview(db);
  return saved;
}
