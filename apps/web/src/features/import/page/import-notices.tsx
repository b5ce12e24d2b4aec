import type { SupplierList } from '@draftshelf/contract/imports/list';
import type { Command } from '@draftshelf/contract/review/edit-history';
import { Group } from '@mantine/core';
import { IconClock, IconEye } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { importPath, needsYouRowsPath, queuePath } from '../../../lib/paths.ts';
import { BodyText, Button, ClockTime, PageLink, SmallButton } from '../../../ui/basics.tsx';
import { ErrorPanel } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { SmallHintedButton, TextHintedButton } from '../../../ui/hint.tsx';
import { useNow, useReportPath } from '../../../ui/hooks.ts';
import { useNoPushWorker } from '../../operate/index.ts';
import classes from '../edits/edits.module.css';
import { editLockReason, useCopyingCommands, useUndoButton } from '../edits/edits-api.ts';
import { type ShownDetails, type ShownImport, useAutoPushAnswer, useStopRetries } from '../imports-api.ts';
import { supplierQuestionWords } from '../list/list-words.ts';
import { dialectWords } from '../mapping/dialect-fields.tsx';
import { Notice } from '../notice.tsx';
import { firstProblemLinkState } from '../rows/use-problems.ts';
import { noWorkerWords, pushResultWords, retryWords, undecidedWords } from '../status/auto-words.ts';
import { isFailedByRows } from '../status/composition.tsx';

type FailureProps = { record: ShownImport; isBusy: boolean; onRetry: () => void };

export const ImportFailure = ({ record, isBusy, onRetry }: FailureProps) =>
  record.errorMessage === null ? null : (
    <ErrorPanel title={errorTitle(record)}>
      <BodyText style={{ overflowWrap: 'anywhere' }}>{record.errorMessage}</BodyText>
      {record.status === 'failed' && (
        <>
          <Retries record={record} />
          <FailedActions record={record} isBusy={isBusy} onRetry={onRetry} />
        </>
      )}
    </ErrorPanel>
  );

export function RereadingNotice({ record: { dialect, rereading } }: { record: ShownImport }) {
  if (rereading === null) return null;
  const words = dialectWords(rereading);
  // True if the re-read changes only the mapping, so that the settings look the same.
  const isSame = dialect !== null && dialectWords(dialect) === words;
  return (
    <Notice title="Re-reading the file">
      {isSame ? '' : `New settings: ${words}.`} The counts are from the new reading; the rows and mapping
      below are from the previous one until the new one finishes.
    </Notice>
  );
}

export const SameFileNotice = ({ record }: { record: ShownImport }) => (
  <Notice>
    {record.source === 'upload' ? 'You’ve uploaded this file before' : 'This file arrived before'} (
    <EarlierImport record={record} />
    ). Existing products are matched, not duplicated. <CopiedEdits record={record} />
  </Notice>
);

/** A link to the earlier import, or its filename if that import was deleted. */
function EarlierImport({ record: { sameAs, sameFilename } }: { record: ShownImport }) {
  if (sameAs === null) return `as “${sameFilename}”, deleted since`;
  return (
    <>
      see{' '}
      <PageLink to={importPath(sameAs)} size="sm">
        earlier import
      </PageLink>
    </>
  );
}

const errorTitle = ({ isUnreadable, status }: ShownImport): string => {
  if (isUnreadable) return 'This import can’t be shown';
  return status === 'failed' ? 'This import failed' : 'Last problem';
};

function Retries({ record }: { record: ShownImport }) {
  const stopping = useStopRetries('Couldn’t stop the retry');
  const words = retryWords(record, useNow());
  return (
    <BodyText component="div">
      <span id="retries" tabIndex={-1}>
        {words}
      </span>{' '}
      {record.nextRetryAt !== null && (
        <span data-focus-next="#retries">
          <SmallButton
            loading={stopping.isPending}
            onClick={() => stopping.mutate({ params: { id: record.id } })}
          >
            Don’t Retry
          </SmallButton>
        </span>
      )}
    </BodyText>
  );
}

/** If rows caused the failure, a retry cannot help, so the button for the review comes first. */
function FailedActions({ record, isBusy, onRetry }: FailureProps) {
  const open = record.warningProducts + record.errorProducts;
  const isOfRows = isFailedByRows(record);
  return (
    <Group gap="xs">
      {open > 0 && record.failedIn === 'push' && (
        <Button
          size="compact-md"
          variant={isOfRows ? 'filled' : 'default'}
          component={Link}
          to={needsYouRowsPath(record.id)}
          state={firstProblemLinkState}
          preventScrollReset
        >
          Review {countOf(open, 'Product')}
        </Button>
      )}
      <Button size="compact-md" variant={isOfRows ? 'default' : 'filled'} loading={isBusy} onClick={onRetry}>
        Retry
      </Button>
    </Group>
  );
}

type ListQuestionProps = {
  importId: string;
  asked: NonNullable<SupplierList['asked']>;
  /** The reason why the supplier cannot be changed, or null if it can. */
  lock: string | null;
  onOther: () => void;
};

/** Asks the operator whether the detected supplier is right. */
export function SupplierQuestion({ importId, asked, lock, onOther }: ListQuestionProps) {
  const saving = useCall('setSupplier', { params: { id: importId }, failed: 'Couldn’t save the answer' });
  const confirm = () => saving.mutate({ body: { supplier: asked.supplier.id } });
  return (
    <Notice icon={IconEye} tone="question">
      {supplierQuestionWords(asked)}{' '}
      <SmallHintedButton reason={lock} loading={saving.isPending} onClick={confirm}>
        Yes
      </SmallHintedButton>{' '}
      <SmallButton aria-haspopup="dialog" onClick={onOther}>
        No, another supplier
      </SmallButton>
    </Notice>
  );
}

const busyWords: Partial<Record<Command['state'], string>> = {
  applying: 'The edits are being applied again.',
  undoing: 'The edits are being removed.',
};

function CopiedEdits({ record }: { record: ShownImport }) {
  const commands = useCopyingCommands(record.id, 'copied');
  const [copied] = commands ?? [];
  const takeBack = useUndoButton(record.id, copied);
  if (commands === undefined) return 'Edits in that import apply here too.';
  if (copied === undefined) return 'That import has no edits.';
  const { rows, undo, state } = copied;
  const isRemoved = undo !== null;
  return (
    <>
      {isRemoved
        ? `The edits of ${countOf(rows, 'row')} were removed.`
        : `Edits of ${countOf(rows, 'row')} were copied from the earlier upload.`}{' '}
      <TextHintedButton
        className={classes.action}
        reason={busyWords[state] ?? editLockReason(record)}
        {...takeBack}
      >
        {isRemoved ? 'Apply These Edits Again' : 'Remove These Edits'}
      </TextHintedButton>
    </>
  );
}

export function AutoPushNotice({ record }: { record: ShownDetails }) {
  const answering = useAutoPushAnswer({ now: 'Push Failed', stop: 'Couldn’t stop the push' });
  const navigate = useNavigate();
  // Uses the promise: the notice may unmount before the reply, which would drop callbacks of `mutate`.
  const answer = (action: 'now' | 'stop') =>
    void answering.mutateAsync({ params: { id: record.id }, body: { action } }).then(
      () => action === 'now' && navigate(queuePath),
      () => {},
    );
  const isSending = (action: 'now' | 'stop') =>
    answering.isPending && answering.variables.body?.action === action;
  const pushed = pushResultWords(record, record.beforePush);
  const isForOperator = record.autoHeld !== null || pushed !== null;
  const isForFullAuto = record.autoPushAt !== null || undecidedWords(record) !== null;
  if (!isForOperator && !isForFullAuto) return null;
  return (
    <Notice icon={isForFullAuto ? IconClock : IconEye} tone="question">
      <span id="auto-push" tabIndex={-1}>
        <AutoWords record={record} pushed={pushed} />
      </span>
      {record.autoPushAt !== null && (
        <span data-focus-next="#auto-push">
          {' '}
          <SmallButton loading={isSending('now')} onClick={() => answer('now')}>
            Push Now
          </SmallButton>{' '}
          <SmallButton loading={isSending('stop')} onClick={() => answer('stop')}>
            Stop
          </SmallButton>
        </span>
      )}
    </Notice>
  );
}

function AutoWords({ record, pushed }: { record: ShownImport; pushed: string | null }) {
  const reportPath = useReportPath();
  const { id, autoPushAt, autoHeld } = record;
  const needsWorker = autoPushAt !== null || undecidedWords(record) !== null;
  const nowMs = useNow();
  if (useNoPushWorker(needsWorker)) return noWorkerWords(record, nowMs);
  if (autoPushAt !== null) {
    if (Date.parse(autoPushAt) <= nowMs) return 'Pushes in a moment, as drafts.';
    return (
      <>
        Pushes at <ClockTime time={autoPushAt} />, as drafts.
      </>
    );
  }
  if (autoHeld !== null) return autoHeld;
  return pushed === null ? undecidedWords(record) : <Link to={reportPath(id)}>{pushed}.</Link>;
}
