import type { Audit } from '@draftshelf/contract/operate/audit';
import type { Backups } from '@draftshelf/contract/operate/backups';
import type { WorkKind } from '@draftshelf/contract/operate/work';
import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { freshMs, pollMs, readOf } from '../../api/call.ts';
import { countOf, formatCount, joinWords } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { BodyText, PlainButton, QuietText, RelativeTime, SmallButton, SmallText } from '../../ui/basics.tsx';
import { ErrorPanel, ReadView } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { TitledSection } from '../../ui/hint.tsx';
import classes from '../../ui/sections.module.css';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { FailedWorkSection } from './failed-work-section.tsx';
import { useBackgroundWork, useConditions } from './operate-api.ts';

/** Four sections in one module, so that they load as one chunk. */
export const BackgroundWork = () => (
  <>
    <FailedWorkSection />
    <WorkSection />
    <AuditSection />
    <BackupsSection />
  </>
);

const WorkSection = () => (
  <TitledSection id="work" title="Background work" folded>
    <QuietText>Running and waiting work, and what was added and done within the last minute.</QuietText>
    <ReadView of={useBackgroundWork()} what="the work" meanwhile={<Skeleton height={120} />}>
      {({ kinds }) => (
        <RecordTable
          label="Background work by kind"
          records={kinds.toSorted((a, b) => activity(b) - activity(a))}
          keyOf={({ kind }) => kind}
          columns={[
            {
              head: 'Work',
              cell: ({ label, subject }) => (subject === null ? label : `${label} · ${subject}`),
            },
            { head: 'Running', align: 'right', cell: ({ running }) => shownCount(running) },
            { head: 'Waiting', align: 'right', cell: ({ waiting }) => shownCount(waiting) },
            { head: 'When', cell: (kind) => <When kind={kind} /> },
            { head: 'Added', align: 'right', cell: ({ added }) => shownCount(added) },
            { head: 'Done', align: 'right', cell: ({ done }) => shownCount(done) },
          ]}
        />
      )}
    </ReadView>
  </TitledSection>
);

const shownCount = (count: number | null): string => (count ? formatCount(count) : '');

/** Returns the sort key of a kind of work: 2 if some runs or waits, 1 if there was some in the last minute, else 0. */
const activity = ({ running, waiting, added, done }: WorkKind): number =>
  running + waiting > 0 ? 2 : Number((added ?? 0) + (done ?? 0) > 0);

function When({ kind: { oldestAt, waitingFor, dueAt, everySeconds } }: { kind: WorkKind }) {
  if (everySeconds !== null) return `Every ${everySeconds} seconds`;
  const time = oldestAt ?? dueAt;
  return (
    <>
      {waitingFor}
      {waitingFor !== null && time !== null && ' '}
      {time !== null && (
        <>
          {oldestAt === null ? 'Due ' : 'Oldest '}
          <RelativeTime time={time} />
        </>
      )}
    </>
  );
}

function BackupsSection() {
  const backups = useQuery({ ...readOf('getBackups'), staleTime: freshMs });
  return (
    <TitledSection id="backups" title="Backups">
      <QuietText>
        Everything is backed up every night. Once a week a backup is restored into a scratch database, and its
        rows, files and photos are compared.
      </QuietText>
      <ReadView of={backups} what="the backups" meanwhile={<Skeleton height={42} />}>
        {({ isKept, last, check, problem }) => (
          <>
            {!isKept && (
              <BodyText>
                No keeper process is running, so no automatic backups are made. The environment variable
                BACKUP_DIR sets the backup folder.
              </BodyText>
            )}
            {problem !== null && <ErrorPanel title="Couldn’t make the last backup.">{problem}</ErrorPanel>}
            <BodyText component="div">
              {last === null ? (
                'Nothing has been backed up yet. The first backup is made in the night after the first import.'
              ) : (
                <>
                  {'Backed up '}
                  <RelativeTime time={last.takenAt} />
                  {` (${sizeOf(last.bytes)}, ${formatCount(last.kept)} kept).`}
                </>
              )}
            </BodyText>
            {check !== null && <Check check={check} />}
          </>
        )}
      </ReadView>
    </TitledSection>
  );
}

function Check({ check }: { check: NonNullable<Backups['check']> }) {
  const { at, tables, rows, objects, count, seconds, differences, problem } = check;
  if (problem !== null)
    return <ErrorPanel title="Couldn’t restore a backup to compare it.">{problem}</ErrorPanel>;
  return (
    <>
      <BodyText component="div">
        {'Restored and compared '}
        <RelativeTime time={at} />
        {`: ${countOf(tables, 'table')}, ${countOf(rows, 'row')}, ${countOf(objects, 'file')}, ${countOf(count, 'difference')}, ${seconds} s.`}
      </BodyText>
      {count > 0 && (
        <ErrorPanel title={`${countOf(count, 'difference')} found.`} tone="warning">
          {differences.join(' ')}
        </ErrorPanel>
      )}
    </>
  );
}

const sizeOf = (bytes: number) =>
  bytes < 1e9 ? `${formatCount(Math.ceil(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

type Latest = NonNullable<Audit['latest']>;

function AuditSection() {
  const audit = useAudit();
  const begin = useCall('beginAudit');
  const isRunning = audit.data?.isRunning === true;
  return (
    <TitledSection
      id="audit"
      title="Daily audit"
      controls={
        <PlainButton loading={begin.isPending || isRunning} onClick={() => begin.mutate({})}>
          Audit Now
        </PlainButton>
      }
    >
      <QuietText>
        Once a day, the counts of each pushed import are compared with its results, with the record of what
        was sent, and with the links to the store.
      </QuietText>
      <ReadView of={audit} what="the audit" meanwhile={<Skeleton height={19} />}>
        {({ latest }) =>
          latest === null ? (
            <BodyText>
              Nothing has been audited yet. The first audit begins up to 10 minutes after the first push.
            </BodyText>
          ) : (
            <Result latest={latest} />
          )
        }
      </ReadView>
      {begin.isError && <ErrorPanel title="Couldn’t start the audit." cause={begin.error.message} />}
      <BodyText role="status">{isRunning && 'An audit is under way.'}</BodyText>
    </TitledSection>
  );
}

function Result({ latest }: { latest: Latest }) {
  const { imports, products, count, differences, endedAt, problem } = latest;
  const compared = `${countOf(imports, 'import')} with ${countOf(products, 'result')} compared `;
  return (
    <>
      <BodyText component="div">
        {compared}
        <RelativeTime time={endedAt} />
        {count === 0 && problem === null && '. Everything agrees.'}
      </BodyText>
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

function Remedy({ difference: { remedy, link } }: { difference: Latest['differences'][number] }) {
  const keep = useCall('keepNewestLink');
  if (link === null) return remedy;
  return (
    <Stack gap="xs" align="start">
      {remedy}
      {keep.isError && <ErrorPanel title="Couldn’t change the links." cause={keep.error.message} />}
      <SmallButton
        loading={keep.isPending}
        disabled={keep.isSuccess}
        onClick={() => keep.mutate({ body: link })}
      >
        Keep Newest Link
      </SmallButton>
    </Stack>
  );
}

const useAudit = () =>
  useQuery({
    ...readOf('getAudit'),
    staleTime: freshMs,
    refetchInterval: ({ state }) => (state.data?.isRunning ? pollMs.audit : false),
  });

export const ConditionsSection = () => (
  <TitledSection id="conditions" title="Problems">
    <div className={classes.problems}>
      <ReadView of={useConditions()} what="the problems" meanwhile={<Skeleton height={22} />}>
        {({ conditions, ended }) => (
          <>
            {conditions.length === 0 ? (
              <ul className="list" aria-label="Problems">
                <li className="marked" data-tone="good">
                  <IconCircleCheck size={18} aria-hidden />
                  No Problems Found
                </li>
              </ul>
            ) : (
              <ul className="list stack gap-md" aria-label="Problems">
                {conditions.map((condition) => (
                  <li key={condition.id} className="marked" data-tone="warning">
                    <IconAlertTriangle size={18} aria-hidden />
                    <div>
                      <Text fw={550}>{condition.sentence}</Text>
                      <BodyText>{joinWords([condition.detail ?? '', condition.todo], ' ')}</BodyText>
                      <SmallText>
                        Since <RelativeTime time={condition.since} />, <code>{condition.id}</code> in
                        docs/OPERATIONS.md
                      </SmallText>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            {ended.length > 0 && (
              <ul className="list" aria-label="Problems that have ended">
                {ended.map(({ id, sentence, detail, endedAt }) => (
                  <SmallText key={id} component="li">
                    {detail === null ? sentence : `${sentence} ${detail}`} Ended{' '}
                    <RelativeTime time={endedAt} />, <code>{id}</code> in docs/OPERATIONS.md
                  </SmallText>
                ))}
              </ul>
            )}
          </>
        )}
      </ReadView>
    </div>
  </TitledSection>
);
