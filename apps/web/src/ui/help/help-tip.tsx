import { IconHelpCircle } from '@tabler/icons-react';
import { ActionIcon } from '../button.tsx';
import { Hint } from '../hint.tsx';
import { type HelpTopic, helpTexts } from './help-texts.ts';

/** A help icon that explains a topic on hover, focus and touch. `more` is appended to the topic's text. */
export function HelpTip({ topic, more }: { topic: HelpTopic; more?: string | null }) {
  return (
    <Hint text={more ? `${helpTexts[topic]} ${more}` : helpTexts[topic]} w={280}>
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
    </Hint>
  );
}
