import type { Plan } from '@draftshelf/contract/push/plan';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { type Chip, chipsOf } from './plan-chips.ts';
import classes from './plan-list.module.css';

type PlanFiltersProps = { plan: Plan; view: string; onShow: (view: string) => void };

/** Chips for the lists of a plan, with their numbers: by outcome, and below by what they have in common. */
export function PlanFilters({ plan, view, onShow }: PlanFiltersProps) {
  const { outcomes, within } = chipsOf(plan, view);
  const chip = (one: Chip) => (
    <Button
      key={one.view}
      className={classes.chip}
      variant={one.isPressed ? 'filled' : 'default'}
      aria-pressed={one.isPressed}
      rightSection={<span className="numbers">{formatCount(one.products)}</span>}
      onClick={() => onShow(one.view)}
    >
      {one.label}
    </Button>
  );
  return (
    <fieldset className={`stack ${classes.filters}`} aria-label="Filter products">
      <div className="row-wrap">{outcomes.map(chip)}</div>
      {within.length > 0 && <div className="row-wrap">{within.map(chip)}</div>}
    </fieldset>
  );
}
