import type { Row } from '@draftshelf/contract/rows';
import { Tooltip, UnstyledButton } from '@mantine/core';
import { tooltipDelayMs } from '../help/help-tip.tsx';
import { foundWords } from './lookup-words.ts';

/** 'filled in', with the source, time and licence of the value on hover, focus and touch. */
export function FoundSource({ row, field }: { row: Row; field: string }) {
  const words = foundWords(row, field);
  return (
    <Tooltip
      label={words}
      openDelay={tooltipDelayMs}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={280}
    >
      <UnstyledButton style={{ font: 'inherit' }} aria-label={`Filled in. ${words}`}>
        filled in
      </UnstyledButton>
    </Tooltip>
  );
}
