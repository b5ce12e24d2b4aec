import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { dialectWords } from '../../components/dialect/dialect-words.ts';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { countOf } from '../../lib/intl.ts';
import { importPath, needsYouPath } from '../../lib/paths.ts';
import { CurrencyNotice } from './currency-notice.tsx';
import { Notice } from './status-strip.tsx';

type ImportNoticesProps = { record: ShownImport; isBusy: boolean; onRetry: () => void };

/** What stands above everything else: an error, a re-read, an earlier import of the same file. */
export function ImportNotices({ record, isBusy, onRetry }: ImportNoticesProps) {
  return (
    <>
      {record.errorMessage !== null && (
        <ErrorPanel title={errorTitle(record)}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {record.errorMessage}
          </Text>
          {record.status === 'failed' && <FailedActions record={record} isBusy={isBusy} onRetry={onRetry} />}
        </ErrorPanel>
      )}
      {record.rereading !== null && (
        <Notice title="Re-reading the file">
          {rereadingWords(record.dialect, record.rereading)} The counts are from the new reading; the rows and
          mapping below are from the previous one until it finishes.
        </Notice>
      )}
      <CurrencyNotice record={record} />
      {record.sameAs !== null && (
        <Notice>
          You’ve uploaded this file before (see{' '}
          <Anchor component={Link} to={importPath(record.sameAs)} size="sm" underline="always">
            earlier import
          </Anchor>
          ). Edits you made there apply here too, and existing products are matched, not duplicated.
        </Notice>
      )}
    </>
  );
}

const errorTitle = ({ isUnreadable, status }: ShownImport): string => {
  if (isUnreadable) return 'This import can’t be shown';
  return status === 'failed' ? 'This import failed' : 'Last problem';
};

/** Retry cannot help if the rows are the cause: then the review comes first. */
function FailedActions({ record, isBusy, onRetry }: ImportNoticesProps) {
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
