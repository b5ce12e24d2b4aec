import { fileSize } from '@draftshelf/domain/format';
import { Group, Text, UnstyledButton } from '@mantine/core';
import { IconFileSpreadsheet, IconX } from '@tabler/icons-react';
import { ActionIcon, Button } from '../../components/button.tsx';
import { countOf, formatCount } from '../../lib/intl.ts';
import type { Checked, ChosenFile } from './chosen-files.ts';
import classes from './upload.module.css';

type FileListProps = {
  files: readonly ChosenFile[];
  selected: number | null;
  /** Files are being dragged over the page. */
  over: boolean;
  onSelect: (id: number) => void;
  onRemove: (id: number) => void;
  onChooseOther: () => void;
  onAdd: () => void;
};

/** The chosen files, as a strip. If there are several, one is chosen for the preview below. */
export function FileList({ files, selected, over, onSelect, onRemove, onChooseOther, onAdd }: FileListProps) {
  const several = files.length > 1;
  return (
    <section aria-label="File drop zone" className={classes.strip} data-over={over || undefined}>
      <ul className={classes.files} aria-label="Chosen files">
        {files.map((chosen) => (
          <li key={chosen.id} className={classes.file} data-selected={several && chosen.id === selected}>
            <IconFileSpreadsheet size={20} stroke={1.5} aria-hidden />
            {several ? (
              <UnstyledButton
                className={classes.fileButton}
                aria-current={chosen.id === selected}
                onClick={() => onSelect(chosen.id)}
              >
                <FileWords chosen={chosen} withState />
              </UnstyledButton>
            ) : (
              <div className={classes.fileButton}>
                <FileWords chosen={chosen} withState={false} />
              </div>
            )}
            {several && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${chosen.file.name}`}
                onClick={() => onRemove(chosen.id)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <Group gap="xs">
        <Button variant="default" size="compact-md" onClick={onChooseOther}>
          Choose Another File
        </Button>
        <Button variant="subtle" size="compact-md" onClick={onAdd}>
          Add Files
        </Button>
      </Group>
    </section>
  );
}

function FileWords({ chosen: { file, checked }, withState }: { chosen: ChosenFile; withState: boolean }) {
  return (
    <>
      <Text component="span" fw={550} className={classes.filename} dir="auto">
        {file.name}
      </Text>
      <Text component="span" size="sm" c="dimmed" className="numbers">
        {fileSize(file.size)}
        {withState && ` · ${checkedWords(checked)}`}
      </Text>
    </>
  );
}

function checkedWords(checked: Checked | null): string {
  if (checked === null) return 'not checked yet';
  if (checked.kind === 'failed') return 'can’t be read';
  const lacking = checked.products - checked.valid;
  const products = countOf(checked.products, 'product');
  return lacking === 0 ? products : `${products}, ${formatCount(lacking)} incomplete`;
}
