import { Button } from '../../../ui/button.tsx';
import classes from './rows.module.css';

/** Leads from the top of an import's page to its rows. Only shown with the focus. */
export function SkipToRows() {
  return (
    <Button size="compact-md" variant="default" className={classes.skip} onClick={focusRows}>
      Skip to rows
    </Button>
  );
}

const places = [
  '[data-rows] tbody [tabindex="0"]',
  '[data-rows] tbody td[tabindex]',
  '[data-rows] [data-card]',
  '#product-preview',
];

/** Focuses the table's Tab stop or the first card; their heading while there are none. */
function focusRows(): void {
  const place = places.find((selector) => document.querySelector(selector) !== null);
  if (place !== undefined) document.querySelector<HTMLElement>(place)?.focus();
}
