import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import { Group, Paper, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { pollMs, readOf } from '../../api/read.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { PlainButton } from '../../ui/button.tsx';
import { Asked } from '../../ui/feedback/confirm.tsx';
import { FoldOut } from '../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import classes from '../../ui/sections.module.css';
import { BodyText, PageLink, RelativeTime, SmallText } from '../../ui/text.tsx';
import { type DeadImport, type FailedAction, groupByImport, useFailedAction } from './operate-api.ts';

export function FailedParts({ cause }: { cause: string }) {
  /** The `before` of each page up to the shown one. */
  const [pages, setPages] = useState<(number | undefined)[]>([undefined]);
  const page = useDeadWork(cause, pages.at(-1));
  const action = useFailedAction();
  const next = page.data?.next ?? null;
  return (
    <>
      <ReadFailure what="the failed parts" reads={[page]} />
      {page.isPending && <Skeleton height={19} />}
      {page.data?.items.length === 0 && pages.length > 1 && (
        <BodyText role="status">Nothing is left on this page.</BodyText>
      )}
      {page.data !== undefined && next !== null && <BodyText role="status">{totalWords(page.data)}</BodyText>}
      {groupByImport(page.data?.items ?? []).map((group) => (
        <DeadImportPanel
          key={group.importId}
          group={group}
          isBusy={action.isPending}
          onAction={action.mutate}
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
    </>
  );
}

const totalWords = ({ total, isMore }: { total: number; isMore: boolean }): string =>
  isMore ? `More than ${formatCount(total)} parts.` : `${countOf(total, 'part')}.`;

export const cancelMeaning =
  'Imports with failed parts are cancelled for good: they can’t be retried, read again or pushed. ' +
  'Products that are already in the store stay there. Where a file was being read again, only that is undone, and its import stays.';

type GiveUpProps = {
  what: string;
  words?: string;
  title: string;
  meaning: string | null;
  button?: ComponentProps<typeof PlainButton>;
  onGiveUp: () => void;
};

export const GiveUp = ({ what, words = 'Give Up', title, meaning, button, onGiveUp }: GiveUpProps) => (
  <Asked
    button={(ask) => (
      <PlainButton size="compact-md" aria-label={what} onClick={ask} {...button}>
        {words}
      </PlainButton>
    )}
    title={title}
    confirm="Give Up"
    keep="Keep"
    onConfirm={onGiveUp}
  >
    {meaning}
  </Asked>
);

type PanelProps = { group: DeadImport; isBusy: boolean; onAction: (action: FailedAction) => void };

function DeadImportPanel({ group, isBusy, onAction }: PanelProps) {
  const { importId, filename, items } = group;
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Failed work of ${filename}`}>
      <Group gap="sm" justify="space-between">
        <PageLink to={importPath(importId)} className="break-words">
          {filename}
        </PageLink>
        <Group gap="xs">
          <PlainButton
            size="compact-md"
            disabled={!group.canRetry || isBusy}
            aria-label={`Retry ${filename}`}
            onClick={() => onAction({ kind: 'retry', importId })}
          >
            Retry
          </PlainButton>
          {group.canCancel && (
            <GiveUp
              what={`Give up ${filename}`}
              title={`Give up ${filename}?`}
              meaning={cancelMeaning}
              button={{ disabled: isBusy }}
              onGiveUp={() => onAction({ kind: 'giveUp', importId })}
            />
          )}
        </Group>
      </Group>
      <ul className={`list ${classes.parts} above-xs`}>
        {items.map((item) => (
          <li key={item.id}>
            <DeadPart
              item={item}
              isBusy={isBusy}
              onGiveUp={() => onAction({ kind: 'giveUp', importId, task: item.id })}
            />
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
        <BodyText fw={500}>{`${stageNames[stage] ?? stage} · ${part}`}</BodyText>
        {isTask && without !== null && (
          <GiveUp
            what={`Give up ${part}`}
            title={`Give up “${part}”?`}
            meaning={without}
            button={{ variant: 'subtle', color: 'gray', size: 'compact-sm', disabled: isBusy }}
            onGiveUp={onGiveUp}
          />
        )}
      </Group>
      <BodyText className="break-words">
        {cause}
        {isTask && !canRetry && ' Start it again on the import’s page.'}
        {isTask && without === null && ' It can only be retried.'}
      </BodyText>
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
