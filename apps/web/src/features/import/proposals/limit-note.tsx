import { Text } from '@mantine/core';
import { limitWords } from './proposal-words.ts';

/** Says beside a button that it decides about the first proposals only, where there are more than that. */
export function LimitNote({ count }: { count: number }) {
  const words = limitWords(count);
  if (words === null) return null;
  return (
    <Text size="xs" c="dimmed" span>
      {words}
    </Text>
  );
}
