import type { Task } from '@draftshelf/contract/imports';
import { canonicalFields, fieldSpecs } from '@draftshelf/domain/canonical-fields';
import { fileSize } from '@draftshelf/domain/format';
import { Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ShownDetails, ShownImport } from '../../api/imports.ts';
import { HelpTip } from '../../components/help/help-tip.tsx';
import { ImportProgress } from '../../components/import/import-progress.tsx';
import { OutcomeBadge, StatusBadge } from '../../components/import/status-badge.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { countOf, formatCount, formatDuration } from '../../lib/intl.ts';
import classes from './import.module.css';
import { JobDialect } from './import-dialect.tsx';
import { ImportMapping } from './import-mapping.tsx';
import { taskWords } from './task-words.ts';

export function JobStatusCard({ job, tasks }: { job: ShownImport; tasks: readonly Task[] }) {
  return (
    <section className="panel" aria-labelledby="job-status">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} id="job-status">
            Job Status <HelpTip topic="error handling" />
          </Title>
          <StatusBadge status={job.status} />
        </Group>
        <ImportProgress job={job} />
        <dl className={classes.facts}>
          <Fact name="Products">
            {formatCount(job.processedProducts)} of {formatCount(job.totalProducts)}
          </Fact>
          <Fact name="Check result">
            {`${formatCount(job.validProducts)} valid · ${countOf(job.warningProducts, 'warning')} · ${countOf(job.errorProducts, 'error')}`}
          </Fact>
          <Fact name="File">
            {fileSize(job.fileSize)}, {countOf(job.totalRows, 'row')}
            {job.testMode && ' (test: first 3 rows)'}
          </Fact>
          <Fact name="Uploaded">
            <RelativeTime time={job.createdAt} />
          </Fact>
          {job.startedAt !== null && (
            <Fact name="Started">
              <RelativeTime time={job.startedAt} />
            </Fact>
          )}
          {job.shop !== null && <Fact name="Store">{job.shop}</Fact>}
          {job.startedAt !== null && job.completedAt !== null && (
            <Fact name="Duration">
              {formatDuration(new Date(job.completedAt).getTime() - new Date(job.startedAt).getTime())}
            </Fact>
          )}
        </dl>
        <Outcomes job={job} />
        <Tasks tasks={tasks} />
        {job.errorLog.length > 0 && (
          <details>
            <summary>Error log ({formatCount(job.errorCount)})</summary>
            <Code block className={classes.log}>
              {job.errorLog.join('\n')}
            </Code>
          </details>
        )}
      </Stack>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="numbers">{children}</dd>
    </>
  );
}

/** Background work. A task that ends within its first part is not shown: it would only flash up. */
function Tasks({ tasks }: { tasks: readonly Task[] }) {
  const shown = tasks.filter(({ done, state, waitingFor }) => done > 0 || state === 'failed' || waitingFor);
  return shown.map((task) => (
    <Text key={task.id} size="sm" c="dimmed" className="numbers">
      {taskWords(task)}
    </Text>
  ));
}

function Outcomes({ job }: { job: ShownImport }) {
  const entries = Object.entries(job.outcomes) as [keyof ShownImport['outcomes'], number][];
  const some = entries.filter(([, count]) => count > 0);
  if (some.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={550}>
        {formatCount(job.createdProducts)} uploaded to Shopify
      </Text>
      <Group gap="xs" className="numbers">
        {some.map(([outcome, count]) => (
          <Group key={outcome} gap={4}>
            <Text size="sm">{formatCount(count)}</Text>
            <OutcomeBadge outcome={outcome} />
          </Group>
        ))}
      </Group>
    </Stack>
  );
}

type FieldMappingProps = { job: ShownImport; mappingSet: ShownDetails['mappingSet'] | null };

/** The column that each field is read from. Required fields without a column are shown as missing. */
export function FieldMappingCard({ job, mappingSet }: FieldMappingProps) {
  const fields = canonicalFields.filter(
    (field) => job.fieldMapping[field] || (fieldSpecs[field].required && job.status !== 'processing'),
  );
  return (
    <section className="panel" aria-labelledby="field-mapping">
      <Stack gap="sm">
        <Title order={2} id="field-mapping">
          Field Mapping <HelpTip topic="field mapping" />
        </Title>
        {fields.length === 0 && <Text c="dimmed">Matching columns…</Text>}
        <dl className={classes.mapping}>
          {fields.map((field) => (
            <Fact key={field} name={fieldSpecs[field].label}>
              {job.fieldMapping[field] ?? (
                <span className={classes.missing}>
                  <IconAlertTriangle size={14} aria-hidden /> No matching column
                </span>
              )}
            </Fact>
          ))}
        </dl>
        {mappingSet !== null && job.dialect !== null && <ImportMapping job={job} mappingSet={mappingSet} />}
        <JobDialect job={job} />
      </Stack>
    </section>
  );
}
