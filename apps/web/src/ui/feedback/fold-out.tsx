import { Code, Collapse, CopyButton, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Button } from '../button.tsx';

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
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          px={0}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? `Hide ${what}` : `Show ${what}`}
        </Button>
        {open && (
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="subtle" color="gray" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
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
