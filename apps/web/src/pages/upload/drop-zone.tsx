import { fileSize } from '@draftshelf/domain/format';
import { Button, Stack, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { fileBytesMax } from '../../api/upload.ts';
import { HelpTip } from '../../components/help/help-tip.tsx';
import { limitNote } from './file-limit.ts';
import classes from './upload.module.css';

type DropZoneProps = { file: File | null; disabled: boolean; onFile: (file: File) => void };

/** Takes one file by drop or file picker. The caller checks whether it is a CSV. */
export function DropZone({ file, disabled, onFile }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null) => {
    const first = files?.[0];
    if (first !== undefined && !disabled) onFile(first);
  };
  const onDragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(!disabled);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <section
      aria-label="File drop zone"
      className={classes.dropZone}
      data-over={over || undefined}
      onDragOver={onDragOver}
      onDragEnter={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <IconFileSpreadsheet size={32} stroke={1.5} aria-hidden />
      <Chosen file={file} />
      <Button variant="default" disabled={disabled} onClick={() => input.current?.click()}>
        {file === null ? 'Choose File' : 'Choose Another File'}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv"
        aria-label="CSV file"
        tabIndex={-1}
        hidden
        onChange={(event) => {
          take(event.currentTarget.files);
          // Without this, the same file cannot be chosen again after a correction.
          event.currentTarget.value = '';
        }}
      />
    </section>
  );
}

function Chosen({ file }: { file: File | null }) {
  if (file === null) {
    return (
      <Stack gap={2} align="center">
        <Text fw={550}>
          Drop a CSV file here <HelpTip topic="file upload" more={limitNote(fileBytesMax())} />
        </Text>
        <Text size="sm" c="dimmed">
          or choose one from your device
        </Text>
      </Stack>
    );
  }
  return (
    <Stack gap={2} align="center" maw="100%">
      <Text fw={550} className={classes.filename}>
        {file.name}
      </Text>
      <Text size="sm" c="dimmed" className="numbers">
        {fileSize(file.size)}
      </Text>
    </Stack>
  );
}
