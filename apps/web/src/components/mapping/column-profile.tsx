import type { MappedColumn } from '@draftshelf/contract/mapping';
import charts from '../charts/charts.module.css';
import '../charts/kinds.css';
import { largestOf, stackHeights } from '../charts/geometry.ts';
import classes from './mapping-editor.module.css';
import { profileWords } from './profile-words.ts';

const heightPx = 24;
const barPx = 4;

/**
 * What the first rows hold of a column, as a small picture: three level bars for filled, numbers and different values,
 * or the histogram of its amounts. The mapping editor says it in words.
 */
export function ColumnProfile({ profile }: { profile: MappedColumn['profile'] }) {
  if (profile === null) return null;
  const { filled, numeric, distinct, amounts } = profile;
  const bars = amounts ?? [];
  const heights = stackHeights(bars, largestOf(bars), heightPx);
  const slot = 100 / Math.max(1, bars.length);
  const levels = [
    { kind: 'idle', share: filled },
    { kind: 'read', share: filled * numeric },
    { kind: 'found', share: filled * distinct },
  ];
  return (
    <span className={classes.profile} title={profileWords(profile)}>
      <svg className={charts.svg} height={heightPx} aria-hidden>
        {bars.length > 0
          ? heights.map((height, at) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a bar is known by its place
                key={at}
                className={charts.fill}
                data-kind="level"
                x={`${at * slot}%`}
                width={`${slot * 0.84}%`}
                y={heightPx - height}
                height={height}
              />
            ))
          : levels.map(({ kind, share }, at) => (
              <g key={kind}>
                <rect className={charts.track} width="100%" y={at * 9 + 1} height={barPx} rx={1} />
                <rect
                  className={charts.fill}
                  data-kind={kind}
                  width={`${100 * share}%`}
                  y={at * 9 + 1}
                  height={barPx}
                  rx={1}
                />
              </g>
            ))}
      </svg>
    </span>
  );
}
