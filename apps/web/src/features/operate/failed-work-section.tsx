import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import type { FailedCause } from '@draftshelf/contract/operate/work';
import { Anchor, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Link } from 'react-router';
import { assume } from '../../api/assume.ts';
import { call, type Reply } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { readKey, readOf } from '../../api/read.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/feedback/confirm.tsx';
import { FoldOut } from '../../ui/feedback/fold-out.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { useCalls } from '../../ui/feedback/use-call.ts';
import classes from '../../ui/sections.module.css';
import { RelativeTime } from '../../ui/time.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';
import { type DeadImport, groupByImport, useWork } from './work-api.ts';

/** Lists failures by cause, with what can be done about them. */
export function FailedWorkSection() {
  const work = useWork();
  const action = useCauseAction();
  const [givingUp, setGivingUp] = useState<FailedCause | null>(null);
  const causes = work.data?.causes;
  return (
    <TitledSection id="dead-work" title="Failed work">
      <Text size="sm" c="dimmed">
        Failures by cause. Nothing is discarded until you retry it or give it up.
      </Text>
      <ReadFailure what="the failed work" reads={[work]} />
      {work.isPending && <Skeleton height={19} />}
      {causes?.length === 0 && (
        <Text size="sm" role="status">
          Nothing has failed.
        </Text>
      )}
      {causes?.map((one) => (
        <CausePanel
          key={one.cause}
          cause={one}
          isOnly={causes.length === 1}
          isBusy={action.isPending}
          onRetry={() => action.mutate({ kind: 'retry', cause: one.cause })}
          onGiveUp={() => setGivingUp(one)}
        />
      ))}
      {work.data?.hasMore && <Text size="sm">There are older failures with other causes.</Text>}
      <Confirm
        opened={givingUp !== null}
        title="Give up all that failed for this reason?"
        confirm="Give Up"
        keep="Keep"
        onConfirm={() => {
          if (givingUp) action.mutate({ kind: 'giveUp', cause: givingUp.cause });
          setGivingUp(null);
        }}
        onClose={() => setGivingUp(null)}
      >
        {givingUp && meaningOf(givingUp)}
      </Confirm>
    </TitledSection>
  );
}

function meaningOf(cause: FailedCause): string {
  const { imports, hasParts, without } = cause;
  if (imports === 0)
    return `${cause.sentence} The task runs again at its next time, or when it is asked for.`;
  const meanings = [
    ...(hasParts ? [`${cancelMeaning} Imports of which only tasks have failed stay.`] : []),
    ...without,
  ];
  return `${nameOf(cause)} ${amountOf(cause)}. ${meanings.join(' ')}`;
}

/** The cause in words. Failures of one sentence may have several technical causes. */
const nameOf = ({ sentence, technical }: FailedCause): string =>
  technical === null ? sentence : `${sentence} ${technical.split('\n', 1)[0]}`;

const amountOf = ({ parts, imports }: FailedCause): string =>
  imports === 0 ? countOf(parts, 'task') : `${countOf(parts, 'part')} of ${countOf(imports, 'import')}`;

type CausePanelProps = {
  cause: FailedCause;
  isOnly: boolean;
  isBusy: boolean;
  onRetry: () => void;
  onGiveUp: () => void;
};

/** Parts of an only cause are shown at once if there are few. */
const partsShownMax = 10;

function CausePanel({ cause, isOnly, isBusy, onRetry, onGiveUp }: CausePanelProps) {
  const { technical, kinds, imports, since, canRetry, wornOut, files, chunks } = cause;
  const [isOpen, setOpen] = useState(isOnly && chunks <= partsShownMax);
  const name = nameOf(cause);
  const retry = imports === 0 ? 'Retry' : `Retry ${countOf(canRetry, 'Import')}`;
  const giveUp = imports === 0 ? 'Give Up' : 'Give Up All';
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <Stack gap="xs">
        <Group gap="sm" justify="space-between" align="flex-start">
          <Text size="sm" fw={500} className="break-words">
            {name}
          </Text>
          <Group gap="xs">
            {(imports === 0 || canRetry > 0) && (
              <Button
                variant="default"
                size="compact-md"
                disabled={isBusy}
                aria-label={`${retry}: ${name}`}
                onClick={onRetry}
              >
                {retry}
              </Button>
            )}
            <Button
              variant="default"
              size="compact-md"
              disabled={isBusy}
              aria-label={`${giveUp}: ${name}`}
              onClick={onGiveUp}
            >
              {giveUp}
            </Button>
          </Group>
        </Group>
        <Text size="sm" c="dimmed" component="div">
          {`${amountOf(cause)} · ${kinds.join(', ')}`}
          {since !== null && (
            <>
              {' · since '}
              <RelativeTime time={since} />
            </>
          )}
        </Text>
        {wornOut > 0 && (
          <Text size="sm">
            {`${countOf(wornOut, 'import')} failed again after five retries. Retry ${wornOut === 1 ? 'it' : 'them'} alone, once the cause is gone.`}
          </Text>
        )}
        {files.length > 0 && (
          <Text size="sm" className="break-words">
            <Files files={files} imports={imports} />
          </Text>
        )}
        {technical !== null && <FoldOut text={technical} what="Error" />}
        {chunks > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            px={0}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide Parts' : `Show ${countOf(chunks, 'Part')}`}
          </Button>
        )}
        {chunks > 0 && isOpen && <DeadParts cause={cause.cause} />}
      </Stack>
    </Paper>
  );
}

function Files({ files, imports }: Pick<FailedCause, 'files' | 'imports'>) {
  const more = imports - files.length;
  return (
    <>
      {files.map(({ importId, filename }, at) => (
        <Fragment key={importId}>
          {at > 0 && ', '}
          <Anchor component={Link} to={importPath(importId)}>
            {filename}
          </Anchor>
        </Fragment>
      ))}
      {more > 0 && ` and ${formatCount(more)} more`}
    </>
  );
}

type CauseAction = { kind: 'retry' | 'giveUp'; cause: string };

/** Retries all that failed for a cause, or gives it up. */
const useCauseAction = () =>
  useCalls(
    ({ kind, cause }: CauseAction) =>
      call(kind === 'retry' ? 'retryCause' : 'giveUpCause', { body: { cause } }),
    () => [{ name: 'retryCause' }],
    useTold(),
  );

/** The dead chunks and tasks of a cause, by import, with what can be done about each. */
function DeadParts({ cause }: { cause: string }) {
  /** The `before` of each page up to the one that is shown. */
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
          <Button
            variant="default"
            disabled={pages.length === 1}
            onClick={() => setPages(pages.slice(0, -1))}
          >
            Newer
          </Button>
          <Button
            variant="default"
            disabled={next === null}
            onClick={() => next !== null && setPages([...pages, next])}
          >
            Older
          </Button>
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

function GiveUpQuestion({ givingUp, onConfirm, onClose }: GiveUpQuestionProps) {
  return (
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
}

/** What is asked before something is given up: its meaning, and what is then done. */
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
          <Button
            variant="default"
            size="compact-md"
            disabled={!group.canRetry || isBusy}
            aria-label={`Retry ${filename}`}
            onClick={onRetry}
          >
            Retry
          </Button>
          {group.canCancel && (
            <Button
              variant="default"
              size="compact-md"
              disabled={isBusy}
              aria-label={`Give up ${filename}`}
              onClick={giveUp}
            >
              Give Up
            </Button>
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
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            disabled={isBusy}
            aria-label={`Give up ${part}`}
            onClick={onGiveUp}
          >
            Give Up
          </Button>
        )}
      </Group>
      <Text size="sm" className="break-words">
        {cause}
        {isTask && !canRetry && ' Start it again on the import’s page.'}
        {isTask && without === null && ' It can only be retried.'}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {`${attempts} attempts · `}
        {at !== null && <RelativeTime time={at} />}
        {` · in the log: "chunkId":${id}`}
      </Text>
      {technical !== null && <FoldOut text={technical} what="Error" />}
    </Stack>
  );
}

/** A page of dead chunks and tasks, polled while it is shown. `before`: the last id of the page before. */
function useDeadWork(cause: string, before: number | undefined) {
  const query = before === undefined ? { cause } : { cause, before };
  return useQuery({
    ...readOf('listDeadWork', { query }),
    refetchInterval: pollMs.work,
    placeholderData: keepPreviousData,
  });
}

/** What is done about dead work: of an import, or of one of its tasks. */
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

/** Whether an action ends a part of the list: what a retry would not try again stays. */
function isMeant(item: DeadWork, action: DeadWorkAction): boolean {
  if (action.kind === 'giveUpTask') return item.isTask && item.id === action.task;
  return item.importId === action.importId && (action.kind === 'giveUp' || item.canRetry);
}

/** Retries dead work, or gives it up. */
const useDeadWorkAction = () =>
  useCalls(send, () => [{ name: 'retryDeadWork' }], {
    ...useTold(),
    assume: (client, action) =>
      assume<Reply<'listDeadWork'>>(client, { queryKey: readKey('listDeadWork') }, (page) => {
        const items = page.items.filter((item) => !isMeant(item, action));
        return { ...page, items, total: page.total - (page.items.length - items.length) };
      }),
  });

type Action = { kind: string };

/** Tells what came of retrying failed work, or of giving it up. */
function useTold() {
  const toast = useToast();
  return {
    failed: (_error: Error, { kind }: Action) => ({
      title: kind === 'retry' ? 'Couldn’t retry' : 'Couldn’t give up',
    }),
    onSuccess: ({ message }: { message: string }, { kind }: Action) => {
      toast({ title: kind === 'retry' ? 'Retrying' : 'Given up', text: message });
    },
  };
}
