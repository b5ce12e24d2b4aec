import type { PushFact } from '@draftshelf/contract/imports/before-push';
import type { MappingChanges } from '@draftshelf/contract/reading/mapping';
import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { Modal, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api/call.ts';
import { readKey } from '../../../api/read.ts';
import { formatCount } from '../../../lib/intl.ts';
import { SubtleButton } from '../../../ui/button.tsx';
import { DialogEnd } from '../../../ui/overlays.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { Table, TableRegion } from '../../../ui/table/table.tsx';
import { QuietText } from '../../../ui/text.tsx';
import type { ShownImport } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import classes from './mapping.module.css';
import { type PreviewedChange, type RereadChange, useReread } from './mapping-api.ts';
import {
  effectWords,
  extentWords,
  isWorse,
  type OnReread,
  rereadBlock,
  useMappingChange,
} from './reread-rules.ts';

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
      <Text span size="sm" className="bad">
        {`The file can’t be read this way. ${problem}`}
      </Text>
    );
  }
  return (
    <>
      <Text span size="sm" fw={550} className={isWorse(before, after) ? 'bad' : undefined}>
        {effectWords(before, after)}
      </Text>{' '}
      <Words>{extentWords(preview)}</Words>
    </>
  );
}

function RereadSample({ reading }: { reading: NonNullable<RereadPreview['after']> }) {
  const { headers, records } = reading;
  return (
    <div>
      <Text size="sm" fw={550}>
        {records.length === 1 ? 'First row' : `First ${formatCount(records.length)} rows`}
      </Text>
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
          <Text size="sm" className="break-words">
            {`Rows with the same title and brand become one product with a variant each. ${names} ${columns.length === 1 ? 'is its option' : 'are its options'}. The next file with these columns is read the same way.`}
          </Text>
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

type FormerReadingProps = {
  record: ShownImport;
  former: RereadChange;
  onRestored: () => void;
};

export function FormerReading({ record, former, onRestored }: FormerReadingProps) {
  const reread = useReread(record.id, 'Couldn’t re-read the file');
  if (record.rereading !== null || rereadBlock(record) !== null) return null;
  // Another part may be in this place while the file is read.
  const restore = () => void reread.mutateAsync(former).then(onRestored, () => {});
  return (
    <Notice title="The file was re-read.">
      Not what you expected?{' '}
      <SubtleButton size="compact-sm" loading={reread.isPending} onClick={restore}>
        Restore Previous Reading
      </SubtleButton>
    </Notice>
  );
}
