import type { Audit } from '@draftshelf/contract/operate/audit';
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { pollMs } from '../../api/polls.ts';
import { freshMs, readOf } from '../../api/read.ts';
import { countOf } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';

type Latest = NonNullable<Audit['latest']>;

/** The daily comparison of counters, results and ledger, with what to do about differences. */
export function AuditSection() {
  const audit = useAudit();
  const begin = useCall('beginAudit');
  const isRunning = audit.data?.isRunning === true;
  return (
    <TitledSection id="audit" title="Daily audit">
      <Text size="sm" c="dimmed">
        Once a day the numbers of all pushed imports are compared with their results, the record of what was
        sent, and the links to the store.
      </Text>
      <Read of={audit} what="the audit" meanwhile={<Skeleton height={19} />}>
        {({ latest }) =>
          latest === null ? (
            <Text size="sm">Nothing has been audited yet. The first audit follows the first push.</Text>
          ) : (
            <Result latest={latest} />
          )
        }
      </Read>
      {begin.isError && <ErrorPanel title="Couldn’t start the audit." cause={begin.error.message} />}
      <Group gap="sm">
        <Button variant="default" loading={begin.isPending || isRunning} onClick={() => begin.mutate({})}>
          Audit Now
        </Button>
        <Text size="sm" role="status">
          {isRunning && 'An audit is under way.'}
        </Text>
      </Group>
    </TitledSection>
  );
}

function Result({ latest }: { latest: Latest }) {
  const { imports, products, count, differences, endedAt, problem } = latest;
  const compared = `${countOf(imports, 'import')} with ${countOf(products, 'result')} compared `;
  return (
    <>
      <Text size="sm" component="div">
        {compared}
        <RelativeTime time={endedAt} />
        {count === 0 && problem === null && '. Everything agrees.'}
      </Text>
      {problem !== null && <ErrorPanel title="Couldn’t finish the last audit.">{problem}</ErrorPanel>}
      {count > 0 && (
        <ErrorPanel title={`${countOf(count, 'difference')} found.`} tone="warning">
          {count > differences.length ? `The first ${differences.length} are listed.` : null}
        </ErrorPanel>
      )}
      {differences.length > 0 && (
        <RecordTable
          label="Differences"
          records={differences.map((difference, at) => ({ ...difference, at }))}
          keyOf={({ at }) => at}
          columns={[
            {
              head: 'Import',
              cell: (difference) =>
                difference.import === null ? (
                  'Store'
                ) : (
                  <Anchor component={Link} to={importPath(difference.import.id)} size="sm">
                    {difference.import.filename}
                  </Anchor>
                ),
            },
            { head: 'Difference', cell: ({ sentence }) => sentence },
            { head: 'What to do', cell: (difference) => <Remedy difference={difference} /> },
          ]}
        />
      )}
    </>
  );
}

/** What to do, and the button for it if there is one. */
function Remedy({ difference: { remedy, link } }: { difference: Latest['differences'][number] }) {
  const keep = useCall('keepNewestLink');
  if (link === null) return remedy;
  return (
    <Stack gap="xs" align="start">
      {remedy}
      {keep.isError && <ErrorPanel title="Couldn’t change the links." cause={keep.error.message} />}
      <Button
        size="compact-sm"
        variant="default"
        loading={keep.isPending}
        disabled={keep.isSuccess}
        onClick={() => keep.mutate({ body: link })}
      >
        Keep Newest Link
      </Button>
    </Stack>
  );
}

/** The newest audit, read once per visit, and polled while one is under way. */
function useAudit() {
  return useQuery({
    ...readOf('getAudit'),
    staleTime: freshMs,
    refetchInterval: ({ state }) => (state.data?.isRunning ? pollMs.audit : false),
  });
}
