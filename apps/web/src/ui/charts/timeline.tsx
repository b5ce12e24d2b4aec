import classes from './charts.module.css';
import './kinds.css';
import { stackOf } from './geometry.ts';

export type Span = {
  kind: string;
  name: string;
  when: string;
  took: string;
  lengthMs: number;
};

/** Least length of a span, in percent of the axis. */
const leastPercent = 1.5;
const heightPx = 12;

/** The words below the axis are also its table. */
export function Timeline({ label, spans }: { label: string; spans: readonly Span[] }) {
  const lengths = spans.map(({ lengthMs }) => Math.max(1, lengthMs));
  const extents = stackOf(lengths, 0, leastPercent);
  return (
    <div className="gap-tight stack">
      <svg className={`${classes.svg} block full`} height={heightPx} aria-hidden>
        {spans.map(({ kind }, at) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a span is known by its place
            key={at}
            className={classes.fill}
            data-kind={kind}
            x={`${extents[at]?.from ?? 0}%`}
            width={`${Math.max(0.4, (extents[at]?.length ?? 0) - 0.3)}%`}
            height={heightPx}
            rx={1}
          />
        ))}
      </svg>
      <table className={`${classes.spans} size-sm`} aria-label={label}>
        <tbody>
          {spans.map(({ kind, name, when, took }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a span is known by its place
            <tr key={at}>
              <th scope="row">
                <span className={classes.key} data-kind={kind} aria-hidden />
                {name}
              </th>
              <td className="numbers">{when}</td>
              <td className="numbers">{took}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
