import { Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';

/** Says that a row is left out of the push. */
export function LeftOutMark() {
  return (
    <Text span size="xs" fw={550} c="var(--text-warning)" style={{ whiteSpace: 'nowrap' }}>
      <IconBan size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Left out of the push
    </Text>
  );
}
