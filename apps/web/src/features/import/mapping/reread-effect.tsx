import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../../api/call.ts';
import { readKey } from '../../../api/read.ts';
import { formatCount } from '../../../lib/intl.ts';
import { Table } from '../../../ui/table/table.tsx';
import { TableRegion } from '../../../ui/table/table-region.tsx';
import { effectWords, extentWords, isWorse } from './effect-words.ts';
import type { PreviewedChange } from './mapping-api.ts';
import classes from './reread.module.css';

/** A change is asked for after this pause: choosing several fields asks once. */
const pauseMs = 150;

type RereadEffectProps = {
  importId: string;
  /** Null: nothing has been changed yet. */
  change: PreviewedChange | null;
  withRecords?: boolean;
};

/** Effect of a re-read: counts before and after, and the first records. Keeps its place while it loads. */
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

function Words({ children }: { children: ReactNode }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}

function Effect({ preview }: { preview: NonNullable<ReturnType<typeof useRereadPreview>['data']> }) {
  const { before, after, problem } = preview;
  if (after === null) {
    return (
      <Text span size="sm" className={classes.worse}>
        {`The file can’t be read this way. ${problem}`}
      </Text>
    );
  }
  return (
    <>
      <Text span size="sm" fw={550} className={isWorse(before, after) ? classes.worse : undefined}>
        {effectWords(before, after)}
      </Text>{' '}
      <Words>{extentWords(preview)}</Words>
    </>
  );
}

/** The first records of a file as another reading has them. */
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

/** Preview of a re-read with a change; null: there is no change yet. The last reply stays while a new one loads. */
function useRereadPreview(importId: string, change: PreviewedChange | null) {
  return useQuery({
    queryKey: readKey('previewReread', { id: importId }, change ?? {}),
    queryFn: ({ signal }) => call('previewReread', { params: { id: importId }, body: change ?? {}, signal }),
    enabled: change !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
