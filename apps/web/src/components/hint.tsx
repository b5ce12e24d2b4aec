import { Tooltip, type TooltipProps } from '@mantine/core';
import type { ReactElement } from 'react';

/** The specification's tooltip delay. */
const delayMs = 700;
const events = { hover: true, focus: true, touch: true };

type HintProps = {
  /** Null shows no hint. */
  text: string | null;
  children: ReactElement;
} & Pick<TooltipProps, 'maw' | 'w'>;

/** Explains a control on hover, focus and touch. */
export function Hint({ text, children, ...size }: HintProps) {
  return (
    <Tooltip
      label={text}
      disabled={text === null}
      openDelay={delayMs}
      events={events}
      multiline
      maw={280}
      {...size}
    >
      {children}
    </Tooltip>
  );
}
