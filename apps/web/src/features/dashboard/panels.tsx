import { Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { countOf, formatCount, formatDay } from '../../lib/intl.ts';
import { historyDayPath, queuePath } from '../../lib/paths.ts';
import { BodyText, SmallText } from '../../ui/basics.tsx';
import { Bars } from '../../ui/charts/bars.tsx';
import { ChartTable } from '../../ui/charts/chart-table.tsx';
import { ReadView } from '../../ui/feedback/read.tsx';
import { HelpTip, LastReadTime } from '../../ui/hint.tsx';
import { useMedia } from '../../ui/hooks.ts';
import {
  compositionOf,
  FileLink,
  ImportBar,
  LookBadge,
  lossesOf,
  outcomeParts,
  ProgressCaption,
  partWords,
  type ShownCurrent,
  type ShownHour,
  StatusBadge,
  someOf,
  statusLook,
  type useCurrent,
  usePushedHours,
} from '../import/index.ts';
import { FirstSteps } from '../queue/index.ts';
import classes from './dashboard.module.css';
import { countQueueImports, orderByNeed } from './dashboard-words.ts';

export function PushedProductsPanel() {
  const hours = usePushedHours();
  return (
    <section className={`panel ${classes.pushed}`} aria-labelledby="products-per-day">
      <div className="row gap-sm between baseline">
        <Title order={2} id="products-per-day">
          Products per day
        </Title>
        <SmallText span>Last {daysShown} days</SmallText>
      </div>
      <ReadView
        of={hours}
        what="the products per day"
        meanwhile={
          <div className={`${classes.chart} above-sm relative`} aria-hidden>
            <Skeleton height="100%" />
          </div>
        }
      >
        {(read) => (
          <div className={`${classes.chart} above-sm relative`}>
            <Days days={sumHoursByDay(read, hours.dataUpdatedAt)} />
          </div>
        )}
      </ReadView>
    </section>
  );
}

const heightPx = 88;
const caption = 'Products per day and what pushes did with them';

function Days({ days }: { days: readonly PushedDay[] }) {
  const navigate = useNavigate();
  const pathOf = (at: number) => historyDayPath(days[at]?.time ?? 0);
  const table = {
    head: ['Day', 'Created', 'Updated', 'Unchanged', 'Skipped', 'Failed', 'Undone'],
    rows: days.map((day) => [
      formatDay(day.time),
      ...outcomeParts(day).map(({ count }) => formatCount(count)),
      formatCount(day.undone),
    ]),
  };
  const busy = listPushedDays(days);
  // Less than two days of data are shown as a sentence, which says more than a chart with one bar.
  if (busy.length < 2) {
    return (
      <>
        <p className={`flush numbers ${classes.chartEmpty} dim centered`}>
          <OneDay day={busy[0]} />
        </p>
        <ChartTable caption={caption} {...table} />
      </>
    );
  }
  return (
    <Bars
      label={caption}
      heightPx={heightPx}
      named
      bars={days.map((day) => ({
        name: String(new Date(day.time).getDate()),
        words: dayWords(day),
        parts: outcomeParts(day),
        value: formatCount(countDayProducts(day)),
      }))}
      summary={`${formatCount(days.reduce((sum, day) => sum + countDayProducts(day), 0))} products in all`}
      onOpen={(at) => navigate(pathOf(at))}
      linkOf={(at) => (
        <Link to={pathOf(at)} className="plain-link">
          History
        </Link>
      )}
      table={table}
    />
  );
}

function OneDay({ day }: { day: PushedDay | undefined }) {
  if (day === undefined) return `Nothing was pushed in the last ${daysShown} days.`;
  return (
    <>
      {dayWords(day)}.{' '}
      <Link to={historyDayPath(day.time)} className="plain-link">
        History
      </Link>
    </>
  );
}

const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const;

/** `time`: noon of the day in the browser's time zone. */
type PushedDay = { time: number; undone: number } & Record<(typeof outcomes)[number], number>;

const daysShown = 14;

/** Sums hourly counts into counts of the last 14 days, oldest first. */
export function sumHoursByDay(hours: readonly ShownHour[], nowMs: number): PushedDay[] {
  const today = new Date(nowMs);
  const days = Array.from({ length: daysShown }, (_, at) => {
    // Noon exists on every day, even if the clocks change at midnight.
    const noon = new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysShown + 1 + at, 12);
    return { time: noon.getTime(), created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, undone: 0 };
  });
  const byDay = new Map(days.map((day) => [new Date(day.time).toDateString(), day]));
  for (const hour of hours) {
    const day = byDay.get(new Date(hour.hour).toDateString());
    if (day !== undefined) for (const key of [...outcomes, 'undone'] as const) day[key] += hour[key];
  }
  return days;
}

export const countDayProducts = (day: PushedDay): number =>
  outcomes.reduce((sum, outcome) => sum + day[outcome], 0);

/** Returns the days on which products got an outcome or were undone. */
export const listPushedDays = (days: readonly PushedDay[]): PushedDay[] =>
  days.filter((day) => countDayProducts(day) + day.undone > 0);

/** Example: 'Thu, Nov 19: 1,500 created, 3 skipped, 1,500 undone'. */
export function dayWords(day: PushedDay): string {
  const undone = day.undone > 0 ? [`${formatCount(day.undone)} undone`] : [];
  const parts = [...someOf(outcomeParts(day)).map(partWords), ...undone];
  return `${formatDay(day.time)}: ${parts.join(', ') || 'nothing pushed'}`;
}

/** Maximum number of listed imports. Above the activity panel, more than three would push that panel down. */
const rowsMax = { beside: 8, above: 3 };
const places = ['first', 'second', 'third'];

type CurrentPanelProps = { reading: ReturnType<typeof useCurrent>; isFirstUse: boolean };

export const CurrentImportsPanel = ({ reading, isFirstUse }: CurrentPanelProps) => (
  <section className={`panel ${classes.current}`} aria-labelledby="current-processing">
    <Title order={2} id="current-processing">
      Current Processing <HelpTip topic="progress tracking" /> <LastReadTime reading={reading} />
    </Title>
    <ReadView
      of={reading}
      what="the current imports"
      meanwhile={
        <ListPlaceholders className={`stack ${classes.import} gap-6 middle line-above`}>
          <Skeleton height={18} width="60%" />
          <Skeleton height={6} />
          <Skeleton height={14} width="40%" />
        </ListPlaceholders>
      }
      retries="every two seconds"
    >
      {(imports) =>
        imports.length > 0 ? (
          <CurrentImports imports={imports} />
        ) : (
          <Stack align="center" gap="sm" py="lg">
            <Text c="dimmed">No active processing jobs</Text>
            {isFirstUse && <FirstSteps />}
          </Stack>
        )
      }
    </ReadView>
  </section>
);

/** Shown in place of a panel's list while it loads. */
export const ListPlaceholders = (item: { className: string; children: ReactNode }) => (
  <div className="list above-xs" aria-hidden>
    {places.map((place) => (
      <div key={place} {...item} />
    ))}
  </div>
);

function CurrentImports({ imports }: { imports: readonly ShownCurrent[] }) {
  const isBeside = useMedia('(min-width: 62em)');
  const ordered = orderByNeed(imports);
  const rows = ordered.slice(0, isBeside ? rowsMax.beside : rowsMax.above);
  const more = countQueueImports(ordered.slice(rows.length));
  return (
    <>
      <ul className="list above-xs">
        {rows.map((record) => (
          <CurrentImport key={record.id} record={record} />
        ))}
      </ul>
      {more > 0 && (
        <BodyText>
          <Link
            to={queuePath}
            className={`${classes.more} size-sm`}
          >{`Show ${formatCount(more)} more in the queue`}</Link>
        </BodyText>
      )}
    </>
  );
}

function CurrentImport({ record }: { record: ShownCurrent }) {
  // In replies for the dashboard, a failed import has the status 'error'.
  const progressing = { ...record, status: record.status === 'error' ? 'failed' : record.status };
  const parts = compositionOf(progressing);
  return (
    <li className={`stack ${classes.import} gap-6 middle line-above`}>
      <div className={`row ${classes.importHead} gap-sm between`}>
        <FileLink record={record} />
        {/* The percentage if the import is being processed, else its status. */}
        {record.status === 'processing' ? (
          <Text span fw={550} className="rigid numbers">
            {record.progress}%
          </Text>
        ) : record.status === 'error' ? (
          <LookBadge look={statusLook('failed')} word="Error" />
        ) : (
          <StatusBadge
            status={record.status}
            losses={lossesOf(record)}
            isUndoing={record.isUndoing}
            questions={record.isAsking ? 1 : 0}
          />
        )}
      </div>
      <ImportBar record={progressing} parts={parts} />
      <div className={`row ${classes.importFacts} gap-sm between`}>
        <SmallText className="rigid numbers">{currentWords(record)}</SmallText>
        <ProgressCaption record={progressing} parts={parts} isCounted />
      </div>
    </li>
  );
}

function currentWords({ status, isUndoing, processedProducts, totalProducts }: ShownCurrent): string {
  if (isUndoing) return `Undoing changes of ${countOf(totalProducts, 'product')}`;
  if (status !== 'processing') return `${countOf(totalProducts, 'product')} ${status}`;
  return `Processing ${formatCount(processedProducts)} of ${countOf(totalProducts, 'product')}`;
}
