import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FoldOut } from './fold-out.tsx';

type ErrorPanelProps = {
  /** The failure in one sentence. */
  title: string;
  /** More text, and what to do about it. */
  children?: ReactNode;
  /** The technical cause, collapsed at first. It can be copied. */
  cause?: string | null;
  tone?: 'failure' | 'warning';
};

/** An error in place: what went wrong, what to do, and the technical cause on click. */
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
