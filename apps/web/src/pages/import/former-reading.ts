import { DialectChoice } from '@draftshelf/contract/dialect';
import { detectField, type MappedColumn, type MappingChanges } from '@draftshelf/contract/mapping';
import type { RereadChange } from '../../api/reread.ts';
import type { ReadDialect } from '../../components/dialect/dialect-words.ts';

/** The change that restores the dialect before a choice. */
export function formerDialect(dialect: ReadDialect, choice: DialectChoice): RereadChange {
  const former = Object.keys(choice).map((key) => [key, dialect[key as keyof ReadDialect]]);
  return { dialect: DialectChoice.parse(Object.fromEntries(former)) };
}

/** The change that restores the mapping before these changes: what was set is set again, the rest is detected. */
export function formerMapping(columns: readonly MappedColumn[], changes: MappingChanges): RereadChange {
  const before = new Map(columns.map((column) => [column.header, column]));
  const former = Object.keys(changes).map((header) => {
    const column = before.get(header);
    return [header, column === undefined || column.setBy === null ? detectField : column.field];
  });
  return { mapping: Object.fromEntries(former) as MappingChanges };
}
