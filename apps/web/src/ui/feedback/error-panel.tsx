import { Alert, Code, Collapse, CopyButton, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { TextButton } from '../button.tsx';
import { BodyText } from '../text.tsx';

type ErrorPanelProps = {
  title: string;
  children?: ReactNode;
  /** The technical cause, folded at first. */
  cause?: string | null;
  tone?: 'failure' | 'warning';
};

export const ErrorPanel = ({ title, children, cause, tone = 'failure' }: ErrorPanelProps) => (
  <Alert
    role="alert"
    color={tone === 'failure' ? 'red' : 'yellow'}
    icon={<IconAlertTriangle aria-hidden />}
    title={title}
    styles={{ title: { overflowWrap: 'anywhere' } }}
  >
    <Stack gap="xs" align="flex-start">
      {typeof children === 'string' ? <BodyText>{children}</BodyText> : children}
      {cause !== undefined && cause !== null && cause !== '' && <FoldOut text={cause} />}
    </Stack>
  </Alert>
);

type CallFailureProps = {
  error: Error | null;
  title: string;
  /** Shown if the server names no reason. */
  otherwise?: string;
  children?: ReactNode;
};

export function CallFailure({ error, title, otherwise, children }: CallFailureProps) {
  if (error === null) return null;
  const server = error instanceof CallError ? error.serverMessage : null;
  const hasCause = server === null && otherwise !== undefined;
  return (
    <ErrorPanel title={title} cause={hasCause ? error.message : null}>
      <BodyText>{server ?? otherwise ?? error.message}</BodyText>
      {children}
    </ErrorPanel>
  );
}

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
        <TextButton color="gray" px={0} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? `Hide ${what}` : `Show ${what}`}
        </TextButton>
        {open && (
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <TextButton color="gray" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </TextButton>
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
