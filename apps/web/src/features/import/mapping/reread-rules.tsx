import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { MappedColumn, MappingChanges } from '@draftshelf/contract/reading/mapping';
import { detectFieldValue } from '@draftshelf/contract/wire';
import { canDo, hasPushedNothing } from '@draftshelf/domain/imports/import-status';
import { useQueryClient } from '@tanstack/react-query';
import { call, readOf } from '../../../api/call.ts';
import { TextButton } from '../../../ui/basics.tsx';
import { useCalls } from '../../../ui/feedback/use-call.ts';
import type { ShownImport } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import { type DialectKey, type ReadDialect, readDialectPart } from './dialect-fields.tsx';
import { type RereadChange, useReread } from './mapping-api.ts';

type FormerReadingProps = { record: ShownImport; former: RereadChange; onRestored: () => void };

export function FormerReadingNotice({ record, former, onRestored }: FormerReadingProps) {
  const reread = useReread(record.id, 'Couldn’t re-read the file');
  if (record.rereading !== null || rereadBlockReason(record) !== null) return null;
  // Uses the promise, because callbacks of `mutate` are dropped if this component unmounts before the reply.
  const restore = () => void reread.mutateAsync(former).then(onRestored, () => {});
  return (
    <Notice title="The file was re-read.">
      Not what you expected?{' '}
      <TextButton loading={reread.isPending} onClick={restore}>
        Restore Previous Reading
      </TextButton>
    </Notice>
  );
}

/** Called after a re-read has begun. `former`: the change that restores the previous reading. */
export type OnReread = (former: RereadChange) => void;

/** Returns the reason why the file cannot be re-read, or null if it can. */
export function rereadBlockReason({
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

export function invertDialectChange(dialect: ReadDialect, choice: DialectChoice): RereadChange {
  const former = Object.keys(choice).map((key) => [key, readDialectPart(dialect, key as DialectKey)]);
  return { dialect: Object.fromEntries(former) as DialectChoice };
}

/** Returns the change that reverts `changes`: it restores former overrides, and lets other fields be detected again. */
export function invertMappingChange(columns: readonly MappedColumn[], changes: MappingChanges): RereadChange {
  const before = new Map(columns.map((column) => [column.header, column]));
  const former = Object.keys(changes).map((header) => {
    const column = before.get(header);
    return [header, column === undefined || column.setBy === null ? detectFieldValue : column.field];
  });
  return { mapping: Object.fromEntries(former) as MappingChanges };
}

/** Changes the mapping, which re-reads the file at once. `onReread` gets the change that restores the old mapping. */
export function useMappingChange(importId: string, onReread: OnReread) {
  const client = useQueryClient();
  const params = { id: importId };
  const { mutate, isPending, variables } = useCalls(
    async (changes: MappingChanges) => {
      const { columns: before } = await client.fetchQuery(readOf('getMapping', { params: { id: importId } }));
      await call('changeMapping', { params, body: changes });
      return invertMappingChange(before, changes);
    },
    () => [{ name: 'changeMapping', params }],
    { failed: 'Couldn’t re-read the file', onSuccess: onReread },
  );
  /** `pending`: the changes that were sent and are not confirmed yet, or null. */
  return { pending: isPending ? variables : null, change: mutate };
}
