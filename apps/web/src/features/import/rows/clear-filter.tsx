import { CloseButton } from '@mantine/core';

/** Ends a filter of the rows. `words`: what it does, 'Show rows with any value'. */
export function ClearFilter({ words, onClear }: { words: string; onClear: () => void }) {
  return <CloseButton variant="default" size={28} aria-label={words} title={words} onClick={onClear} />;
}
