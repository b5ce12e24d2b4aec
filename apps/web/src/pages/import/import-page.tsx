import { Group, Skeleton, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { Link, type ShouldRevalidateFunction, useParams } from 'react-router';
import { CallError } from '../../api/call.ts';
import { importRead, type ShownImport, useImport } from '../../api/imports.ts';
import { loaderOf } from '../../api/loader.ts';
import type { RereadChange } from '../../api/reread.ts';
import { Button } from '../../components/button.tsx';
import { ConnectionLost } from '../../components/feedback/connection-lost.tsx';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { lossesOf } from '../../components/import/composition.ts';
import { StatusBadge } from '../../components/import/status-badge.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProductDialogs } from '../../components/product-dialog/product-dialogs.tsx';
import { ReportInUrl } from '../../components/report/report-in-url.tsx';
import { useOpenReport } from '../../components/report/use-report-path.ts';
import { countOf } from '../../lib/intl.ts';
import { lazily } from '../../lib/load-chunk.ts';
import { FieldMapping } from './field-mapping.tsx';
import classes from './import.module.css';
import { JobBar } from './job-bar.tsx';
import { JobNotices } from './job-notices.tsx';
import { JobStatus } from './job-status.tsx';
import { ProductPreview } from './rows/product-preview.tsx';
import { useRowDrafts } from './rows/row-drafts.ts';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { useJobCalls } from './use-job-calls.ts';

const LookupsPanel = lazily(() =>
  import('../../components/lookups/lookups-panel.tsx').then((chunk) => chunk.LookupsPanel),
);
const FormerReading = lazily(() =>
  import('./former-reading-notice.tsx').then((chunk) => chunk.FormerReading),
);

export const loader = loaderOf(({ params: { jobId = '' } }) => [importRead(jobId)]);

/** Filters and pages of rows are in the URL too. Changing them must not reload the import. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentParams, nextParams }) =>
  currentParams.jobId !== nextParams.jobId;

export function Component() {
  const { jobId = '' } = useParams();
  // Another import is another page: nothing may stay of the one before.
  return <JobPage key={jobId} id={jobId} />;
}

function JobPage({ id }: { id: string }) {
  const reading = useImport(id);
  const { job } = reading;
  const drafts = useRowDrafts();
  const calls = useJobCalls(job ?? { id, rereading: null }, reading.hasRows);
  const openReport = useOpenReport(id);
  const [former, setFormer] = useState<RereadChange | null>(null);
  const unsaved = drafts.unsaved.length;
  return (
    <div className={classes.page}>
      <title>{`${job?.filename ?? 'Import'} · Draftshelf`}</title>
      <PageHeader
        above={<BackToQueue />}
        title={job?.filename ?? 'Import'}
        subtitle={job === undefined ? <span /> : <Subtitle job={job} />}
      >
        {job !== undefined && <JobBar job={job} calls={calls} unsaved={unsaved} onReport={openReport} />}
      </PageHeader>
      {job === undefined && reading.pending && <JobSkeleton />}
      {job === undefined && !reading.pending && (
        <JobLoadError error={reading.error} onRetry={() => reading.refetch()} />
      )}
      {job !== undefined && (
        <>
          {reading.lostSinceMs !== null && <ConnectionLost sinceMs={reading.lostSinceMs} />}
          <JobNotices job={job} isBusy={calls.isBusy} onRetry={() => calls.run('retry')} />
          {former !== null && (
            <Suspense fallback={null}>
              <FormerReading job={job} former={former} onRestored={() => setFormer(null)} />
            </Suspense>
          )}
          {!job.isUnreadable && (
            <>
              <JobStatus job={job} tasks={reading.tasks} />
              <FieldMapping job={job} mappingSet={reading.mappingSet} onReread={setFormer} />
              <ProductDialogs key={job.id} job={job}>
                <ProductPreview job={job} hasRows={reading.hasRows} drafts={drafts} />
              </ProductDialogs>
            </>
          )}
          {reading.enrichment !== null && (
            <Suspense fallback={null}>
              <LookupsPanel key={job.id} job={job} enrichment={reading.enrichment} />
            </Suspense>
          )}
          <ReportInUrl onAction={(action) => calls.run(action)} />
        </>
      )}
      <UnsavedGuard unsaved={unsaved} />
    </div>
  );
}

function BackToQueue() {
  return (
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
}

function Subtitle({ job }: { job: ShownImport }) {
  return (
    <Group gap="xs">
      <span className={`${classes.productCount} numbers`}>{countOf(job.totalProducts, 'product')}</span>
      <StatusBadge status={job.status} losses={lossesOf(job)} />
    </Group>
  );
}

/** The page in its final shape, while it loads. */
function JobSkeleton() {
  return (
    <div className={classes.page} aria-hidden>
      <Skeleton height={56} />
      <Skeleton height={38} />
      <Skeleton height={36} />
      <Skeleton height={640} />
    </div>
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
