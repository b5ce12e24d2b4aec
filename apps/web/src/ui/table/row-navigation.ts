const focusable = 'a[href], button:not(:disabled), input, [tabindex="0"]';

/** Moves the focus with the arrow keys to the same control in the row above or below. Inputs keep their arrow keys. */
export function moveBetweenRows(event: {
  key: string;
  target: EventTarget;
  currentTarget: Element;
  preventDefault: () => void;
}): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  if (!(event.target instanceof HTMLElement) || event.target instanceof HTMLInputElement) return;
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')];
  const row = event.target.closest('tbody tr');
  const at = row === null ? -1 : rows.indexOf(row);
  const place = row === null ? 0 : [...row.querySelectorAll(focusable)].indexOf(event.target);
  const target = rows[event.key === 'ArrowDown' ? at + 1 : at - 1];
  if (target === undefined) return;
  const controls = target.querySelectorAll<HTMLElement>(focusable);
  const control = controls[Math.min(Math.max(place, 0), controls.length - 1)];
  if (control === undefined) return;
  event.preventDefault();
  control.focus();
}
