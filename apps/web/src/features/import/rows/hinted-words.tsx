import { UnstyledButton } from '@mantine/core';
import { Hint } from '../../../ui/hint.tsx';

type HintedWordsProps = { words: string; label: string; hint: string };

/** Words with a hint on hover, focus and touch. */
export const HintedWords = ({ words, label, hint }: HintedWordsProps) => (
  <Hint text={hint}>
    <UnstyledButton style={{ font: 'inherit' }} aria-label={label}>
      {words}
    </UnstyledButton>
  </Hint>
);
