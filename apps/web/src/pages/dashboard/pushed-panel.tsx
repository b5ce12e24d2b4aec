import { Skeleton, Text, Title } from '@mantine/core';
import { usePushedHours } from '../../api/dashboard.ts';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { outcomeParts, partWords, someOf } from '../../components/import/composition.ts';
import { formatCount, formatDay } from '../../lib/intl.ts';
import classes from './dashboard.module.css';
import { daysOf, daysShown, type PushedDay, totalOf } from './pushed-days.ts';

/** The products of each of the last days, by what pushes did with them: did yesterday go through? */
export function PushedPanel() {
  const { data: hours, error, dataUpdatedAt } = usePushedHours();
  return (
    <section className={`panel ${classes.pushed}`} aria-labelledby="products-per-day">
      <div className={classes.panelHead}>
        <Title order={2} id="products-per-day">
          Products per Day
        </Title>
        <Text span size="xs" c="dimmed">
          Last {daysShown} days
        </Text>
      </div>
      {hours === undefined && error !== null && (
        <ErrorPanel title="Couldn’t load the products per day." cause={error.message}>
          Reload the page to try again.
        </ErrorPanel>
      )}
      {hours === undefined && error === null && <Skeleton className={classes.chart ?? ''} aria-hidden />}
      {hours !== undefined && <Days days={daysOf(hours, dataUpdatedAt)} />}
    </section>
  );
}

function Days({ days }: { days: readonly PushedDay[] }) {
  const most = Math.max(...days.map(totalOf));
  return (
    <>
      <div className={classes.chart} aria-hidden>
        {most === 0 && <p className={classes.chartEmpty}>Nothing was pushed in the last {daysShown} days.</p>}
        {days.map((day) => (
          <div key={day.time} className={classes.day} title={dayWords(day)}>
            <div className={classes.bars}>
              {someOf(outcomeParts(day))
                .toReversed()
                .map(({ kind, count }) => (
                  <div
                    key={kind}
                    className={classes.piece}
                    data-kind={kind}
                    style={{ height: `${(100 * count) / most}%` }}
                  />
                ))}
            </div>
            <span className={`${classes.dayLabel} numbers`}>{new Date(day.time).getDate()}</span>
          </div>
        ))}
      </div>
      <DayTable days={days} />
    </>
  );
}

/** The chart for screen readers. A table ignores the size of hidden text, so what hides it is around it. */
function DayTable({ days }: { days: readonly PushedDay[] }) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>Products per day and what pushes did with them</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Created</th>
            <th scope="col">Updated</th>
            <th scope="col">Unchanged</th>
            <th scope="col">Skipped</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.time}>
              <th scope="row">{formatDay(day.time)}</th>
              {outcomeParts(day).map(({ kind, count }) => (
                <td key={kind}>{formatCount(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function dayWords(day: PushedDay): string {
  const parts = someOf(outcomeParts(day)).map(partWords);
  return `${formatDay(day.time)}: ${parts.join(', ') || 'nothing pushed'}`;
}
