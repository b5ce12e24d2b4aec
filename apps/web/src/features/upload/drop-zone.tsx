import { Stack, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { Button } from '../../ui/button.tsx';
import { HelpTip } from '../../ui/help/help-tip.tsx';
import { limitNote } from './file-limit.ts';
import classes from './upload.module.css';
import { fileBytesMax } from './upload-api.ts';

type DropZoneProps = {
  /** Files are being dragged over the page. */
  over: boolean;
  onChoose: () => void;
};

/** The first step: where files can be dropped or chosen. They can be dropped anywhere else on the page, too. */
export function DropZone({ over, onChoose }: DropZoneProps) {
  return (
    <section aria-label="File drop zone" className={classes.dropZone} data-over={over || undefined}>
      <IconFileSpreadsheet size={32} stroke={1.5} aria-hidden />
      <Stack gap={2} align="center">
        <Text fw={550}>
          Drop a CSV file here <HelpTip topic="file upload" more={limitNote(fileBytesMax())} />
        </Text>
        <Text size="sm" c="dimmed">
          or choose one or more from your device
        </Text>
      </Stack>
      <Button onClick={onChoose} data-choose>
        Choose File
      </Button>
    </section>
  );
}
