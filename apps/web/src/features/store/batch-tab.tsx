import { Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { messageOf } from '../../api/call.ts';
import { countOf } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { BodyText, ClockTime, PageLink, PlainButton, QuietText } from '../../ui/basics.tsx';
import { EmptyState } from '../../ui/brand.tsx';
import { ReadView } from '../../ui/feedback/read.tsx';
import { type ToastRequest, toast } from '../../ui/feedback/toast-state.ts';
import { useCall } from '../../ui/feedback/use-call.ts';
import { HintedButton, TitledSection } from '../../ui/hint.tsx';
import {
  CurrencyDialog,
  countOpenQuestions,
  heldResultWords,
  type PricedImport,
  StatusBadge,
  useCurrencyGate,
} from '../import/index.ts';
import classes from './shopify.module.css';
import { listSelectedIds, pushTimeWords, toggleImports, type useCompletedImports } from './store-api.ts';

type Imports = ReturnType<typeof useCompletedImports>;
type ReadyImport = NonNullable<Imports['data']>[number];

type NamedResult = { importId: string; filename: string; success: boolean; message: string };

export function BatchTab({ imports, pace }: { imports: Imports; pace: number | null }) {
  const [results, setResults] = useState<readonly NamedResult[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const gate = useCurrencyGate();
  const { push, isPushing } = usePush(imports.data ?? [], (pushed) => {
    setSelected(new Set());
    setResults(pushed);
  });
  return (
    <Stack gap="md">
      {results.length === 0 ? null : (
        <TitledSection id="last-batch" title="Last batch" gap="xs" className="panel">
          <ul className="list">
            {results.map(({ importId, filename, success, message }) => (
              <li key={importId} className="marked" data-tone={success ? 'good' : 'bad'}>
                {success ? <IconCheck size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
                <BodyText className="break-words">
                  <PageLink to={importPath(importId)}>{filename}</PageLink>
                  {`: ${message}`}
                </BodyText>
              </li>
            ))}
          </ul>
        </TitledSection>
      )}
      <ReadView of={imports} what="the imports" meanwhile={<Skeleton height={240} />}>
        {(ready) =>
          ready.length === 0 ? (
            <EmptyState>
              <Text fw={600}>No processed jobs ready for Shopify upload</Text>
              <BodyText>Complete some CSV processing jobs first</BodyText>
              <BodyText>
                <PageLink to="/queue">Processing Queue</PageLink>
              </BodyText>
            </EmptyState>
          ) : (
            <ImportSelection
              imports={ready}
              {...{ pace, selected, setSelected, isPushing }}
              push={(ids) =>
                gate.push(
                  ready.filter(({ id }) => ids.includes(id)),
                  push,
                )
              }
            />
          )
        }
      </ReadView>
      <CurrencyDialog gate={gate} />
    </Stack>
  );
}

type SelectionProps = {
  imports: readonly ReadyImport[];
  /** Products per second of the last pushes, or null if unknown. */
  pace: number | null;
  selected: ReadonlySet<string>;
  setSelected: (selected: ReadonlySet<string>) => void;
  push: (ids: string[]) => void;
  isPushing: boolean;
};

function ImportSelection({ imports, pace, selected, setSelected, push, isPushing }: SelectionProps) {
  const selectedIds = listSelectedIds(selected, imports);
  const last = useRef<string | null>(null);
  /** With Shift, also changes all imports between this one and the last one that was clicked. */
  const toggle = (id: string, isRange: boolean) => {
    const ids = imports.map((record) => record.id);
    setSelected(toggleImports(selected, ids, id, isRange ? last.current : null));
    last.current = id;
  };
  const products = imports
    .filter(({ id }) => selected.has(id))
    .reduce((sum, record) => sum + record.processedProducts, 0);
  const time = pushTimeWords(products, pace);
  return (
    <>
      <ul className="list" aria-label="Imports to push">
        {imports.map((record) => (
          <ImportLine
            key={record.id}
            record={record}
            isSelected={selected.has(record.id)}
            isPushing={isPushing}
            onToggle={(isRange) => toggle(record.id, isRange)}
            onPush={() => push([record.id])}
          />
        ))}
      </ul>
      <Group gap="sm" className={`${classes.footer} pad-y-sm line-above`}>
        <BodyText className={`${classes.footerWords} numbers`} role="status">
          {`${selectedIds.length} of ${imports.length} jobs selected`}
          {selectedIds.length > 0 && `, ${countOf(products, 'product')}`}
          {time !== '' && <span title="At the pace of the last pushes">{`, ${time}`}</span>}
        </BodyText>
        <PlainButton onClick={() => setSelected(new Set(imports.map(({ id }) => id)))}>
          Select All
        </PlainButton>
        <PlainButton onClick={() => setSelected(new Set())}>Clear Selection</PlainButton>
        <HintedButton
          reason={
            isPushing
              ? 'A push is being started.'
              : selectedIds.length === 0
                ? 'Select at least one import.'
                : null
          }
          onClick={() => push(selectedIds)}
        >
          {`Push Selected (${selectedIds.length})`}
        </HintedButton>
      </Group>
    </>
  );
}

/** Pushes imports. Called in the tab, because the list disappears with its last import. */
function usePush(imports: readonly ReadyImport[], onResults: (results: readonly NamedResult[]) => void) {
  const batch = useCall('pushBatch');
  const nameOf = new Map(imports.map(({ id, filename }) => [id, filename]));
  const push = (ids: readonly string[], heldImports: readonly PricedImport[]) =>
    batch.mutate(
      { body: { jobIds: [...ids] } },
      {
        onSuccess: (reply) => {
          const results = reply.results.map((result) => ({ ...result, message: result.message ?? '' }));
          toast(buildBatchEndedToast(results));
          onResults([
            ...ids.flatMap((importId, at) => {
              const result = results[at];
              return result ? [{ ...result, importId, filename: nameOf.get(importId) ?? importId }] : [];
            }),
            ...heldImports.map((record) => ({
              ...{ importId: record.id, filename: record.filename, success: false },
              message: heldResultWords(record),
            })),
          ]);
        },
        onError: (error) => toast(buildBatchFailedToast(error)),
      },
    );
  return { push, isPushing: batch.isPending };
}

type LineProps = {
  record: ReadyImport;
  isSelected: boolean;
  isPushing: boolean;
  onToggle: (isRange: boolean) => void;
  onPush: () => void;
};

function ImportLine({ record, isSelected, isPushing, onToggle, onPush }: LineProps) {
  const { filename, processedProducts, status, completedAt, createdAt } = record;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the checkbox
    <li
      className={`row-wrap ${classes.import} gap-sm line-below`}
      data-selected={isSelected || undefined}
      onClick={(event) => onToggle(event.shiftKey)}
      // Without this, a click with Shift would select text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    >
      <Checkbox
        aria-label={`Select ${filename}`}
        checked={isSelected}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        onClick={(event) => event.stopPropagation()}
      />
      <div className={`${classes.importText} shrink`}>
        <BodyText fw={550} className="break-words">
          {filename}
        </BodyText>
        <QuietText className="numbers">
          {`${countOf(processedProducts, 'product')} · `}
          <ClockTime time={completedAt ?? createdAt} />
        </QuietText>
      </div>
      <StatusBadge status={status} questions={countOpenQuestions(record)} />
      <HintedButton
        variant="default"
        reason={isPushing ? 'A push is being started.' : null}
        aria-label={`Push ${filename}`}
        onClick={(event) => {
          event.stopPropagation();
          onPush();
        }}
      >
        Push
      </HintedButton>
    </li>
  );
}

/** The requirements prescribe these texts. */
export function buildBatchEndedToast(results: readonly { success: boolean }[]): ToastRequest {
  const failed = results.filter(({ success }) => !success).length;
  return {
    title: 'Batch Push Completed',
    text: `${results.length - failed} jobs pushed successfully, ${failed} failed`,
    ...(failed > 0 ? { tone: 'failure' } : {}),
  };
}

export const buildBatchFailedToast = (error: Error): ToastRequest => ({
  title: 'Batch Push Failed',
  text: messageOf(error, 'Unknown error occurred'),
  tone: 'failure',
});
