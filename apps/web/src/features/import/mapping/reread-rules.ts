import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { MappedColumn, MappingChanges } from '@draftshelf/contract/reading/mapping';
import { detectField } from '@draftshelf/contract/wire';
import { canDo, hasPushedNothing } from '@draftshelf/domain/imports/import-status';
import type { ShownImport } from '../imports-api.ts';
import { type DialectKey, partIn, type ReadDialect } from './dialect-words.ts';
import type { RereadChange } from './mapping-api.ts';

/** Called when a re-read has started, with the change that restores the reading before it. */
export type OnReread = (former: RereadChange) => void;

/** Reason for not re-reading an import's file now; null if it can be re-read. */
export function rereadBlock({
  status,
  failedIn,
  totalProducts: total,
  outcomes: { skipped, failed },
}: Pick<ShownImport, 'status' | 'failedIn' | 'totalProducts' | 'outcomes'>): string | null {
  if (status === 'failed' && failedIn === 'push' && !hasPushedNothing({ total, skipped, failed })) {
    return 'The push failed. Retry it before re-reading the file.';
  }
  if (canDo('reread', status)) return null;
  if (status === 'processing') return 'The file is still being read. Wait until that’s done.';
  if (status === 'uploading') return 'Products are being pushed. You can re-read the file afterwards.';
  if (status === 'paused') return 'The import is paused. Resume it and let it finish first.';
  if (status === 'cancelled')
    return 'This import was cancelled. Upload the file again to use other settings.';
  return 'The file can’t be re-read right now.';
}

/** The change that restores the dialect before a choice. */
export function formerDialect(dialect: ReadDialect, choice: DialectChoice): RereadChange {
  const former = Object.keys(choice).map((key) => [key, partIn(dialect, key as DialectKey)]);
  return { dialect: Object.fromEntries(former) as DialectChoice };
}

/** The change that restores the mapping before these changes: fields that were set are set again, others detected. */
export function formerMapping(columns: readonly MappedColumn[], changes: MappingChanges): RereadChange {
  const before = new Map(columns.map((column) => [column.header, column]));
  const former = Object.keys(changes).map((header) => {
    const column = before.get(header);
    return [header, column === undefined || column.setBy === null ? detectField : column.field];
  });
  return { mapping: Object.fromEntries(former) as MappingChanges };
}
