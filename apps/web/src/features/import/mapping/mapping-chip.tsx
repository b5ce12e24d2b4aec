import { IconChevronDown } from '@tabler/icons-react';
import { Hint } from '../../../ui/hint.tsx';
import classes from './mapping-chip.module.css';
import type { ChipWords } from './mapping-words.ts';
import type { ChipProps } from './use-mapping-chips.ts';

type MappingChipProps = {
  words: ChipWords;
  chip: ChipProps;
  /** The look: read into a field, not used, or required and without a column. */
  state: 'used' | 'unused' | 'missing';
  /** Reason why the mapping cannot be changed now; null if it can. */
  reason?: string | null;
  busy?: boolean;
};

/** A button in the head of a column: its field, or the column of a field. It opens the choice of another one. */
export function MappingChip({ words, chip, state, reason = null, busy = false }: MappingChipProps) {
  const isOff = reason !== null || busy;
  return (
    <Hint text={reason}>
      <button
        type="button"
        className={classes.chip}
        data-state={state}
        aria-label={words.name}
        aria-disabled={isOff || undefined}
        aria-busy={busy || undefined}
        {...chip}
        onClick={isOff ? undefined : chip.onClick}
      >
        <span className="ellipsis" dir="auto">
          {words.text}
        </span>
        <IconChevronDown size={12} aria-hidden className={classes.icon} />
      </button>
    </Hint>
  );
}
