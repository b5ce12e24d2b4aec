import type { EditedField } from '@draftshelf/domain/review/edited-field';

/** Values of a row by field; null for none. */
export type FieldValues = Partial<Record<EditedField, string | null>>;

/**
 * Why rows are not changed, by an edit, a command, or the undo of one. 'blocked': a task of a command has to end
 * before; 'invalid': they cannot be changed so; `sentence` says which task, or why. 'differs': `current` has the fields
 * whose value is not the expected one, with their values now.
 */
export type ChangeRefused =
  | { ok: false; reason: RefusalReason }
  | { ok: false; reason: 'blocked' | 'invalid'; sentence: string }
  | { ok: false; reason: 'differs'; current: FieldValues };

type RefusalReason =
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
