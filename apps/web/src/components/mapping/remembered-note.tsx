import { Button, Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useForgetMapping } from '../../api/mapping.ts';
import { useFailureToast, useToast } from '../feedback/toast.tsx';
import classes from './mapping-editor.module.css';

type RememberedNoteProps = {
  filename: string;
  /** Of the remembered mapping; null: it was forgotten or replaced since. */
  fingerprint: string | null;
};

/** Names the file that fields are remembered from, with a button to forget them. */
export function RememberedNote({ filename, fingerprint }: RememberedNoteProps) {
  const forget = useForgetMapping();
  const toast = useToast();
  const failure = useFailureToast();
  const start = () => {
    if (fingerprint === null) return;
    forget.mutate(fingerprint, {
      onSuccess: () => toast({ title: 'Mapping Forgotten', text: 'The next file is matched again.' }),
      onError: (error) => failure.show('Couldn’t Forget the Mapping', error.message),
    });
  };
  return (
    <Group gap="xs" className={classes.note ?? ''}>
      <Text size="sm" role="status">
        <IconHistory size={14} aria-hidden className={classes.noteIcon} /> Remembered from {filename}
      </Text>
      {fingerprint !== null && (
        <Button size="compact-sm" variant="subtle" loading={forget.isPending} onClick={start}>
          Forget
        </Button>
      )}
    </Group>
  );
}
