import classes from './charts.module.css';
import './kinds.css';

type GaugeProps = {
  label: string;
  value: number;
  /** End of the scale. */
  max: number;
  words: string;
  mark: { value: number; words: string } | null;
};

const heightPx = 10;

/** The value also stands in words beside it. */
export function Gauge({ label, value, max, words, mark }: GaugeProps) {
  const placeOf = (value: number) => (max <= 0 ? 0 : Math.min(100, Math.max(0, (100 * value) / max)));
  return (
    <div>
      <meter className="visually-hidden" aria-label={label} max={Math.max(0, max)} value={Math.max(0, value)}>
        {mark === null ? words : `${words}. ${mark.words}`}
      </meter>
      <svg className={`${classes.svg} block full`} height={heightPx} aria-hidden>
        <rect className={classes.track} width="100%" height={heightPx} rx={3} />
        <rect
          className={classes.fill}
          data-kind="level"
          width={`${placeOf(value)}%`}
          height={heightPx}
          rx={3}
        />
        {mark !== null && (
          <line
            className={classes.mark}
            x1={`${placeOf(mark.value)}%`}
            x2={`${placeOf(mark.value)}%`}
            y2={heightPx}
          />
        )}
      </svg>
    </div>
  );
}
