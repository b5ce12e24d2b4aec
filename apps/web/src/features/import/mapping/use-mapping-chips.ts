import { type FocusEvent, type KeyboardEvent, type MouseEvent, useState } from 'react';
import type { ChoiceTarget } from './choice-options.ts';

/** A choice that is open, and the chip that it belongs to. */
export type OpenChoice = { key: string; target: ChoiceTarget; anchor: HTMLElement };

/** The attribute of the element around the chips that share a Tab stop. */
export const chipsAround = { 'data-chips': true } as const;

const keyOf = (target: ChoiceTarget) => ('field' in target ? `field ${target.field}` : target.header);

/**
 * Chips with one Tab stop, between which the arrow keys move, and the choice that a chip opens. Tab stops at the chip
 * that had the focus last, and at first at the chip of the first target.
 */
export function useMappingChips(targets: readonly ChoiceTarget[]) {
  const [open, setOpen] = useState<OpenChoice | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const keys = targets.map(keyOf);
  const stop = last !== null && keys.includes(last) ? last : keys[0];
  const chip = (target: ChoiceTarget) => {
    const key = keyOf(target);
    return {
      'data-chip': key,
      'aria-haspopup': 'dialog' as const,
      'aria-expanded': open?.key === key,
      tabIndex: key === stop ? 0 : -1,
      onFocus: (_event: FocusEvent) => setLast(key),
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        // The choice may still be loading, and the focus be here.
        if (event.key === 'Escape') setOpen(null);
        else moveAlong(event);
      },
      onClick: ({ currentTarget }: MouseEvent<HTMLElement>) =>
        setOpen(open?.key === key ? null : { key, target, anchor: currentTarget }),
    };
  };
  return { chip, open, close: () => setOpen(null) };
}

export type ChipProps = ReturnType<ReturnType<typeof useMappingChips>['chip']>;

/** Moves the focus to another chip of the row. */
function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const around = event.currentTarget.closest('[data-chips]');
  const chips = [...(around?.querySelectorAll<HTMLElement>('[data-chip]') ?? [])].filter(isShown);
  const at = chips.indexOf(event.currentTarget);
  const steps: Partial<Record<string, number>> = {
    ArrowRight: Math.min(at + 1, chips.length - 1),
    ArrowLeft: Math.max(at - 1, 0),
    Home: 0,
    End: chips.length - 1,
  };
  const next = steps[event.key];
  if (next === undefined) return;
  event.preventDefault();
  chips[next]?.focus();
}

/** Narrow tables hide columns. */
const isShown = (element: HTMLElement) => element.getClientRects().length > 0;

/** Focuses the chip of a column in the table around `anchor`, a chip that disappears with the choice. */
export function focusColumnChip(anchor: HTMLElement, header: string | undefined): void {
  const chips = anchor.closest('[data-chips]')?.querySelectorAll<HTMLElement>('[data-chip]') ?? [];
  const chip = [...chips].find((element) => element.dataset.chip === header);
  chip?.focus({ preventScroll: true });
}
