import type { ImportReport } from '@draftshelf/contract/imports/report';
import { Stack, Title } from '@mantine/core';
import { Timeline } from '../../../ui/charts/timeline.tsx';
import { PushSpark } from './push-spark.tsx';
import { spansOf } from './timeline-words.ts';

/** The import's life on a time axis, and the rate of its last push. */
export function ReportTimeline({ report }: { report: ImportReport }) {
  if (report.timeline.length === 0) return null;
  return (
    <Stack component="section" gap={6} aria-label="Timeline">
      <Title order={3}>Timeline</Title>
      <Timeline label="Spans of the import" spans={spansOf(report.timeline, Date.now())} />
      {report.push !== null && <PushSpark importId={report.id} isRunning={report.status === 'uploading'} />}
    </Stack>
  );
}
