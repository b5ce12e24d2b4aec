import type { PushFact } from '@draftshelf/contract/imports/before-push';
import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { MappedColumn, MappingChanges } from '@draftshelf/contract/reading/mapping';
import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { detectField } from '@draftshelf/contract/wire';
import { canDo, hasPushedNothing } from '@draftshelf/domain/imports/import-status';
import { Modal, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api/call.ts';
import { readKey } from '../../../api/read.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { TextButton } from '../../../ui/button.tsx';

import { useCalls } from '../../../ui/feedback/use-call.ts';
import { DialogEnd } from '../../../ui/overlays.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { Table, TableRegion } from '../../../ui/table/record-table.tsx';
import { BodyText, QuietText } from '../../../ui/text.tsx';
import type { ShownImport } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import { type DialectKey, partIn, type ReadDialect } from './dialect-fields.tsx';
import classes from './mapping.module.css';
import { type PreviewedChange, type RereadChange, readMapping, useReread } from './mapping-api.ts';

/** Choosing several fields asks once after this pause. */
const pauseMs = 150;

type RereadEffectProps = {
  importId: string;
  /** Null: nothing has been changed yet. */
  change: PreviewedChange | null;
  withRecords?: boolean;
};

/** Keeps its place while it loads. */
export function RereadEffect({ importId, change, withRecords = false }: RereadEffectProps) {
  const [steadyChange] = useDebouncedValue(change, pauseMs);
  const preview = useRereadPreview(importId, steadyChange);
  const { data, error } = preview;
  return (
    <div className="stack" aria-busy={preview.isFetching}>
      <div role="status" className={`${classes.words} numbers`}>
        {change === null && <Words>Change a setting to see what it does.</Words>}
        {change !== null && error !== null && (
          <Words>{`Couldn’t preview the change: ${error.message}`}</Words>
        )}
        {change !== null && error === null && data === undefined && <Words>Reading the first rows…</Words>}
        {change !== null && error === null && data !== undefined && <Effect preview={data} />}
      </div>
      {withRecords && change !== null && data?.after && <RereadSample reading={data.after} />}
    </div>
  );
}

const Words = ({ children }: { children: ReactNode }) => <QuietText span>{children}</QuietText>;

function Effect({ preview }: { preview: NonNullable<ReturnType<typeof useRereadPreview>['data']> }) {
  const { before, after, problem } = preview;
  if (after === null) {
    return (
      <BodyText span className="bad">
        {`The file can’t be read this way. ${problem}`}
      </BodyText>
    );
  }
  return (
    <>
      <BodyText span fw={550} className={isWorse(before, after) ? 'bad' : undefined}>
        {effectWords(before, after)}
      </BodyText>{' '}
      <Words>{extentWords(preview)}</Words>
    </>
  );
}

function RereadSample({ reading }: { reading: NonNullable<RereadPreview['after']> }) {
  const { headers, records } = reading;
  return (
    <div>
      <BodyText fw={550}>
        {records.length === 1 ? 'First row' : `First ${formatCount(records.length)} rows`}
      </BodyText>
      <TableRegion label="First rows as they would be read">
        <Table isDense className={classes.records ?? ''}>
          <thead>
            <tr>
              {headers.map((header, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                <th key={at} dir="auto">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map(({ row, cells }) => (
              <tr key={row}>
                {cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                  <td key={at} dir="auto" title={cell}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </TableRegion>
    </div>
  );
}

/** Null `change`: none yet. The last reply stays while a new one loads. */
const useRereadPreview = (importId: string, change: PreviewedChange | null) =>
  useQuery({
    queryKey: readKey('previewReread', { id: importId }, change ?? {}),
    queryFn: ({ signal }) => call('previewReread', { params: { id: importId }, body: change ?? {}, signal }),
    enabled: change !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

const options = ['option1Value', 'option2Value', 'option3Value'] as const;

type CombineProps = { fact: PushFact; record: ShownImport; onReread: OnReread };

/** Re-reads the file with the options of rows that share a title, after a preview. */
export function CombineTitles({ fact: { columns = [] }, record, onReread }: CombineProps) {
  const [isOpened, setOpened] = useState(false);
  const { pending, change } = useMappingChange(record.id, onReread);
  const changes = Object.fromEntries(columns.map((column, at) => [column, options[at]])) as MappingChanges;
  const names = new Intl.ListFormat('en').format(columns);
  return (
    <>
      <ReasonedButton
        size="compact-sm"
        variant="default"
        reason={rereadBlock(record)}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        Combine…
      </ReasonedButton>
      <Modal opened={isOpened} onClose={() => setOpened(false)} title="Combine as variants">
        <Stack gap="md">
          <BodyText className="break-words">
            {`Rows with the same title and brand become one product with a variant each. ${names} ${columns.length === 1 ? 'is its option' : 'are its options'}. The next file with these columns is read the same way.`}
          </BodyText>
          <RereadEffect importId={record.id} change={{ mapping: changes }} />
          <QuietText>
            The file is read again, and your edits are kept. You can restore the previous reading.
          </QuietText>
          <DialogEnd
            reason={null}
            loading={pending !== null}
            onClick={() => change(changes, { onSettled: () => setOpened(false) })}
            onCancel={() => setOpened(false)}
          >
            Combine
          </DialogEnd>
        </Stack>
      </Modal>
    </>
  );
}

type FormerReadingProps = { record: ShownImport; former: RereadChange; onRestored: () => void };

export function FormerReading({ record, former, onRestored }: FormerReadingProps) {
  const reread = useReread(record.id, 'Couldn’t re-read the file');
  if (record.rereading !== null || rereadBlock(record) !== null) return null;
  // Another part may be in this place while the file is read.
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
