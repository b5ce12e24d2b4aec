import { fileSize } from '@draftshelf/domain/format';
import { Anchor, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { StatusBadge } from '../../components/import/status-badge.tsx';
import { countOf } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import type { RunState } from './run-state.ts';
import classes from './upload.module.css';
import { useUploadRun } from './upload-run.tsx';

/** The progress and result of the current upload. */
export function RunPanel({ state }: { state: Exclude<RunState, { phase: 'none' }> }) {
  const { retry, clear } = useUploadRun();
  if (state.phase === 'failed') {
    return (
      <ErrorPanel title="Upload Failed" cause={state.cause}>
        <Text size="sm" className={classes.filename}>
          {state.filename}: {state.message}
        </Text>
        <Group gap="xs">
          <Button size="compact-md" color="red" onClick={retry}>
            Try Again
          </Button>
          <Button size="compact-md" variant="subtle" color="gray" onClick={clear}>
            Dismiss
          </Button>
        </Group>
      </ErrorPanel>
    );
  }
  return (
    <Stack component="section" aria-label="Upload progress" className="panel" gap="sm">
      <Title order={2} className={classes.filename}>
        {state.filename}
      </Title>
      {state.phase === 'sending' ? <Sending state={state} /> : <Processing state={state} />}
      {'reply' in state && state.reply.sameAs !== null && (
        <Text>
          You’ve uploaded this file before (see{' '}
          <Anchor component={Link} to={importPath(state.reply.sameAs)} underline="always">
            earlier import
          </Anchor>
          ). Edits you made there apply here too, and existing products are matched, not duplicated.
        </Text>
      )}
      {state.phase === 'ended' && (
        <Group gap="xs">
          {state.reply.id !== null && (
            <Button component={Link} to={importPath(state.reply.id)}>
              Review
            </Button>
          )}
          <Button variant="default" component={Link} to="/queue">
            Go to Queue
          </Button>
          <Button variant="subtle" onClick={clear}>
            Upload Another File
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Sending({ state: { sent, fileBytes } }: { state: Extract<RunState, { phase: 'sending' }> }) {
  const { stop } = useUploadRun();
  const percent = fileBytes === 0 ? 0 : Math.floor((sent.bytes / fileBytes) * 100);
  return (
    <>
      <Progress value={percent} aria-label="Uploading" />
      <Group justify="space-between">
        <Text size="sm" className="numbers" role="status">
          {sent.whole
            ? `${fileSize(fileBytes)} uploaded. Finishing up…`
            : `Uploading: ${fileSize(sent.bytes)} of ${fileSize(fileBytes)} (${percent}%)`}
        </Text>
        {!sent.whole && (
          <Button variant="default" size="compact-md" onClick={stop}>
            Cancel Upload
          </Button>
        )}
      </Group>
    </>
  );
}

function Processing({ state }: { state: Extract<RunState, { phase: 'processing' | 'ended' }> }) {
  const { job: followed } = useUploadRun();
  const job = state.phase === 'ended' ? state.job : followed;
  const progress = job?.progress ?? 0;
  return (
    <>
      {state.phase === 'processing' && <Progress value={progress} aria-label="Processing" />}
      <Group gap="sm">
        {job !== null && <StatusBadge status={job.status} />}
        <Text size="sm" className="numbers" role="status">
          {state.phase === 'processing'
            ? `Processing ${countOf(state.reply.totalProducts, 'product')}: ${progress}%`
            : countOf(job?.totalProducts ?? state.reply.totalProducts, 'product')}
          {job?.waitingFor && ` · ${job.waitingFor}`}
        </Text>
      </Group>
    </>
  );
}
