import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconInfoCircle } from '@tabler/icons-react';
import { Link, type ShouldRevalidateFunction, useParams } from 'react-router';
import { CallError } from '../../api/call.ts';
import { importRead, type ShownImport, useImport, useImportAction } from '../../api/imports.ts';
import { loaderOf } from '../../api/loader.ts';
import { dialectWords } from '../../components/dialect/dialect-words.ts';
import { ConnectionLost } from '../../components/feedback/connection-lost.tsx';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { useFailureToast } from '../../components/feedback/toast.tsx';
import { StatusBadge } from '../../components/import/status-badge.tsx';
import { LookupsPanel } from '../../components/lookups/lookups-panel.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { countOf } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import classes from './import.module.css';
import { JobActions } from './import-buttons.tsx';
import { FieldMappingCard, JobStatusCard } from './import-cards.tsx';
import { ProductPreview } from './rows/product-preview.tsx';

export const loader = loaderOf(({ params: { jobId = '' } }) => [importRead(jobId)]);

/** Filters and pages of rows are in the URL too. Changing them must not reload the import. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentParams, nextParams }) =>
  currentParams.jobId !== nextParams.jobId;

export function Component() {
  const { jobId = '' } = useParams();
  const reading = useImport(jobId);
  const { job } = reading;
  const back = (
    <div>
      <Button
        component={Link}
        to="/queue"
        variant="subtle"
        color="gray"
        size="compact-md"
        leftSection={<IconArrowLeft size={16} aria-hidden />}
      >
        Back to Queue
      </Button>
    </div>
  );
  if (job === undefined) {
    return (
      <Stack gap="md">
        {back}
        {reading.pending ? (
          <JobSkeleton />
        ) : (
          <JobLoadError error={reading.error} onRetry={() => reading.refetch()} />
        )}
      </Stack>
    );
  }
  return (
    <Stack gap="lg">
      <title>{`${job.filename} · Draftshelf`}</title>
      <PageHeader
        above={back}
        title={job.filename}
        subtitle={
          <Group gap="xs">
            <span className="numbers">{countOf(job.totalProducts, 'product')}</span>
            <StatusBadge status={job.status} />
          </Group>
        }
      >
        <JobActions job={job} hasRows={reading.hasRows} />
      </PageHeader>
      {reading.lostSinceMs !== null && <ConnectionLost sinceMs={reading.lostSinceMs} />}
      <JobNotices job={job} />
      <div className={classes.cards}>
        <JobStatusCard job={job} tasks={reading.tasks} />
        <FieldMappingCard job={job} mappingSet={reading.mappingSet} />
      </div>
      {reading.enrichment !== null && <LookupsPanel job={job} enrichment={reading.enrichment} />}
      <ProductPreview key={job.id} job={job} hasRows={reading.hasRows} />
    </Stack>
  );
}

function JobSkeleton() {
  return (
    <Stack gap="lg" aria-hidden>
      <Skeleton height={32} width="40%" />
      <div className={classes.cards}>
        <Skeleton height={160} />
        <Skeleton height={160} />
      </div>
      <Skeleton height={320} />
    </Stack>
  );
}

function JobLoadError({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const unknown = error instanceof CallError && error.status === 404;
  return (
    <ErrorPanel
      title="Job not found or failed to load details."
      cause={error === null ? null : `Failed to fetch job details: ${error.message}`}
    >
      <Text size="sm">
        {unknown
          ? 'This import doesn’t exist. Open it from the queue instead.'
          : 'Check that the server is running, then try again.'}
      </Text>
      {!unknown && <Button onClick={onRetry}>Try Again</Button>}
    </ErrorPanel>
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

/** Notices above everything else: an error, a re-read, ready for review, an earlier import of the same file. */
function JobNotices({ job }: { job: ShownImport }) {
  const mutation = useImportAction();
  const failure = useFailureToast();
  const retry = () =>
    mutation.mutate(
      { id: job.id, action: 'retry' },
      {
        onSuccess: failure.dismiss,
        onError: (error) => failure.show('Failed to retry job', error.message),
      },
    );
  return (
    <>
      {job.errorMessage !== null && (
        <ErrorPanel title={job.status === 'failed' ? 'This import failed' : 'Last problem'}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {job.errorMessage}
          </Text>
          {job.status === 'failed' && (
            <Button size="compact-md" color="red" loading={mutation.isPending} onClick={retry}>
              Retry
            </Button>
          )}
        </ErrorPanel>
      )}
      {job.rereading !== null && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />} title="Re-reading the file">
          {rereadingWords(job.dialect, job.rereading)} The counts are from the new reading; the rows and
          mapping below are from the previous one until it finishes.
        </Alert>
      )}
      {(job.status === 'queued' || job.status === 'processed') && <ReadyNotice job={job} />}
      {job.sameAs !== null && (
        <Alert color="gray" icon={<IconInfoCircle aria-hidden />}>
          You’ve uploaded this file before (see{' '}
          <Anchor component={Link} to={importPath(job.sameAs)} size="sm" underline="always">
            earlier import
          </Anchor>
          ). Edits you made there apply here too, and existing products are matched, not duplicated.
        </Alert>
      )}
    </>
  );
}

function ReadyNotice({ job }: { job: ShownImport }) {
  const open = job.warningProducts + job.errorProducts;
  if (job.status === 'processed') {
    return (
      <Alert color="green" icon={<IconInfoCircle aria-hidden />} title="Ready for Shopify">
        {countOf(job.totalProducts - open, 'product is', 'products are')} ready to push.
        {open > 0 &&
          ` ${countOf(open, 'product is', 'products are')} missing a title or a valid price and will be skipped.`}
      </Alert>
    );
  }
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title="Ready for your review">
      {reviewWords(open)}
    </Alert>
  );
}

function reviewWords(open: number): string {
  if (open === 0) return 'Review the rows, then push.';
  if (open === 1)
    return '1 product needs a title or a valid price. Fix it, or push now and it’ll be skipped.';
  return `${countOf(open, 'product')} need a title or a valid price. Fix them, or push now and they’ll be skipped.`;
}
