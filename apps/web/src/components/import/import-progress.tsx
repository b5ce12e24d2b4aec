import { Group, Progress, Stack, Text } from '@mantine/core';
import type { ShownImport } from '../../api/imports.ts';
import { formatClock } from '../../lib/intl.ts';
import { statusLook } from './status-look.ts';

/** An import's progress bar and percentage, and what it is waiting for. */
export function ImportProgress({ job }: { job: ShownImport }) {
  const look = statusLook(job.status);
  return (
    <Stack gap={2} miw={120}>
      <Group gap="xs" wrap="nowrap">
        <Progress
          value={job.progress}
          color={look.bar ?? `${look.color}.6`}
          flex={1}
          aria-label={`Progress of ${job.filename}`}
          transitionDuration={150}
        />
        <Text size="sm" className="numbers" w={40} ta="right">
          {job.progress}%
        </Text>
      </Group>
      {job.status === 'queued' && (
        <Text size="xs" c="dimmed">
          Waiting for your review
        </Text>
      )}
      {job.waitingFor !== null && (
        <Text size="xs" c="dimmed">
          {job.waitingFor}
          {job.waitingUntil !== null && ` Resumes at ${formatClock(job.waitingUntil)}.`}
        </Text>
      )}
    </Stack>
  );
}
