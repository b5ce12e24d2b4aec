import type { PushFact } from '@draftshelf/contract/imports/before-push';
import type { MappingChanges } from '@draftshelf/contract/reading/mapping';
import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { Modal, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, toCacheKey } from '../../../api/call.ts';
import { countOf, formatCount, listed } from '../../../lib/intl.ts';
import { BodyText, QuietText } from '../../../ui/basics.tsx';
import { SmallHintedButton } from '../../../ui/hint.tsx';
import { DialogButtons } from '../../../ui/overlays.tsx';
import { Table, TableRegion } from '../../../ui/table/record-table.tsx';
import type { ShownImport } from '../imports-api.ts';
import classes from './mapping.module.css';
import type { PreviewedChange } from './mapping-api.ts';
import { type OnReread, rereadBlockReason, useMappingChange } from './reread-rules.tsx';

/** Pause before the preview of a change is fetched, so that several quick choices need only one call. */
const pauseMs = 150;

type RereadEffectProps = {
  importId: string;
  /** Null if nothing has been changed yet. */
  change: PreviewedChange | null;
  withRecords?: boolean;
};

/** Shows the effect of a change, and keeps the height while the effect loads. */
export function RereadEffect({ importId, change, withRecords = false }: RereadEffectProps) {
  const [steadyChange] = useDebouncedValue(change, pauseMs);
  const preview = useRereadPreview(importId, steadyChange);
  const { data, error } = preview;
  return (
    <div className="stack" aria-busy={preview.isFetching}>
      <div role="status" className={`${classes.words} numbers`}>
        {change === null ? (
          <QuietText span>Change a setting to see what it does.</QuietText>
        ) : error !== null ? (
          <QuietText span>{`Couldn’t preview the change: ${error.message}`}</QuietText>
        ) : data === undefined ? (
          <QuietText span>Reading the first rows…</QuietText>
        ) : data.after === null ? (
          <BodyText span className="bad">
            {`The file can’t be read this way. ${data.problem}`}
          </BodyText>
        ) : (
          <>
            <BodyText span fw={550} className={isRereadWorse(data.before, data.after) ? 'bad' : undefined}>
              {rereadEffectWords(data.before, data.after)}
            </BodyText>{' '}
            <QuietText span>{extentWords(data)}</QuietText>
          </>
        )}
      </div>
      {withRecords && change !== null && data?.after && <RereadSample reading={data.after} />}
    </div>
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

/** `change`: null if nothing has been changed yet. The last reply is shown while a new one loads. */
const useRereadPreview = (importId: string, change: PreviewedChange | null) =>
  useQuery({
    queryKey: toCacheKey('previewReread', { id: importId }, change ?? {}),
    queryFn: ({ signal }) => call('previewReread', { params: { id: importId }, body: change ?? {}, signal }),
    enabled: change !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

const options = ['option1Value', 'option2Value', 'option3Value'] as const;

type CombineProps = { fact: PushFact; record: ShownImport; onReread: OnReread };

/** A button that previews and starts a re-read in which rows with the same title become variants. */
export function CombineAsVariants({ fact: { columns = [] }, record, onReread }: CombineProps) {
  const [isOpened, setOpened] = useState(false);
  const { pending, change } = useMappingChange(record.id, onReread);
  const changes = Object.fromEntries(columns.map((column, at) => [column, options[at]])) as MappingChanges;
  const names = listed(columns);
  return (
    <>
      <SmallHintedButton
        reason={rereadBlockReason(record)}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        Combine…
      </SmallHintedButton>
      <Modal opened={isOpened} onClose={() => setOpened(false)} title="Combine as variants">
        <Stack gap="md">
          <BodyText className="break-words">
            {`Rows with the same title and brand become variants of one product, with the ${columns.length === 1 ? 'option' : 'options'} ${names}. The next file with these columns is read the same way.`}
          </BodyText>
          <RereadEffect importId={record.id} change={{ mapping: changes }} />
          <QuietText>
            The file is re-read, and your edits are kept. You can restore the previous reading.
          </QuietText>
          <DialogButtons
            reason={null}
            loading={pending !== null}
            onClick={() => change(changes, { onSettled: () => setOpened(false) })}
            onCancel={() => setOpened(false)}
          >
            Combine
          </DialogButtons>
        </Stack>
      </Modal>
    </>
  );
}

type Counts = NonNullable<RereadPreview['before']>;

const names = { valid: 'Valid', warning: 'Warnings', error: 'Errors' } as const;
const kinds = ['valid', 'warning', 'error'] as const;

const productsOf = ({ valid, warning, error }: Counts): number => valid + warning + error;

/** Example: 'Valid 20 → 0 · Warnings 0 → 20'. If the number of products changes, 'Products 98 → 90' comes first. */
export function rereadEffectWords(before: Counts | null, after: Counts): string {
  const shown = kinds.filter((kind) => kind === 'valid' || after[kind] > 0 || (before?.[kind] ?? 0) > 0);
  const changes = shown.map((kind) => changeWords(names[kind], before?.[kind], after[kind]));
  if (before !== null && productsOf(before) !== productsOf(after))
    changes.unshift(changeWords('Products', productsOf(before), productsOf(after)));
  return changes.join(' · ');
}

const changeWords = (name: string, from: number | undefined, to: number): string =>
  `${name} ${from === undefined || from === to ? '' : `${formatCount(from)} → `}${formatCount(to)}`;

/** True if rows are lost or problems added. Ignores products, because rows that become variants are no loss. */
export const isRereadWorse = (before: Counts | null, after: Counts): boolean =>
  before !== null &&
  (after.rows < before.rows || after.warning + after.error > before.warning + before.error);

/** Example: 'from the first 1,000 rows', or '20 rows and 1 added' if the operator added a row with the scanner. */
export function extentWords({ isWhole, after, added }: Extent): string {
  if (after === null) return '';
  const rows = countOf(after.rows, 'row');
  if (!isWhole) return `from the first ${rows}`;
  return added === 0 ? '' : `${rows} and ${formatCount(added)} added`;
}

type Extent = Pick<RereadPreview, 'isWhole' | 'after' | 'added'>;
