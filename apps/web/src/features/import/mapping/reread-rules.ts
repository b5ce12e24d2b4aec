import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { MappedColumn, MappingChanges } from '@draftshelf/contract/reading/mapping';
import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { detectField } from '@draftshelf/contract/wire';
import { canDo, hasPushedNothing } from '@draftshelf/domain/imports/import-status';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { useCalls } from '../../../ui/feedback/use-call.ts';
import type { ShownImport } from '../imports-api.ts';
import { type DialectKey, partIn, type ReadDialect } from './dialect-words.ts';
import { type RereadChange, readMapping } from './mapping-api.ts';

/** `former`: the change that restores the previous reading. */
export type OnReread = (former: RereadChange) => void;

/** Null: the file can be re-read. */
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

export function formerDialect(dialect: ReadDialect, choice: DialectChoice): RereadChange {
  const former = Object.keys(choice).map((key) => [key, partIn(dialect, key as DialectKey)]);
  return { dialect: Object.fromEntries(former) as DialectChoice };
}

/** Fields that were set are set again, others detected. */
export function formerMapping(columns: readonly MappedColumn[], changes: MappingChanges): RereadChange {
  const before = new Map(columns.map((column) => [column.header, column]));
  const former = Object.keys(changes).map((header) => {
    const column = before.get(header);
    return [header, column === undefined || column.setBy === null ? detectField : column.field];
  });
  return { mapping: Object.fromEntries(former) as MappingChanges };
}

/** Takes effect at once, by a re-read that can be taken back. */
export function useMappingChange(importId: string, onReread: OnReread) {
  const client = useQueryClient();
  const params = { id: importId };
  const { mutate, isPending, variables } = useCalls(
    async (changes: MappingChanges) => {
      const { columns: before } = await client.fetchQuery(readMapping(importId));
      await call('changeMapping', { params, body: changes });
      return formerMapping(before, changes);
    },
    () => [{ name: 'changeMapping', params }],
    { failed: 'Couldn’t re-read the file', onSuccess: onReread },
  );
  /** `pending`: the changes that have not been answered yet. */
  return { pending: isPending ? variables : null, change: mutate };
}

type Counts = NonNullable<RereadPreview['before']>;

const names = { valid: 'Valid', warning: 'Warnings', error: 'Errors' } as const;
const kinds = ['valid', 'warning', 'error'] as const;

const productsOf = ({ valid, warning, error }: Counts): number => valid + warning + error;

/** 'Valid 20 → 0 · Warnings 0 → 20', with 'Products 98 → 90' first if that number differs. */
export function effectWords(before: Counts | null, after: Counts): string {
  const shown = kinds.filter((kind) => kind === 'valid' || after[kind] > 0 || (before?.[kind] ?? 0) > 0);
  const changes = shown.map((kind) => changeWords(names[kind], before?.[kind], after[kind]));
  if (before !== null && productsOf(before) !== productsOf(after))
    changes.unshift(changeWords('Products', productsOf(before), productsOf(after)));
  return changes.join(' · ');
}

const changeWords = (name: string, from: number | undefined, to: number): string =>
  `${name} ${from === undefined || from === to ? '' : `${formatCount(from)} → `}${formatCount(to)}`;

/** Rows that become variants are not worse. */
export const isWorse = (before: Counts | null, after: Counts): boolean =>
  before !== null &&
  (after.rows < before.rows || after.warning + after.error > before.warning + before.error);

/** 'from the first 1,000 rows', or '20 rows and 1 added' from the scanner. */
export function extentWords({ isWhole, after, added }: Extent): string {
  if (after === null) return '';
  const rows = countOf(after.rows, 'row');
  if (!isWhole) return `from the first ${rows}`;
  return added === 0 ? '' : `${rows} and ${formatCount(added)} added`;
}

type Extent = Pick<RereadPreview, 'isWhole' | 'after' | 'added'>;
