import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { SmallText } from '../../../ui/text.tsx';
import '../../../ui/charts/kinds.css';
import classes from './mapping.module.css';
import { profileWords } from './mapping-words.ts';

const heightPx = 24;
const barPx = 4;
/** Keeps every amount visible. */
const amountPxMin = 2;

/**
 * Three level bars (filled, numbers, different values) or a histogram of amounts. It shares no code with the charts,
 * which the page of an import loads later.
 */
export function ColumnProfile({ profile }: { profile: MappedColumn['profile'] }) {
  if (profile === null) return null;
  const { filled, numeric, distinct, amounts } = profile;
  const bars = amounts ?? [];
  const most = Math.max(...bars);
  const heights = bars.map((count) => (count === 0 ? 0 : Math.max(amountPxMin, (heightPx * count) / most)));
  const slot = 100 / Math.max(1, bars.length);
  const levels = [
    { kind: 'idle', share: filled },
    { kind: 'read', share: filled * numeric },
    { kind: 'found', share: filled * distinct },
  ];
  return (
    <span className={`${classes.drawn} at-most-full`} title={profileWords(profile)}>
      <svg height={heightPx} aria-hidden>
        {bars.length > 0
          ? heights.map((height, at) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a bar is known by its place
                key={at}
                data-kind="level"
                x={`${at * slot}%`}
                width={`${slot * 0.84}%`}
                y={heightPx - height}
                height={height}
              />
            ))
          : levels.map(({ kind, share }, at) => (
              <g key={kind}>
                <rect className={classes.track} width="100%" y={at * 9 + 1} height={barPx} rx={1} />
                <rect data-kind={kind} width={`${100 * share}%`} y={at * 9 + 1} height={barPx} rx={1} />
              </g>
            ))}
      </svg>
    </span>
  );
}

export const ProfileLine = ({ profile }: { profile: MappedColumn['profile'] }) =>
  profile === null ? null : (
    <div className="row">
      <ColumnProfile profile={profile} />
      <SmallText component="span" className="numbers">
        {profileWords(profile)}
      </SmallText>
    </div>
  );
