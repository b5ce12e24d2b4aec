import type { FailedCause } from '@draftshelf/contract/operate/work';
import { asSentence, importsPerPress } from '@draftshelf/domain/operate/dead-work';
import { Group, Paper, Skeleton, Stack } from '@mantine/core';
import { Fragment, useState } from 'react';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { PlainButton, TextButton } from '../../ui/button.tsx';
import { FoldOut } from '../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { BodyText, PageLink, QuietText, RelativeTime } from '../../ui/text.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';
import { cancelMeaning, FailedParts, GiveUp } from './failed-parts.tsx';
import { useFailedAction, useWork } from './operate-api.ts';

export function FailedWorkSection() {
  const work = useWork();
  const action = useFailedAction();
  const causes = work.data?.causes;
  return (
    <TitledSection id="dead-work" title="Failed work">
      <QuietText>Failures by cause. Nothing is discarded until you retry it or give it up.</QuietText>
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

function meaningOf(cause: FailedCause): string {
  const { sentence, imports, hasParts, without } = cause;
  if (imports === 0) return `${sentence} The task runs again at its next time, or when it is requested.`;
  const limit =
    imports > importsPerPress
      ? ` The ${formatCount(importsPerPress)} that failed first are given up now.`
      : '';
  const meanings = hasParts ? [cancelMeaning, ...without] : without;
  return `${nameOf(cause)} ${amountOf(cause)}.${limit} ${meanings.join(' ')}`;
}

/** Failures with one sentence may have several technical causes. */
const nameOf = ({ sentence, technical }: FailedCause): string =>
  technical === null ? sentence : `${sentence} ${asSentence(firstLine(technical))}`;

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** Some tasks cannot be left half done. */
const canGiveUp = ({ imports, hasParts, without }: FailedCause): boolean =>
  imports === 0 || hasParts || without.length > 0;

const amountOf = ({ parts, imports }: FailedCause): string =>
  imports === 0 ? countOf(parts, 'task') : `${countOf(parts, 'part')} of ${countOf(imports, 'import')}`;

type CausePanelProps = {
  cause: FailedCause;
  isOnly: boolean;
  isBusy: boolean;
  onAction: (kind: 'retry' | 'giveUp') => void;
};

/** Few parts of an only cause are shown at once. */
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
            {`${countOf(wornOut, 'import')} failed again after five retries. Retry ${wornOut === 1 ? 'it' : 'them'} alone, once the cause is gone.`}
          </BodyText>
        )}
        {files.length > 0 && (
          <BodyText className="break-words">
            <Files files={files} imports={imports} />
          </BodyText>
        )}
        {technical !== null && technical !== firstLine(technical) && (
          <FoldOut text={technical} what="Error" />
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

function Files({ files, imports }: Pick<FailedCause, 'files' | 'imports'>) {
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
