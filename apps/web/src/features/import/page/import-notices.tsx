import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { importPath, needsYouPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { CopiedEdits } from '../edits/copied-edits.tsx';
import { type ShownImport, useRetryStop } from '../imports-api.ts';
import { dialectWords } from '../mapping/dialect-words.ts';
import { Notice } from '../notice.tsx';
import { toFirstProblem } from '../rows/use-first-problem.ts';
import { retryWords } from '../status/auto-words.ts';

/** Until the number of edits is known. */
const copiedWords = 'Edits you made there apply here too.';

type FailureProps = { record: ShownImport; isBusy: boolean; onRetry: () => void };

/** Why an import, or its last re-read, has failed. */
export function ImportFailure({ record, isBusy, onRetry }: FailureProps) {
  if (record.errorMessage === null) return null;
  return (
    <ErrorPanel title={errorTitle(record)}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {record.errorMessage}
      </Text>
      {record.status === 'failed' && (
        <>
          <Retries record={record} />
          <FailedActions record={record} isBusy={isBusy} onRetry={onRetry} />
        </>
      )}
    </ErrorPanel>
  );
}

export function RereadingNotice({ record: { dialect, rereading } }: { record: ShownImport }) {
  if (rereading === null) return null;
  return (
    <Notice title="Re-reading the file">
      {rereadingWords(dialect, rereading)} The counts are from the new reading; the rows and mapping below are
      from the previous one until it finishes.
    </Notice>
  );
}

/** An earlier import of the same file. */
export function SameFile({ record }: { record: ShownImport }) {
  return (
    <Notice>
      {record.source === 'upload' ? 'You’ve uploaded this file before' : 'This file arrived before'} (
      <EarlierImport record={record} />
      ). Existing products are matched, not duplicated. <CopiedEdits record={record} unknown={copiedWords} />
    </Notice>
  );
}

/** A link to the earlier import, or the name of its file if it was deleted. */
function EarlierImport({ record: { sameAs, sameFilename } }: { record: ShownImport }) {
  if (sameAs === null) return `as “${sameFilename}”, deleted since`;
  return (
    <>
      see{' '}
      <Anchor component={Link} to={importPath(sameAs)} size="sm" underline="always">
        earlier import
      </Anchor>
    </>
  );
}

const errorTitle = ({ isUnreadable, status }: ShownImport): string => {
  if (isUnreadable) return 'This import can’t be shown';
  return status === 'failed' ? 'This import failed' : 'Last problem';
};

/** The automatic retries of a failed import, and a way to end them. */
function Retries({ record }: { record: ShownImport }) {
  const stopping = useRetryStop('Couldn’t stop the retry');
  const words = retryWords(record, useNow());
  return (
    <Text size="sm" component="div">
      <span id="retries" tabIndex={-1}>
        {words}
      </span>{' '}
      {record.nextRetryAt !== null && (
        <span data-focus-next="#retries">
          <Button
            size="compact-sm"
            variant="default"
            loading={stopping.isPending}
            onClick={() => stopping.mutate({ params: { id: record.id } })}
          >
            Don’t Retry
          </Button>
        </span>
      )}
    </Text>
  );
}

/** Retry cannot help if the rows are the cause: then the review comes first. */
function FailedActions({ record, isBusy, onRetry }: FailureProps) {
  const open = record.warningProducts + record.errorProducts;
  const isOfRows = record.failedIn === 'push' && record.outcomes.skipped > 0 && record.outcomes.failed === 0;
  return (
    <Group gap="xs">
      {open > 0 && record.failedIn === 'push' && (
        <Button
          size="compact-md"
          variant={isOfRows ? 'filled' : 'default'}
          component={Link}
          to={needsYouPath(record.id)}
          state={toFirstProblem}
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

/** The settings of a re-read; only the mapping may be new. */
function rereadingWords(
  before: ShownImport['dialect'],
  after: NonNullable<ShownImport['rereading']>,
): string {
  const words = dialectWords(after);
  return before !== null && dialectWords(before) === words ? '' : `New settings: ${words}.`;
}
