import type { FailedCause } from '@draftshelf/contract/operate/work';
import { asSentence, importsPerPress } from '@draftshelf/domain/operate/dead-work';
import { Anchor, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { PlainButton, SubtleButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/feedback/confirm.tsx';
import { FoldOut } from '../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { useCalls } from '../../ui/feedback/use-call.ts';
import { QuietText, RelativeTime } from '../../ui/text.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';
import { FailedParts } from './failed-parts.tsx';
import { useTold, useWork } from './operate-api.ts';

export function FailedWorkSection() {
  const work = useWork();
  const action = useCauseAction();
  const [givingUp, setGivingUp] = useState<FailedCause | null>(null);
  const causes = work.data?.causes;
  return (
    <TitledSection id="dead-work" title="Failed work">
      <QuietText>Failures by cause. Nothing is discarded until you retry it or give it up.</QuietText>
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

const cancelMeaning =
  'Imports with failed parts are cancelled for good: they can’t be retried, read again or pushed. ' +
  'Products that are already in the store stay there. If a file was being read again, only that is undone.';

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
  onRetry: () => void;
  onGiveUp: () => void;
};

/** Few parts of an only cause are shown at once. */
const partsShownMax = 10;

function CausePanel({ cause, isOnly, isBusy, onRetry, onGiveUp }: CausePanelProps) {
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
          <Text size="sm" fw={500} className="break-words">
            {name}
          </Text>
          <Group gap="xs">
            <PlainButton
              size="compact-md"
              disabled={isBusy || canRetry === 0}
              aria-label={`${retry}: ${name}`}
              onClick={onRetry}
            >
              {retry}
            </PlainButton>
            {canGiveUp(cause) && (
              <PlainButton
                size="compact-md"
                disabled={isBusy}
                aria-label={`${giveUp}: ${name}`}
                onClick={onGiveUp}
              >
                {giveUp}
              </PlainButton>
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
          <Text size="sm">
            {`${countOf(wornOut, 'import')} failed again after five retries. Retry ${wornOut === 1 ? 'it' : 'them'} alone, once the cause is gone.`}
          </Text>
        )}
        {files.length > 0 && (
          <Text size="sm" className="break-words">
            <Files files={files} imports={imports} />
          </Text>
        )}
        {technical !== null && technical !== firstLine(technical) && (
          <FoldOut text={technical} what="Error" />
        )}
        {chunks > 0 && (
          <SubtleButton
            color="gray"
            size="compact-sm"
            px={0}
            aria-expanded={isOpen}
            aria-label={`${parts}: ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {parts}
          </SubtleButton>
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
          <Anchor component={Link} to={importPath(importId)}>
            {filename}
          </Anchor>
        </Fragment>
      ))}
      {more > 0 && ` and ${formatCount(more)} more`}
    </>
  );
}

const useCauseAction = () =>
  useCalls(
    ({ kind, cause }: { kind: 'retry' | 'giveUp'; cause: string }) =>
      call(kind === 'retry' ? 'retryCause' : 'giveUpCause', { body: { cause } }),
    () => [{ name: 'retryCause' }],
    useTold(),
  );
