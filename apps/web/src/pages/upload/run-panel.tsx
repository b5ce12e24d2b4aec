import { fileSize } from '@draftshelf/domain/format';
import { Anchor, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { StatusBadge } from '../../components/import/status-badge.tsx';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath, needsYouPath } from '../../lib/paths.ts';
import { ProductCounts } from './product-counts.tsx';
import classes from './upload.module.css';
import { useUploadRun } from './upload-run.tsx';
import { isActive, type Upload } from './uploads.ts';

/**
 * The uploads on their way and the results of the last ones. `started` counts the uploads that the operator has
 * started on this screen: each takes the focus to the heading, because its button has disappeared.
 */
export function RunPanel({ started }: { started: number }) {
  const { uploads, clear } = useUploadRun();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (started > 0) heading.current?.focus();
  }, [started]);
  const [only] = uploads.length === 1 ? uploads : [];
  return (
    <Stack component="section" aria-label="Upload progress" className={`panel ${classes.runPanel}`} gap="sm">
      <Title order={2} ref={heading} tabIndex={-1} className={classes.runTitle}>
        {only ? only.filename : countOf(uploads.length, 'file')}
      </Title>
      {only ? (
        <UploadState upload={only} />
      ) : (
        <ul className={classes.runs}>
          {uploads.map((upload) => (
            <li key={upload.id} className={classes.run}>
              <Text fw={550} className={classes.filename}>
                {upload.filename}
              </Text>
              <UploadState upload={upload} />
            </li>
          ))}
        </ul>
      )}
      {!uploads.some(isActive) && (
        <Group gap="xs">
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

function UploadState({ upload }: { upload: Upload }) {
  switch (upload.phase) {
    case 'waiting':
      return <Waiting upload={upload} />;
    case 'sending':
      return <Sending upload={upload} />;
    case 'processing':
      return <Processing upload={upload} />;
    case 'ended':
      return <Ended upload={upload} />;
    case 'failed':
      return <Failed upload={upload} />;
  }
}

type In<P extends Upload['phase']> = { upload: Extract<Upload, { phase: P }> };

function Waiting({ upload }: In<'waiting'>) {
  const { drop } = useUploadRun();
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        Waiting for the files before it
      </Text>
      <Button variant="default" size="compact-md" onClick={() => drop(upload.id)}>
        Cancel Upload
      </Button>
    </Group>
  );
}

function Sending({ upload: { id, sent, fileBytes } }: In<'sending'>) {
  const { drop } = useUploadRun();
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
          <Button variant="default" size="compact-md" onClick={() => drop(id)}>
            Cancel Upload
          </Button>
        )}
      </Group>
    </>
  );
}

function Processing({ upload: { reply } }: In<'processing'>) {
  const record = useUploadRun().imports.find(({ id }) => id === reply.id);
  const progress = record?.progress ?? 0;
  return (
    <>
      <Progress value={progress} aria-label="Processing" />
      <Group gap="sm">
        {record !== undefined && <StatusBadge status={record.status} />}
        <Text size="sm" className="numbers" role="status">
          {`Processing ${countOf(reply.totalProducts, 'product')}: ${progress}%`}
          {record?.waitingFor && ` · ${record.waitingFor}`}
        </Text>
      </Group>
      <SameAs id={reply.sameAs} />
    </>
  );
}

function Ended({ upload: { reply, record } }: In<'ended'>) {
  const lacking = record === null ? 0 : record.warningProducts + record.errorProducts;
  return (
    <>
      {record !== null && (
        <>
          <ProductCounts
            products={record.totalProducts}
            exact
            valid={record.validProducts}
            warnings={record.warningProducts}
            errors={record.errorProducts}
          />
          <Group gap="sm">
            <StatusBadge status={record.status} />
            {record.errorMessage !== null && <Text size="sm">{record.errorMessage}</Text>}
          </Group>
        </>
      )}
      <Text size="sm" role="status" className={record === null ? '' : 'visually-hidden'}>
        {`Processed: ${countOf(record?.totalProducts ?? reply.totalProducts, 'product')}.`}
      </Text>
      <SameAs id={reply.sameAs} />
      {reply.id !== null && (
        <Group>
          <Button component={Link} to={lacking === 0 ? importPath(reply.id) : needsYouPath(reply.id)}>
            {lacking === 0
              ? 'Review'
              : `Review ${formatCount(lacking)} ${lacking === 1 ? 'Product' : 'Products'}`}
          </Button>
        </Group>
      )}
    </>
  );
}

function SameAs({ id }: { id: string | null }) {
  if (id === null) return null;
  return (
    <Text>
      You’ve uploaded this file before (see{' '}
      <Anchor component={Link} to={importPath(id)} underline="always">
        earlier import
      </Anchor>
      ). Edits you made there apply here too, and existing products are matched, not duplicated.
    </Text>
  );
}

function Failed({ upload }: In<'failed'>) {
  const { retry, drop } = useUploadRun();
  return (
    <ErrorPanel title="Upload Failed" cause={upload.cause}>
      <Text size="sm" className={classes.filename}>
        {upload.filename}: {upload.message}
      </Text>
      <Group gap="xs">
        <Button size="compact-md" color="red" onClick={() => retry(upload.id)}>
          Try Again
        </Button>
        <Button size="compact-md" variant="subtle" color="gray" onClick={() => drop(upload.id)}>
          Dismiss
        </Button>
      </Group>
    </ErrorPanel>
  );
}
