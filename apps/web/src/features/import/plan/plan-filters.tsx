import type { Plan } from '@draftshelf/contract/push/plan';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { type Chip, chipsOf } from './plan-chips.ts';
import classes from './plan-list.module.css';

type PlanFiltersProps = { plan: Plan; view: string; onShow: (view: string) => void };

/** Chips for the lists of a plan, with their numbers: by outcome, and below by what they have in common. */
export function PlanFilters({ plan, view, onShow }: PlanFiltersProps) {
  const { outcomes, within } = chipsOf(plan, view);
  const buttonOf = (chip: Chip) => (
    <Button
      key={chip.view}
      className={classes.chip}
      variant={chip.isPressed ? 'filled' : 'default'}
      aria-pressed={chip.isPressed}
      rightSection={<span className="numbers">{formatCount(chip.products)}</span>}
      onClick={() => onShow(chip.view)}
    >
      {chip.label}
    </Button>
  );
  return (
    <fieldset className={`stack ${classes.filters}`} aria-label="Filter products">
      <div className="row-wrap">{outcomes.map(buttonOf)}</div>
      {within.length > 0 && <div className="row-wrap">{within.map(buttonOf)}</div>}
    </fieldset>
  );
}
