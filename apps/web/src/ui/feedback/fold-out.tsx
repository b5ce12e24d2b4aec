import { Code, Collapse, CopyButton, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { SubtleButton } from '../button.tsx';

type FoldOutProps = {
  text: string;
  /** Title case, for the button. */
  what?: string;
};

export function FoldOut({ text, what = 'Details' }: FoldOutProps) {
  const [open, setOpen] = useState(false);
  return (
    <Stack gap="xs" align="flex-start" w="100%">
      <Group gap="xs">
        <SubtleButton
          size="compact-sm"
          color="gray"
          px={0}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? `Hide ${what}` : `Show ${what}`}
        </SubtleButton>
        {open && (
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <SubtleButton size="compact-sm" color="gray" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </SubtleButton>
            )}
          </CopyButton>
        )}
      </Group>
      <Collapse expanded={open} w="100%">
        <Code block mah={320} style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Code>
      </Collapse>
    </Stack>
  );
}
