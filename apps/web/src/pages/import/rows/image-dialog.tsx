import { Modal, Stack, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import classes from './rows.module.css';

type ImageDialogProps = {
  opened: boolean;
  url: string;
  name: string;
  /** The image does not load. */
  failed: boolean;
  /** What the server's check has found; null: nothing. */
  reason: string | null;
  onFailed: () => void;
  onClose: () => void;
};

/** A row's image, larger, with its address. */
export function ImageDialog({ opened, url, name, failed, reason, onFailed, onClose }: ImageDialogProps) {
  // Mantine returns the focus only to what had it when `opened` changed.
  const ready = useMounted();
  return (
    <Modal opened={opened && ready} onClose={onClose} title={name} size="lg">
      <Stack gap="sm">
        {failed ? (
          <Text>Image failed to load</Text>
        ) : (
          <img
            className={classes.largeImage}
            src={url}
            alt={name}
            referrerPolicy="no-referrer"
            onError={onFailed}
          />
        )}
        {failed && reason !== null && <Text size="sm">{reason}</Text>}
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
      </Stack>
    </Modal>
  );
}
