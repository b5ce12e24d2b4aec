import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import type { FailureCause } from '@draftshelf/contract/operate/work';
import { endWithPeriod, importsPerActionMax } from '@draftshelf/domain/operate/dead-work';
import { Group, Paper, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentProps, Fragment, useState } from 'react';
import { pollMs, readOf } from '../../api/call.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import {
  BodyText,
  PageLink,
  PlainButton,
  QuietText,
  RelativeTime,
  SmallText,
  TextButton,
} from '../../ui/basics.tsx';
import { ConfirmedButton } from '../../ui/feedback/confirm.tsx';
import { FoldedText, ReadFailure } from '../../ui/feedback/read.tsx';
import { TitledSection } from '../../ui/hint.tsx';
import {
  type DeadImport,
  type FailureAction,
  groupByImport,
  useBackgroundWork,
  useFailureAction,
} from './operate-api.ts';

export function FailedWorkSection() {
  const work = useBackgroundWork();
  const action = useFailureAction();
  const causes = work.data?.causes;
  return (
    <TitledSection id="dead-work" title="Failed work">
      <QuietText>Failures by cause. Failed work is kept until you retry it or give it up.</QuietText>
      <ReadFailure what="the failed work" reads={[work]} />
      {work.isPending && <Skeleton height={19} />}
      {causes?.length === 0 && <BodyText role="status">Nothing has failed.</BodyText>}
      {causes?.map((one) => (
        <CausePanel
          key={one.cause}
          cause={one}
          isOnly={causes.length === 1}
          isBusy={action.isPending}
          onAction={(kind) => action.mutate({ kind, cause: one.cause })}
        />
      ))}
      {work.data?.hasMore && <BodyText>There are older failures with other causes.</BodyText>}
    </TitledSection>
  );
}

function meaningOf(cause: FailureCause): string {
  const { sentence, imports, hasParts, without } = cause;
  if (imports === 0) return `${sentence} The task runs again at its next scheduled time or on request.`;
  const limit =
    imports > importsPerActionMax
      ? ` The ${formatCount(importsPerActionMax)} imports that failed first are given up now.`
      : '';
  const meanings = hasParts ? [cancelMeaning, ...without] : without;
  return `${nameOf(cause)} ${amountOf(cause)}.${limit} ${meanings.join(' ')}`;
}

/** Includes the technical cause, because failures with the same sentence may differ in it. */
const nameOf = ({ sentence, technical }: FailureCause): string =>
  technical === null ? sentence : `${sentence} ${endWithPeriod(firstLine(technical))}`;

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** Whether the failures can be given up. False if all are tasks that must not leave an import half done. */
const canGiveUp = ({ imports, hasParts, without }: FailureCause): boolean =>
  imports === 0 || hasParts || without.length > 0;

const amountOf = ({ parts, imports }: FailureCause): string =>
  imports === 0 ? countOf(parts, 'task') : `${countOf(parts, 'part')} of ${countOf(imports, 'import')}`;

type CausePanelProps = {
  cause: FailureCause;
  isOnly: boolean;
  isBusy: boolean;
  onAction: (kind: 'retry' | 'giveUp') => void;
};

/** The parts of a single cause are unfolded at first if there are at most this many. */
const partsShownMax = 10;

function CausePanel({ cause, isOnly, isBusy, onAction }: CausePanelProps) {
  const { technical, kinds, imports, since, canRetry, wornOut, files, chunks } = cause;
  const [isOpen, setOpen] = useState(isOnly && chunks <= partsShownMax);
  const name = nameOf(cause);
  const retry = imports === 0 || canRetry === 0 ? 'Retry' : `Retry ${countOf(canRetry, 'Import')}`;
  const parts = isOpen ? 'Hide Parts' : `Show ${countOf(chunks, 'Part')}`;
  const giveUp = imports === 0 ? 'Give Up' : 'Give Up All';
  return (
    <Paper withBorder p="sm" component="section" aria-label={name} data-focus-next="#dead-work">
      <Stack gap="xs">
        <Group gap="sm" justify="space-between" align="flex-start">
          <BodyText fw={500} className="break-words">
            {name}
          </BodyText>
          <Group gap="xs">
            <PlainButton
              size="compact-md"
              disabled={isBusy || canRetry === 0}
              aria-label={`${retry}: ${name}`}
              onClick={() => onAction('retry')}
            >
              {retry}
            </PlainButton>
            {canGiveUp(cause) && (
              <GiveUp
                what={`${giveUp}: ${name}`}
                words={giveUp}
                title="Give up all that failed for this reason?"
                meaning={meaningOf(cause)}
                button={{ disabled: isBusy }}
                onGiveUp={() => onAction('giveUp')}
              />
            )}
          </Group>
        </Group>
        <QuietText component="div">
          {`${amountOf(cause)} · ${kinds.join(', ')}`}
          {since !== null && (
            <>
              {' · first '}
              <RelativeTime time={since} />
            </>
          )}
        </QuietText>
        {wornOut > 0 && (
          <BodyText>
            {`${countOf(wornOut, 'import')} failed again after five retries. Once the cause is gone, retry ${wornOut === 1 ? 'it' : 'each'} on its own.`}
          </BodyText>
        )}
        {files.length > 0 && (
          <BodyText className="break-words">
            <Files files={files} imports={imports} />
          </BodyText>
        )}
        {technical !== null && technical !== firstLine(technical) && (
          <FoldedText text={technical} what="Error" />
        )}
        {chunks > 0 && (
          <TextButton
            color="gray"
            px={0}
            aria-expanded={isOpen}
            aria-label={`${parts}: ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {parts}
          </TextButton>
        )}
        {chunks > 0 && isOpen && <FailedParts cause={cause.cause} />}
      </Stack>
    </Paper>
  );
}

function Files({ files, imports }: Pick<FailureCause, 'files' | 'imports'>) {
  const more = imports - files.length;
  return (
    <>
      {files.map(({ importId, filename }, at) => (
        <Fragment key={importId}>
          {at > 0 && ', '}
          <PageLink to={importPath(importId)}>{filename}</PageLink>
        </Fragment>
      ))}
      {more > 0 && ` and ${formatCount(more)} more`}
    </>
  );
}

function FailedParts({ cause }: { cause: string }) {
  /** The cursor `before` of each page, from the first page to the shown page. */
  const [pages, setPages] = useState<(number | undefined)[]>([undefined]);
  const page = useDeadWork(cause, pages.at(-1));
  const action = useFailureAction();
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

const cancelMeaning =
  'Imports with failed parts are cancelled for good: they can’t be retried, re-read or pushed. ' +
  'Products that are already in the store stay there. If a file was being re-read, only the re-read is undone, and the import stays.';

type GiveUpProps = {
  what: string;
  words?: string;
  title: string;
  meaning: string | null;
  button?: ComponentProps<typeof PlainButton>;
  onGiveUp: () => void;
};

const GiveUp = ({ what, words = 'Give Up', title, meaning, button, onGiveUp }: GiveUpProps) => (
  <ConfirmedButton
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
  </ConfirmedButton>
);

type PanelProps = { group: DeadImport; isBusy: boolean; onAction: (action: FailureAction) => void };

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
      <ul className="list above-xs">
        {items.map((item) => (
          <li key={item.id} className="pad-y-xs line-above">
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
        {isTask && !canRetry && ' Start the task again on the import’s page.'}
        {isTask && without === null && ' The task can’t be given up, only retried.'}
      </BodyText>
      <SmallText component="div">
        {`${attempts} attempts · `}
        {at !== null && <RelativeTime time={at} />}
        {` · in the log: "chunkId":${id}`}
      </SmallText>
      {technical !== null && <FoldedText text={technical} what="Error" />}
    </Stack>
  );
}

function useDeadWork(cause: string, before: number | undefined) {
  const query = before === undefined ? { cause } : { cause, before };
  return useQuery({
    ...readOf('listDeadWork', { query }),
    refetchInterval: pollMs.work,
    placeholderData: keepPreviousData,
  });
}
