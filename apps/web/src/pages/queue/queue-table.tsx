import { fileSize } from '@draftshelf/domain/format';
import { Anchor, Button, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { CancelImport } from '../../components/import/cancel-import.tsx';
import { ImportProgress } from '../../components/import/import-progress.tsx';
import { StatusBadge } from '../../components/import/status-badge.tsx';
import { TableRegion } from '../../components/table/table-region.tsx';
import { useTablesFit } from '../../components/table/use-tables-fit.ts';
import { Moment, RelativeTime } from '../../components/time.tsx';
import { formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import classes from './queue.module.css';
import { queueActions } from './queue-actions.ts';
import { useQueueCalls } from './queue-calls.ts';

type Calls = ReturnType<typeof useQueueCalls>;
type Ask = (job: ShownImport) => void;

/** The imports, as a table or, on narrow screens, as cards. */
export function QueueTable({ jobs }: { jobs: readonly ShownImport[] }) {
  const calls = useQueueCalls();
  const wide = useTablesFit();
  const [cancelling, setCancelling] = useState<ShownImport | null>(null);
  const List = wide ? JobTable : JobCards;
  return (
    <>
      <List jobs={jobs} calls={calls} onCancel={setCancelling} />
      <CancelImport
        job={cancelling}
        onConfirm={() => cancelling !== null && calls.cancel(cancelling)}
        onClose={() => setCancelling(null)}
      />
    </>
  );
}

type ListProps = { jobs: readonly ShownImport[]; calls: Calls; onCancel: Ask };

function JobTable({ jobs, calls, onCancel }: ListProps) {
  return (
    <TableRegion label="Active Jobs table">
      <Table className={classes.table} horizontalSpacing={8} highlightOnHover aria-label="Active Jobs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>File</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th w={200}>Progress</Table.Th>
            <Table.Th>Products</Table.Th>
            <Table.Th>Started</Table.Th>
            <Table.Th ta="right">Actions</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <Table.Tr key={job.id}>
              <Table.Td>
                <FileName job={job} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={job.status} />
              </Table.Td>
              <Table.Td>
                <ImportProgress job={job} />
              </Table.Td>
              <Table.Td>
                <Products job={job} />
              </Table.Td>
              <Table.Td>
                <Started job={job} />
              </Table.Td>
              <Table.Td>
                <div className={classes.actions}>
                  <Actions job={job} calls={calls} onCancel={onCancel} />
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableRegion>
  );
}

function JobCards({ jobs, calls, onCancel }: ListProps) {
  return (
    <ul className={classes.jobs} aria-label="Active Jobs">
      {jobs.map((job) => (
        <li key={job.id} className={`panel ${classes.job}`}>
          <div className={classes.jobHead}>
            <FileName job={job} />
            <StatusBadge status={job.status} />
          </div>
          <ImportProgress job={job} />
          <div className={classes.jobHead}>
            <Products job={job} />
            <Started job={job} />
          </div>
          <div className={classes.jobActions}>
            <Actions job={job} calls={calls} onCancel={onCancel} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function FileName({ job }: { job: ShownImport }) {
  return (
    <Stack gap={0} className={classes.file}>
      <Anchor component={Link} to={importPath(job.id)} fw={550} dir="auto">
        {job.filename}
      </Anchor>
      <Text size="xs" c="dimmed" className="numbers">
        {fileSize(job.fileSize)} · <Moment time={job.createdAt} />
        {job.testMode && ' · test (first 3 rows)'}
      </Text>
    </Stack>
  );
}

function Products({ job }: { job: ShownImport }) {
  return (
    <Stack gap={0} className={classes.products}>
      <Text size="sm" className="numbers">
        {formatCount(job.processedProducts)} of {formatCount(job.totalProducts)}
      </Text>
      {job.status === 'completed' && (
        <Text size="xs" c="dimmed" className="numbers">
          {formatCount(job.createdProducts)} uploaded to Shopify
        </Text>
      )}
    </Stack>
  );
}

function Started({ job }: { job: ShownImport }) {
  return (
    <Text size="sm" component="span" style={{ whiteSpace: 'nowrap' }}>
      {job.startedAt === null ? '–' : <RelativeTime time={job.startedAt} />}
    </Text>
  );
}

function Actions({ job, calls, onCancel }: { job: ShownImport; calls: Calls; onCancel: Ask }) {
  return queueActions(job).map((action) => {
    if (action.kind === 'review') {
      return (
        <Button key="review" size="compact-sm" variant="default" component={Link} to={importPath(job.id)}>
          Review
        </Button>
      );
    }
    if (action.kind === 'report') {
      return (
        <Button key="report" size="compact-sm" variant="default" onClick={() => calls.report(job)}>
          View Report
        </Button>
      );
    }
    if (action.kind === 'cancel') {
      return (
        <Button
          key="cancel"
          size="compact-sm"
          variant="subtle"
          color="gray"
          disabled={calls.busyId === job.id}
          onClick={() => onCancel(job)}
        >
          {action.label}
        </Button>
      );
    }
    return (
      <Button
        key={action.action}
        size="compact-sm"
        variant={action.primary ? 'light' : 'default'}
        disabled={calls.busyId === job.id}
        onClick={() => calls.run(job, action.action)}
      >
        {action.label}
      </Button>
    );
  });
}
