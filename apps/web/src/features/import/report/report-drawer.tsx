import type { ImportReport } from '@draftshelf/contract/imports/report';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Anchor, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Button } from '../../../ui/button.tsx';
import drawer from '../../../ui/editor-drawer.module.css';
import { Read } from '../../../ui/feedback/read.tsx';
import { lossesOf } from '../cells/composition.ts';
import { StatusBadge } from '../cells/status-badge.tsx';
import { Causes } from './causes.tsx';
import { DraftsInStore } from './drafts-in-store.tsx';
import { InStoreNote } from './in-store-note.tsx';
import classes from './report.module.css';
import { ledgerUrl, useReport } from './report-api.ts';
import { ReportFacts, ReportProducts } from './report-parts.tsx';
import { ReportTimeline } from './report-timeline.tsx';

type ReportDrawerProps = {
  importId: string;
  opened: boolean;
  onClose: () => void;
  /** Starts an action on the import. */
  onAction: (action: 'retry' | 'push', report: ImportReport) => void;
};

/** Composition of an import, causes of skipped and failed products, and the actions against them. */
export function ReportDrawer({ importId, opened, onClose, onAction }: ReportDrawerProps) {
  const reading = useReport(importId);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={480}
      title="Report"
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': 'Close report' }}
      classNames={{ title: drawer.title ?? '', content: drawer.content ?? '', body: drawer.body ?? '' }}
      transitionProps={{ duration: 120 }}
    >
      <Read of={reading} what="the report" meanwhile={<ReportSkeleton />}>
        {(report) => <Report report={report} onAction={onAction} />}
      </Read>
    </Drawer>
  );
}

function ReportSkeleton() {
  return (
    <Stack gap="md" aria-hidden>
      <Skeleton height={26} width="70%" />
      <Skeleton height={64} />
      <Skeleton height={64} />
      <Skeleton height={120} />
    </Stack>
  );
}

function Report({ report, onAction }: { report: ImportReport; onAction: ReportDrawerProps['onAction'] }) {
  const losses = lossesOf(report);
  return (
    <>
      <Stack gap="lg" className={classes.scrolled}>
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
  // Retrying a completed import sends only what failed: skipped products would be skipped again.
  const canRetry =
    canDo('retry', status) && (status === 'completed' ? outcomes.failed > 0 : failedIn === 'push');
  const canPush = canDo('push', status) && report.push !== null;
  if (!canRetry && !canPush) return null;
  return (
    <div className={`row-wrap ${classes.actions}`}>
      {canPush && (
        <Button variant="default" onClick={() => onAction('push', report)}>
          Push again
        </Button>
      )}
      {canRetry && <Button onClick={() => onAction('retry', report)}>Retry failed rows</Button>}
    </div>
  );
}
