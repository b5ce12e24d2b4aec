import { Tooltip } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { ActionIcon } from '../button.tsx';
import { type HelpTopic, helpTexts } from './help-texts.ts';

/** The specification's tooltip delay. */
export const tooltipDelayMs = 700;

/** A help icon that explains a topic on hover, focus and touch. `more` is appended to the topic's text. */
export function HelpTip({ topic, more }: { topic: HelpTopic; more?: string | null }) {
  return (
    <Tooltip
      label={more ? `${helpTexts[topic]} ${more}` : helpTexts[topic]}
      openDelay={tooltipDelayMs}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      w={280}
    >
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        radius="xl"
        style={{ verticalAlign: 'middle' }}
        aria-label={`Help: ${topic}`}
      >
        <IconHelpCircle size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
