import { Modal, Stack, Text } from '@mantine/core';
import { Picture } from '../../../ui/picture.tsx';
import classes from './row-drawers.module.css';

type ImageDialogProps = {
  opened: boolean;
  url: string;
  name: string;
  /** The image does not load, or is not loaded. */
  failed: boolean;
  /** The server's check was ok. */
  isChecked: boolean;
  /** Reason for the failure, if known. */
  reason: string | null;
  onFailed: () => void;
  onClose: () => void;
};

/** A row's image, larger, with its address. */
export function ImageDialog({ opened, url, name, failed, isChecked, reason, ...on }: ImageDialogProps) {
  const { onFailed, onClose } = on;
  return (
    <Modal opened={opened} onClose={onClose} title={name} size="lg">
      <Stack gap="sm">
        {failed ? (
          <Text>Image failed to load</Text>
        ) : (
          <Picture
            className={classes.largeImage}
            src={url}
            alt={name}
            isChecked={isChecked}
            isEager
            fallback={null}
            onFailed={onFailed}
          />
        )}
        {failed && reason !== null && <Text size="sm">{reason}</Text>}
        <Text size="sm" c="dimmed" className="break-words">
          {url}
        </Text>
      </Stack>
    </Modal>
  );
}
