import type { EditedField } from '@draftshelf/domain/review/edited-field';

export type EditValues = Partial<Record<EditedField, string | null>>;

/** 'blocked': a task of a command has to end first. 'differs': `current` has the fields with an unexpected value. */
export type ChangeRefused =
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
