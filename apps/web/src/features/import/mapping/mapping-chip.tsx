import { IconChevronDown } from '@tabler/icons-react';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useState } from 'react';
import { Hint } from '../../../ui/hint.tsx';
import { useTabStop } from '../../../ui/table/tab-stops.tsx';
import type { ChoiceTarget } from './choice-options.ts';
import classes from './mapping.module.css';
import type { ChipWords } from './mapping-words.ts';

type MappingChipProps = {
  words: ChipWords;
  chip: ChipProps;
  state: 'used' | 'unused' | 'missing';
  /** Null: the mapping can be changed. */
  reason?: string | null;
  busy?: boolean;
};

export function MappingChip({ words, chip, state, reason = null, busy = false }: MappingChipProps) {
  const isOff = reason !== null || busy;
  return (
    <Hint text={reason}>
      <button
        type="button"
        className={`${classes.chip} inline-flex tag gap-hair center size-xs shrink at-most-full`}
        data-state={state}
        aria-label={words.name}
        title={reason === null ? words.text : undefined}
        aria-disabled={isOff || undefined}
        aria-busy={busy || undefined}
        {...chip}
        {...useTabStop()}
        onClick={isOff ? undefined : chip.onClick}
      >
        <span className="ellipsis" dir="auto">
          {words.text}
        </span>
        <IconChevronDown size={12} aria-hidden className="rigid" />
      </button>
    </Hint>
  );
}

export type OpenChoice = { key: string; target: ChoiceTarget; anchor: HTMLElement };

/** Marks the element around chips that share a Tab stop. */
export const chipsAround = { 'data-chips': true } as const;

const keyOf = (target: ChoiceTarget) => ('field' in target ? `field ${target.field}` : target.header);

/** One Tab stop, between whose chips the arrow keys move: the last focused chip, at first the first target's. */
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
        // The choice may still be loading while the focus is here.
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

/** Does nothing if the table around the chips has moved the focus. */
function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  if (event.isDefaultPrevented()) return;
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

/** `anchor`: a chip in the same table, which disappears with the choice. */
export function focusColumnChip(anchor: HTMLElement, header: string | undefined): void {
  const chips = anchor.closest('[data-chips]')?.querySelectorAll<HTMLElement>('[data-chip]') ?? [];
  const chip = [...chips].find((element) => element.dataset.chip === header);
  chip?.focus({ preventScroll: true });
}
