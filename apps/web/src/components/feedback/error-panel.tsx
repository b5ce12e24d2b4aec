import { Alert, Button, Code, Collapse, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';

type ErrorPanelProps = {
  /** What went wrong, in one sentence. */
  title: string;
  /** More text, and what to do about it. */
  children?: ReactNode;
  /** The technical cause, collapsed at first. It can be copied. */
  cause?: string | null;
  tone?: 'failure' | 'warning';
};

/** An error in place: what went wrong, what to do, and the technical cause on click. */
export function ErrorPanel({ title, children, cause, tone = 'failure' }: ErrorPanelProps) {
  const [open, setOpen] = useState(false);
  return (
    <Alert
      role="alert"
      color={tone === 'failure' ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      <Stack gap="xs" align="flex-start">
        {typeof children === 'string' ? <Text size="sm">{children}</Text> : children}
        {cause !== undefined && cause !== null && cause !== '' && (
          <>
            <Group gap="xs">
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                px={0}
                aria-expanded={open}
                onClick={() => setOpen(!open)}
              >
                {open ? 'Hide Details' : 'Show Details'}
              </Button>
              {open && (
                <CopyButton value={cause}>
                  {({ copied, copy }) => (
                    <Button size="compact-sm" variant="subtle" color="gray" onClick={copy}>
                      {copied ? 'Copied' : 'Copy'}
                    </Button>
                  )}
                </CopyButton>
              )}
            </Group>
            <Collapse expanded={open} w="100%">
              <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {cause}
              </Code>
            </Collapse>
          </>
        )}
      </Stack>
    </Alert>
  );
}
