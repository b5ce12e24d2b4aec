import type { ready as readyCall } from '@draftshelf/contract/operate/health';
import type { SystemInfo } from '@draftshelf/contract/operate/system';
import type { ReplyOf } from '@draftshelf/contract/route';
import { type RetentionName, retentionNames } from '@draftshelf/domain/access/preferences';
import { CopyButton, Group, Select, Skeleton, Stack, Textarea } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readOf, toCacheKey } from '../../api/call.ts';
import { countOf, formatClock } from '../../lib/intl.ts';
import { BodyText, PlainButton, QuietText, RelativeTime } from '../../ui/basics.tsx';
import { ErrorPanel, ReadView } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { Setting } from '../../ui/form.tsx';
import { TitledSection } from '../../ui/hint.tsx';
import classes from '../../ui/sections.module.css';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { SecuritySection } from '../access/index.ts';
import { BackgroundWork, ConditionsSection, useConditions, useReadiness } from '../operate/index.ts';
import { usePreferencesSave } from './settings-api.ts';

export function DebugTab() {
  const { isPending, failureCount } = useConditions();
  return (
    <Stack gap="xl">
      <ConditionsSection />
      {/* The sections below wait for the problems, because a list of problems would move them. */}
      {isPending && failureCount === 0 ? (
        <Skeleton height={260} />
      ) : (
        <>
          <SystemSection />
          <RetentionSection />
          <SecuritySection />
          <Report />
          <Cache />
          {/* Last, because this section loads later than the others. */}
          <BackgroundWork />
        </>
      )}
    </Stack>
  );
}

function SystemSection() {
  // The reply also updates the cached readiness of the services.
  const info = useCall('systemInfo', {
    onSuccess: ({ database, storage, queue, sessions }, _request, client) =>
      client.setQueryData(toCacheKey('ready'), { ready: database.ok, database, storage, queue, sessions }),
  });
  return (
    <TitledSection
      id="system-status"
      title="System status"
      controls={
        <>
          {info.data !== undefined && <QuietText>{`As of ${formatClock(info.data.at)}`}</QuietText>}
          <PlainButton loading={info.isPending} onClick={() => info.mutate({})}>
            Refresh System Info
          </PlainButton>
        </>
      }
    >
      <StatusLines />
      {info.isError && <ErrorPanel title="Couldn’t load the system info." cause={info.error.message} />}
      {info.data !== undefined && <Details info={info.data} />}
    </TitledSection>
  );
}

const lines = [
  { part: 'database', name: 'Database', good: 'Connected' },
  { part: 'storage', name: 'Object Storage', good: 'Active' },
  { part: 'sessions', name: 'Session Store', good: 'Operational' },
] as const;

function StatusLines() {
  const ready = useReadiness();
  if (ready.isPending) return <Skeleton height={73} />;
  return (
    <Stack component="ul" gap={4} className="list" aria-label="System status">
      {lines.map(({ part, name, good }) => {
        const check = checkOf(ready.data, part);
        const isGood = check?.ok === true;
        const Icon = check === undefined ? IconHelpCircle : isGood ? IconCircleCheck : IconCircleX;
        return (
          <li
            key={part}
            className="marked"
            data-tone={check === undefined ? 'quiet' : isGood ? 'good' : 'bad'}
          >
            <Icon size={18} aria-hidden />
            {`${name} ${check === undefined ? 'Unknown' : isGood ? good : 'Unavailable'}`}
          </li>
        );
      })}
    </Stack>
  );
}

/** Undefined if unknown. A reply without details means that the database is down, so that no session can be checked. */
const checkOf = (
  ready: ReplyOf<typeof readyCall> | undefined,
  part: (typeof lines)[number]['part'],
): { ok: boolean } | undefined =>
  part === 'database' && ready?.ready === false ? { ok: false } : ready?.[part];

const Details = ({ info }: { info: SystemInfo }) => (
  <Stack gap="xs">
    <BodyText>
      {`Version ${info.version}, Node ${info.node}. The queue ${info.queue.ok ? `answers in ${info.queue.tookMs} ms` : 'isn’t responding'}.`}
    </BodyText>
    <RecordTable
      label="Processes"
      records={info.processes}
      keyOf={({ host, pid, startedAt }) => `${host} ${pid} ${startedAt}`}
      columns={[
        { head: 'Process', cell: ({ kind }) => kind },
        { head: 'Host', cell: ({ host, pid }) => `${host} (${pid})` },
        { head: 'State', cell: ({ live, waitingFor }) => (live ? (waitingFor ?? 'Running') : 'Silent') },
        { head: 'Last heartbeat', cell: ({ seenAt }) => <RelativeTime time={seenAt} /> },
        { head: 'Version', cell: ({ version }) => version },
      ]}
    />
  </Stack>
);

function Report() {
  const report = useCall('systemDebug');
  const text = report.data === undefined ? '' : JSON.stringify(report.data, null, 2);
  return (
    <TitledSection
      id="debug-report"
      title="Debug report"
      controls={
        <PlainButton loading={report.isPending} onClick={() => report.mutate({})}>
          Generate Debug Report
        </PlainButton>
      }
    >
      <QuietText>
        States, limits, settings and recent failures. It contains no keys and no contents of files.
      </QuietText>
      {text !== '' && (
        <Group gap="sm">
          <CopyButton value={text}>
            {({ copied, copy }) => <PlainButton onClick={copy}>{copied ? 'Copied' : 'Copy'}</PlainButton>}
          </CopyButton>
          <PlainButton
            component="a"
            download="draftshelf-debug.json"
            href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
          >
            Download
          </PlainButton>
        </Group>
      )}
      {report.isError && (
        <ErrorPanel title="Couldn’t generate the debug report." cause={report.error.message} />
      )}
      {text !== '' && (
        <Textarea aria-label="Debug report" readOnly rows={16} value={text} className={classes.report} />
      )}
    </TitledSection>
  );
}

function Cache() {
  const client = useQueryClient();
  const [cleared, setCleared] = useState<string | null>(null);
  const clear = async () => {
    const reloaded = client.getQueryCache().findAll({ type: 'active' }).length;
    await client.invalidateQueries();
    setCleared(`Cache cleared. ${countOf(reloaded, 'query', 'queries')} reloaded.`);
  };
  return (
    <TitledSection id="cache" title="Cache" controls={<PlainButton onClick={clear}>Clear Cache</PlainButton>}>
      <QuietText>Data in this tab is cached. Clear the cache to reload it.</QuietText>
      <BodyText role="status">{cleared}</BodyText>
    </TitledSection>
  );
}

const words: Record<RetentionName, { label: string; description: string; variable: string }> = {
  keepRowsDays: {
    label: 'Rows',
    description:
      'Rows are kept for this many days after their import has ended. The import’s page then offers to read the file again. Edits and results are kept.',
    variable: 'KEEP_ROWS_DAYS',
  },
  keepFilesDays: {
    label: 'Files',
    description:
      'Files are kept for this many days after their import has ended. A removed file can’t be read again.',
    variable: 'KEEP_FILES_DAYS',
  },
};

const choices = [7, 14, 30, 90, 180, 365, 730];
const never = 'Never removed';

const RetentionSection = () => (
  <TitledSection id="disk-space" title="Disk space" gap={0} folded>
    <ReadView
      of={useQuery(readOf('getRetention'))}
      what="the disk-space settings"
      meanwhile={<Skeleton height={240} />}
    >
      {(retention) =>
        retentionNames.map((name) => <KeptDays key={name} name={name} retention={retention[name]} />)
      }
    </ReadView>
  </TitledSection>
);

type KeptDaysProps = { name: RetentionName; retention: { days: number | null; isFixed: boolean } };

function KeptDays({ name, retention: { days, isFixed } }: KeptDaysProps) {
  const save = usePreferencesSave('Couldn’t save the disk-space settings');
  const { label, description, variable } = words[name];
  const all = [...new Set([...choices, ...(days === null ? [] : [days])])].sort((a, b) => a - b);
  const change = (choice: string | null) => {
    if (choice === null) return;
    save.mutate({ body: { [name]: choice === never ? null : Number(choice) } });
  };
  return (
    <Setting>
      <Select
        label={label}
        description={isFixed ? `${description} Set by the environment variable ${variable}.` : description}
        disabled={isFixed || save.isPending}
        data={[...all.map((count) => ({ value: String(count), label: countOf(count, 'day') })), never]}
        value={days === null ? never : String(days)}
        onChange={change}
      />
    </Setting>
  );
}
