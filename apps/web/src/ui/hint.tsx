import { Tooltip, type TooltipProps } from '@mantine/core';
import type { ReactElement } from 'react';

/** The specification's delay. The keyboard's focus opens a hint at once. */
const delayMs = 700;
const events = { hover: true, focus: true, touch: true };

type HintProps = {
  text: string | null;
  children: ReactElement;
} & Pick<TooltipProps, 'maw' | 'w'>;

export function Hint({ text, children, ...size }: HintProps) {
  return (
    <Tooltip
      label={text}
      disabled={text === null}
      multiline
      maw={280}
      openDelay={delayMs}
      events={events}
      {...size}
    >
      {children}
    </Tooltip>
  );
}
