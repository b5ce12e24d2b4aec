import { IconChevronDown } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { TabStopButton } from '../../../ui/basics.tsx';
import { Hint } from '../../../ui/hint.tsx';
import type { ChoiceTarget } from './choice-options.ts';
import classes from './mapping.module.css';
import type { ChipWords } from './mapping-words.ts';

type MappingChipProps = {
  words: ChipWords;
  chip: ChipProps;
  state: 'used' | 'unused' | 'missing';
  /** The reason why the mapping cannot be changed, or null if it can. */
  reason?: string | null;
  busy?: boolean;
};

export function MappingChip({ words, chip, state, reason = null, busy = false }: MappingChipProps) {
  const isOff = reason !== null || busy;
  return (
    <Hint text={reason}>
      <TabStopButton
        className={`${classes.chip} inline-flex tag gap-hair center size-xs shrink at-most-full`}
        data-state={state}
        aria-label={words.name}
        title={reason === null ? words.text : undefined}
        aria-disabled={isOff || undefined}
        aria-busy={busy || undefined}
        {...chip}
        onClick={isOff ? undefined : chip.onClick}
      >
        <span className="ellipsis" dir="auto">
          {words.text}
        </span>
        <IconChevronDown size={12} aria-hidden className="rigid" />
      </TabStopButton>
    </Hint>
  );
}

export type OpenedChoice = { key: string; target: ChoiceTarget; anchor: HTMLElement };

const keyOf = (target: ChoiceTarget) => ('field' in target ? `field ${target.field}` : target.header);

export function useMappingChips() {
  const [open, setOpen] = useState<OpenedChoice | null>(null);
  const chip = (target: ChoiceTarget) => {
    const key = keyOf(target);
    return {
      'data-chip': key,
      'aria-haspopup': 'dialog' as const,
      'aria-expanded': open?.key === key,
      // While the options load, the focus is still on the chip, so the chip closes its dialog on Esc, too.
      onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && setOpen(null),
      onClick: ({ currentTarget }: MouseEvent<HTMLElement>) =>
        setOpen(open?.key === key ? null : { key, target, anchor: currentTarget }),
    };
  };
  return { chip, open, close: () => setOpen(null) };
}

export type ChipProps = ReturnType<ReturnType<typeof useMappingChips>['chip']>;

/** Focuses the chip of the column with this header. `anchor`: a chip of the same table that will be removed. */
export function focusColumnChip(anchor: HTMLElement, header: string | undefined): void {
  const chips = anchor.closest('table')?.querySelectorAll<HTMLElement>('[data-chip]') ?? [];
  const chip = [...chips].find((element) => element.dataset.chip === header);
  chip?.focus({ preventScroll: true });
}
