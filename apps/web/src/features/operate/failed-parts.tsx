import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import { Anchor, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { assume } from '../../api/assume.ts';
import { call, type Reply } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { readKey, readOf } from '../../api/read.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { PlainButton, SubtleButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/feedback/confirm.tsx';
import { FoldOut } from '../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { useCalls } from '../../ui/feedback/use-call.ts';
import classes from '../../ui/sections.module.css';
import { RelativeTime, SmallText } from '../../ui/text.tsx';
import { type DeadImport, groupByImport, useTold } from './operate-api.ts';

export function FailedParts({ cause }: { cause: string }) {
  /** The `before` of each page up to the shown one. */
  const [pages, setPages] = useState<(number | undefined)[]>([undefined]);
  const page = useDeadWork(cause, pages.at(-1));
  const [givingUp, setGivingUp] = useState<GivingUp | null>(null);
  const action = useDeadWorkAction();
  const next = page.data?.next ?? null;
  return (
    <>
      <ReadFailure what="the failed parts" reads={[page]} />
      {page.isPending && <Skeleton height={19} />}
      {page.data?.items.length === 0 && pages.length > 1 && (
        <Text size="sm" role="status">
          Nothing is left on this page.
        </Text>
      )}
      {page.data !== undefined && next !== null && (
        <Text size="sm" role="status">
          {totalWords(page.data)}
        </Text>
      )}
      {groupByImport(page.data?.items ?? []).map((group) => (
        <DeadImportPanel
          key={group.importId}
          group={group}
          isBusy={action.isPending}
          onRetry={() => action.mutate({ kind: 'retry', importId: group.importId })}
          onGiveUp={setGivingUp}
        />
      ))}
      {(pages.length > 1 || next !== null) && (
        <Group gap="sm">
          <PlainButton disabled={pages.length === 1} onClick={() => setPages(pages.slice(0, -1))}>
            Newer
          </PlainButton>
          <PlainButton disabled={next === null} onClick={() => next !== null && setPages([...pages, next])}>
            Older
          </PlainButton>
        </Group>
      )}
      <GiveUpQuestion givingUp={givingUp} onConfirm={action.mutate} onClose={() => setGivingUp(null)} />
    </>
  );
}

const totalWords = ({ total, isMore }: { total: number; isMore: boolean }): string =>
  isMore ? `More than ${formatCount(total)} parts.` : `${countOf(total, 'part')}.`;

type GiveUpQuestionProps = {
  givingUp: GivingUp | null;
  onConfirm: (action: DeadWorkAction) => void;
  onClose: () => void;
};

const GiveUpQuestion = ({ givingUp, onConfirm, onClose }: GiveUpQuestionProps) => (
  <Confirm
    opened={givingUp !== null}
    title={givingUp?.title ?? ''}
    confirm="Give Up"
    keep="Keep"
    onConfirm={() => {
      if (givingUp) onConfirm(givingUp.action);
      onClose();
    }}
    onClose={onClose}
  >
    {givingUp?.meaning}
  </Confirm>
);

type GivingUp = { title: string; meaning: string; action: DeadWorkAction };

const cancelMeaning =
  'The import is cancelled for good: it can’t be retried, read again or pushed. ' +
  'Products that are already in the store stay there. If its file was being read again, only that is undone, and the import stays.';

type PanelProps = {
  group: DeadImport;
  isBusy: boolean;
  onRetry: () => void;
  onGiveUp: (question: GivingUp) => void;
};

function DeadImportPanel({ group, isBusy, onRetry, onGiveUp }: PanelProps) {
  const { importId, filename, items } = group;
  const giveUp = () =>
    onGiveUp({
      title: `Give up ${filename}?`,
      meaning: cancelMeaning,
      action: { kind: 'giveUp', importId },
    });
  const giveUpTask = ({ id, part, without }: DeadWork) =>
    onGiveUp({
      title: `Give up “${part}”?`,
      meaning: without ?? '',
      action: { kind: 'giveUpTask', importId, task: id },
    });
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Failed work of ${filename}`}>
      <Group gap="sm" justify="space-between">
        <Anchor component={Link} to={importPath(importId)} className="break-words">
          {filename}
        </Anchor>
        <Group gap="xs">
          <PlainButton
            size="compact-md"
            disabled={!group.canRetry || isBusy}
            aria-label={`Retry ${filename}`}
            onClick={onRetry}
          >
            Retry
          </PlainButton>
          {group.canCancel && (
            <PlainButton
              size="compact-md"
              disabled={isBusy}
              aria-label={`Give up ${filename}`}
              onClick={giveUp}
            >
              Give Up
            </PlainButton>
          )}
        </Group>
      </Group>
      <ul className={`list ${classes.parts} above-xs`}>
        {items.map((item) => (
          <li key={item.id}>
            <DeadPart item={item} isBusy={isBusy} onGiveUp={() => giveUpTask(item)} />
          </li>
        ))}
      </ul>
    </Paper>
  );
}

const stageNames: Record<string, string> = { parse: 'Parse', enrich: 'Enrich', push: 'Push' };

function DeadPart({ item, isBusy, onGiveUp }: { item: DeadWork; isBusy: boolean; onGiveUp: () => void }) {
  const { id, stage, part, attempts, cause, technical, at, isTask, canRetry, without } = item;
  return (
    <Stack gap="var(--hair)">
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={500}>
          {`${stageNames[stage] ?? stage} · ${part}`}
        </Text>
        {isTask && without !== null && (
          <SubtleButton
            color="gray"
            size="compact-sm"
            disabled={isBusy}
            aria-label={`Give up ${part}`}
            onClick={onGiveUp}
          >
            Give Up
          </SubtleButton>
        )}
      </Group>
      <Text size="sm" className="break-words">
        {cause}
        {isTask && !canRetry && ' Start it again on the import’s page.'}
        {isTask && without === null && ' It can only be retried.'}
      </Text>
      <SmallText component="div">
        {`${attempts} attempts · `}
        {at !== null && <RelativeTime time={at} />}
        {` · in the log: "chunkId":${id}`}
      </SmallText>
      {technical !== null && <FoldOut text={technical} what="Error" />}
    </Stack>
  );
}

/** `before`: the last id of the previous page. */
function useDeadWork(cause: string, before: number | undefined) {
  const query = before === undefined ? { cause } : { cause, before };
  return useQuery({
    ...readOf('listDeadWork', { query }),
    refetchInterval: pollMs.work,
    placeholderData: keepPreviousData,
  });
}

type DeadWorkAction =
  | { kind: 'retry'; importId: string }
  | { kind: 'giveUp'; importId: string }
  | { kind: 'giveUpTask'; importId: string; task: number };

const send = (action: DeadWorkAction) => {
  const { importId } = action;
  if (action.kind === 'retry') return call('retryDeadWork', { params: { importId } });
  if (action.kind === 'giveUp') return call('giveUpImport', { params: { importId } });
  return call('giveUpTask', { params: { importId, task: action.task } });
};

/** A part that is not retried stays. */
function isMeant(item: DeadWork, action: DeadWorkAction): boolean {
  if (action.kind === 'giveUpTask') return item.isTask && item.id === action.task;
  return item.importId === action.importId && (action.kind === 'giveUp' || item.canRetry);
}

const useDeadWorkAction = () =>
  useCalls(send, () => [{ name: 'retryDeadWork' }], {
    ...useTold(),
    assume: (client, action) =>
      assume<Reply<'listDeadWork'>>(client, { queryKey: readKey('listDeadWork') }, (page) => {
        const items = page.items.filter((item) => !isMeant(item, action));
        return { ...page, items, total: page.total - (page.items.length - items.length) };
      }),
  });
