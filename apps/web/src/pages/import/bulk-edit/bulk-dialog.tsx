import { Modal, Text } from '@mantine/core';
import { useMediaQuery, useMounted } from '@mantine/hooks';
import { tallDialog } from '../../../components/tall-dialog.ts';
import classes from './bulk-dialog.module.css';
import { BulkForm } from './bulk-form.tsx';
import type { ChosenRows } from './chosen-rows.ts';
import { changeWords, targetField, targetWords } from './target-words.ts';
import { useLines } from './use-lines.ts';

export type BulkDialogProps = {
  importId: string;
  chosen: ChosenRows;
  /** The headers of the file. */
  headers: readonly string[];
  opened: boolean;
  onClose: () => void;
};

const dialogClasses = tallDialog(classes.header);

/** A change of many rows: its lines, and beside them what it would do. Lines stay until they are applied. */
export function BulkDialog({ importId, chosen, headers, opened, onClose }: BulkDialogProps) {
  const ready = useMounted();
  const fullScreen = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  const lines = useLines(targetField(chosen.target));
  return (
    <Modal
      // Mantine returns the focus only to what had it when `opened` changed.
      opened={opened && ready}
      onClose={onClose}
      size="74rem"
      fullScreen={fullScreen}
      padding={0}
      title={
        <>
          <span className="numbers">{changeWords(chosen.count)}</span>{' '}
          <Text component="span" size="sm" c="dimmed" fw={400} className={classes.chosen}>
            {targetWords(chosen.target)}
          </Text>
        </>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ header: { role: 'presentation' } }}
      classNames={dialogClasses}
      transitionProps={{ duration: 120 }}
    >
      <BulkForm importId={importId} chosen={chosen} headers={headers} lines={lines} onClose={onClose} />
    </Modal>
  );
}
