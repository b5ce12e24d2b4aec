import type { ImportReport } from '@draftshelf/contract/imports/report';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { buildDownloadUrl, freshMs, pollMs, readOf } from '../../../api/call.ts';
import { Button, DownloadLink, PlainButton, QuietText } from '../../../ui/basics.tsx';
import { Timeline } from '../../../ui/charts/spark.tsx';
import { ReadView, Skeletons } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { useAddressParam, useLastPresent } from '../../../ui/hooks.ts';
import { EditorDrawer } from '../../../ui/overlays.tsx';
import classes from '../import.module.css';
import { lossesOf } from '../status/composition.tsx';
import { StatusBadge } from '../status/status-look.tsx';
import {
  alreadyInStoreWords,
  Causes,
  DraftsInStore,
  PushRateChart,
  ReportProducts,
  toTimeSpans,
} from './report-parts.tsx';

type ReportProps = {
  report: ImportReport;
  onAction: (action: 'retry' | 'push', report: ImportReport) => void;
};

/** The report of the import whose id is in the address, such as `?report=4`. */
export function ReportInUrl({ onAction }: Pick<ReportProps, 'onAction'>) {
  const [id, setId] = useAddressParam('report');
  const lastId = useLastPresent(id);
  // If a later read fails, the last report is still shown.
  const reading = useQuery({
    ...readOf('getReport', { params: { id: lastId ?? '' } }),
    // Not cached for long, because another user may have pushed since.
    staleTime: freshMs,
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'uploading' ? pollMs.report : false),
  });
  const close = () => setId(null);
  const act: ReportProps['onAction'] = (action, report) => {
    onAction(action, report);
    close();
  };
  return (
    <EditorDrawer opened={id !== null} onClose={close} width={480} title="Report" closeLabel="Close report">
      {() => (
        <ReadView
          of={reading}
          what="the report"
          meanwhile={<Skeletons gap="md" heights={[26, 64, 64, 120]} />}
        >
          {(report) => <Report report={report} onAction={act} />}
        </ReadView>
      )}
    </EditorDrawer>
  );
}

function Report({ report, onAction }: ReportProps) {
  const losses = lossesOf(report);
  return (
    <>
      <Stack gap="lg" className={`${classes.scrolled} fill-scroll`}>
        <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
          <Text fw={600} dir="auto" className="break-words">
            {report.filename}
          </Text>
          <StatusBadge status={report.status} losses={losses} isUndoing={report.isUndoing} />
        </Group>
        {report.errorMessage !== null && <Text c="var(--text-bad)">{report.errorMessage}</Text>}
        <ReportProducts report={report} />
        {report.inStore > 0 && <InStoreNote report={report} />}
        {report.shop !== null && (
          <dl className={`flush ${classes.reportFacts} grid`}>
            <dt>Store</dt>
            <dd className="flush break-words">{report.shop}</dd>
          </dl>
        )}
        {report.timeline.length === 0 ? null : (
          <section className="stack" aria-label="Timeline">
            <Title order={3}>Timeline</Title>
            <Timeline label="Spans of the import" spans={toTimeSpans(report.timeline, Date.now())} />
            {report.push !== null && (
              <PushRateChart importId={report.id} isRunning={report.status === 'uploading'} />
            )}
          </section>
        )}
        {losses > 0 && <Causes report={report} />}
        {report.outcomes.created > 0 && <DraftsInStore importId={report.id} />}
        {report.push !== null && (
          <DownloadLink href={buildDownloadUrl('getLedger', { id: report.id })}>
            Download ledger (CSV)
          </DownloadLink>
        )}
      </Stack>
      <ReportActions report={report} onAction={onAction} />
    </>
  );
}

function ReportActions({ report, onAction }: ReportProps) {
  const { status, failedIn, outcomes } = report;
  // A retry of a completed import sends only failed products, because skipped products would be skipped again.
  const canRetry =
    canDo('retry', status) && (status === 'completed' ? outcomes.failed > 0 : failedIn === 'push');
  const canPush = canDo('push', status) && report.push !== null;
  if (!canRetry && !canPush) return null;
  return (
    <div className={`row-wrap ${classes.actions} gap-xs end pad-foot line-above`}>
      {canPush && <PlainButton onClick={() => onAction('push', report)}>Push again</PlainButton>}
      {canRetry && <Button onClick={() => onAction('retry', report)}>Retry failed rows</Button>}
    </div>
  );
}

function InStoreNote({ report }: { report: ImportReport }) {
  const push = useCall('pushImport', { params: { id: report.id }, failed: 'Push Failed' });
  const choose = (whenInStore: MatchChoice) => push.mutate({ body: { whenInStore } });
  return (
    <section className="stack" aria-label="Already in the store">
      <Title order={3}>Already in the store</Title>
      <Text className="numbers">{alreadyInStoreWords(report.inStore, report.products.total)}</Text>
      <QuietText>
        The store already has the same SKU, UPC or item number, so nothing was written. Each row links to the
        product.
      </QuietText>
      {canDo('push', report.status) && (
        <Group gap="xs">
          <PlainButton busy={push.isPending} onClick={() => choose('update')}>
            Update Them
          </PlainButton>
          <PlainButton busy={push.isPending} onClick={() => choose('create')}>
            Create Them Anyway
          </PlainButton>
        </Group>
      )}
    </section>
  );
}
