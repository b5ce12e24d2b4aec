import { canDo, type ImportAction } from '@draftshelf/domain/imports/import-status';
import type { EditedField } from '@draftshelf/domain/review/edited-field';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { findBlockingReason } from '../work/blocking.ts';

export type EditValues = Partial<Record<EditedField, string | null>>;

/** 'blocked', 'invalid': `sentence` tells the reason. 'differs': `current` has the values that were not as expected. */
export type ChangeRefusal =
  | { ok: false; reason: RefusalReason }
  | { ok: false; reason: 'blocked' | 'invalid'; sentence: string }
  | { ok: false; reason: 'differs'; current: EditValues };

type RefusalReason =
  | 'no such import'
  | 'no such row'
  | 'ignored'
  | 'not editable now'
  | 'being sent'
  | 'too many'
  | 'no rows'
  | 'read again'
  | 'not kept'
  | 'no such command'
  | 'undone already'
  | 'changed since'
  | 'not stopped'
  | 'not offered'
  | 'not compared'
  | 'applied already';

export const notEditableRefusal: ChangeRefusal = { ok: false, reason: 'not editable now' };

/** Returns why an action is refused, or undefined if it is allowed. The caller has locked the import's rows. */
export async function findRefusal(
  db: Db,
  record: ImportRecord,
  action: ImportAction,
): Promise<ChangeRefusal | undefined> {
  if (!canDo(action, record.status)) return notEditableRefusal;
  const sentence = await findBlockingReason(db, record, action);
  return sentence === undefined ? undefined : { ok: false, reason: 'blocked', sentence };
}
