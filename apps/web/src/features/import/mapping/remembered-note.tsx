import { Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { SubtleButton } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { useForgetMapping, type useMapping, useRecalledMapping } from './mapping-api.ts';

type RememberedNoteProps = {
  filename: string;
  /** Null: the mapping was forgotten or replaced since. */
  fingerprint: string | null;
  /** Outside of a dialog: moves the focus, because the button disappears. */
  onForgotten?: () => void;
};

export function RememberedNote({ filename, fingerprint, onForgotten }: RememberedNoteProps) {
  const forget = useForgetMapping();
  const toast = useToast();
  const start = (button: HTMLButtonElement) => {
    if (fingerprint === null) return;
    const dialog = button.closest<HTMLElement>('[role="dialog"]');
    const onSuccess = () => {
      toast({ title: 'Mapping forgotten', text: 'The next file is matched automatically.' });
      if (dialog) dialog.focus();
      else onForgotten?.();
    };
    forget.mutate({ params: { fingerprint } }, { onSuccess });
  };
  return (
    <Group gap="xs" className="break-words">
      <Text size="sm" role="status">
        <IconHistory size={14} aria-hidden style={{ verticalAlign: -2 }} /> Remembered from {filename}
      </Text>
      {fingerprint !== null && (
        <SubtleButton
          size="compact-sm"
          loading={forget.isPending}
          onClick={(event) => start(event.currentTarget)}
        >
          Forget
        </SubtleButton>
      )}
    </Group>
  );
}

export function RememberedNoteOf({
  columns,
}: {
  columns: NonNullable<ReturnType<typeof useMapping>['data']>['columns'] | undefined;
}) {
  const from = columns?.find(({ setBy }) => setBy === 'memory')?.rememberedFrom ?? null;
  const headers = from === null ? null : (columns ?? []).map(({ header }) => header);
  const recalled = useRecalledMapping(headers).data?.mapping;
  if (from === null) return null;
  const fingerprint = recalled?.filename === from ? recalled.fingerprint : null;
  return <RememberedNote filename={from} fingerprint={fingerprint} />;
}
