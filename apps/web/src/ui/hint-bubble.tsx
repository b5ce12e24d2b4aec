import { Tooltip, type TooltipProps } from '@mantine/core';
import type { RefObject } from 'react';

export type HintBubbleProps = {
  text: string | null;
  target: RefObject<HTMLElement | null>;
  opened: boolean;
} & Pick<TooltipProps, 'maw' | 'w'>;

/** The bubble of a hint. The hint opens it, so that the library loads with the first one. */
export function HintBubble({ text, ...props }: HintBubbleProps) {
  return <Tooltip label={text} multiline maw={280} {...props} />;
}
