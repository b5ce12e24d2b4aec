import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CallError } from '../../api/call.ts';
import { FoldOut } from './fold-out.tsx';

type ErrorPanelProps = {
  title: string;
  children?: ReactNode;
  /** The technical cause, folded at first. */
  cause?: string | null;
  tone?: 'failure' | 'warning';
};

export function ErrorPanel({ title, children, cause, tone = 'failure' }: ErrorPanelProps) {
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
        {cause !== undefined && cause !== null && cause !== '' && <FoldOut text={cause} />}
      </Stack>
    </Alert>
  );
}

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
      <Text size="sm">{server ?? otherwise ?? error.message}</Text>
      {children}
    </ErrorPanel>
  );
}
