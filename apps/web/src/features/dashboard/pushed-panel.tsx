import { Skeleton, Text, Title } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { formatCount, formatDay } from '../../lib/intl.ts';
import { historyDayPath } from '../../lib/paths.ts';
import { Bars } from '../../ui/charts/bars.tsx';
import { ChartTable } from '../../ui/charts/chart-table.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { outcomeParts, usePushedHours } from '../import/index.ts';
import classes from './dashboard.module.css';
import { daysOf, daysShown, dayWords, type PushedDay, pushedDays, totalOf } from './pushed-days.ts';

/** The products of each of the last days, by what pushes did with them: did yesterday go through? */
export function PushedPanel() {
  const hours = usePushedHours();
  return (
    <section className={`panel ${classes.pushed}`} aria-labelledby="products-per-day">
      <div className="row gap-sm between baseline">
        <Title order={2} id="products-per-day">
          Products per day
        </Title>
        <Text span size="xs" c="dimmed">
          Last {daysShown} days
        </Text>
      </div>
      <Read
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
            <Days days={daysOf(read, hours.dataUpdatedAt)} />
          </div>
        )}
      </Read>
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
  const busy = pushedDays(days);
  // A single bar says less than its sentence.
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
        value: formatCount(totalOf(day)),
      }))}
      summary={`${formatCount(days.reduce((sum, day) => sum + totalOf(day), 0))} products in all`}
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
