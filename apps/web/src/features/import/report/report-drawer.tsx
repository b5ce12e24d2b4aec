import type { ImportReport } from '@draftshelf/contract/imports/report';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Anchor, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Button, PlainButton } from '../../../ui/button.tsx';
import { Timeline } from '../../../ui/charts/spark.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { useAddressParam, useLast } from '../../../ui/hooks.ts';
import drawer from '../../../ui/overlays.module.css';
import { QuietText } from '../../../ui/text.tsx';
import classes from '../import.module.css';
import { lossesOf } from '../status/composition.tsx';
import { StatusBadge } from '../status/status-look.tsx';
import { ledgerUrl, useReport } from './report-api.ts';
import { Causes, DraftsInStore, PushSpark, ReportFacts, ReportProducts } from './report-parts.tsx';
import { inStoreWords, spansOf } from './report-words.ts';

type ReportDrawerProps = {
  importId: string;
  opened: boolean;
  onClose: () => void;
  onAction: (action: 'retry' | 'push', report: ImportReport) => void;
};

export function ReportDrawer({ importId, opened, onClose, onAction }: ReportDrawerProps) {
  const reading = useReport(importId, opened);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={480}
      title="Report"
      closeButtonProps={{ 'aria-label': 'Close report' }}
      classNames={{ title: drawer.title ?? '', content: 'stack gap-0', body: `${drawer.body} fill-stack` }}
    >
      <Read of={reading} what="the report" meanwhile={<ReportSkeleton />}>
        {(report) => <Report report={report} onAction={onAction} />}
      </Read>
    </Drawer>
  );
}

const ReportSkeleton = () => (
  <Stack gap="md" aria-hidden>
    <Skeleton height={26} width="70%" />
    <Skeleton height={64} />
    <Skeleton height={64} />
    <Skeleton height={120} />
  </Stack>
);

function Report({ report, onAction }: { report: ImportReport; onAction: ReportDrawerProps['onAction'] }) {
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
        <ReportFacts report={report} />
        <ReportTimeline report={report} />
        {losses > 0 && <Causes report={report} />}
        {report.outcomes.created > 0 && <DraftsInStore importId={report.id} />}
        {report.push !== null && (
          <Anchor href={ledgerUrl(report.id)} download size="sm" underline="always">
            Download ledger (CSV)
          </Anchor>
        )}
      </Stack>
      <ReportActions report={report} onAction={onAction} />
    </>
  );
}

type ReportActionsProps = { report: ImportReport; onAction: ReportDrawerProps['onAction'] };

function ReportActions({ report, onAction }: ReportActionsProps) {
  const { status, failedIn, outcomes } = report;
  // Retrying a completed import sends only failures: skipped products would be skipped again.
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
      <Text className="numbers">{inStoreWords(report.inStore, report.products.total)}</Text>
      <QuietText>
        A product there has the same SKU, UPC or item number, so nothing was written. Each row links to it.
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

const ReportTimeline = ({ report }: { report: ImportReport }) =>
  report.timeline.length === 0 ? null : (
    <section className="stack" aria-label="Timeline">
      <Title order={3}>Timeline</Title>
      <Timeline label="Spans of the import" spans={spansOf(report.timeline, Date.now())} />
      {report.push !== null && <PushSpark importId={report.id} isRunning={report.status === 'uploading'} />}
    </section>
  );

type ReportInUrlProps = { onAction: (action: 'retry' | 'push', report: ImportReport) => void };

/** Opened by `?report=`. */
export function ReportInUrl({ onAction }: ReportInUrlProps) {
  const [id, setId] = useAddressParam('report');
  const lastId = useLast(id);
  const close = () => setId(null);
  return (
    <ReportDrawer
      importId={lastId ?? ''}
      opened={id !== null}
      onClose={close}
      onAction={(action, report) => {
        onAction(action, report);
        close();
      }}
    />
  );
}
