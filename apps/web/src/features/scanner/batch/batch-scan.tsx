import { Text } from '@mantine/core';
import { countOf } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { ScanView } from '../scan/scan-view.tsx';
import { BatchLine } from './batch-line.tsx';
import { acceptNames, changeLine, whyNotSaved, withLine } from './batch-lines.ts';
import { useBatchLines } from './use-batch-lines.ts';

type BatchScanProps = {
  opened: boolean;
  onClose: () => void;
  /** Called when products were saved, with their number. */
  onSaved?: (count: number) => void;
};

/**
 * Scans many codes in a row into a list, and saves it at once. The list stays in this browser until it is saved. The
 * page must not listen for hand-held scanners meanwhile.
 */
export function BatchScan({ opened, onClose, onSaved }: BatchScanProps) {
  const { lines, change, announcement, add, save, isSaving } = useBatchLines();
  const ready = lines.filter((line) => whyNotSaved(line) === null).length;
  const proposed = lines.filter((line) => line.nameFrom !== null && line.state === 'ready').length;
  return (
    <ScanView
      opened={opened}
      title="Scan Many Codes"
      onCode={add}
      onClose={onClose}
      announcement={announcement}
      footer={
        <>
          {proposed > 0 && (
            <Button variant="default" onClick={() => change(acceptNames)}>
              Accept All Names
            </Button>
          )}
          <Button
            disabled={ready === 0}
            loading={isSaving}
            onClick={() => void save().then((saved) => saved > 0 && onSaved?.(saved))}
          >
            {ready === 0 ? 'Save All' : `Save All (${ready})`}
          </Button>
        </>
      }
    >
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed" py="sm">
          Scan one code after the other. Each becomes a line here. The same code again is counted on its line.
        </Text>
      ) : (
        <ul className="list" aria-label={countOf(lines.length, 'scanned code')}>
          {lines.map((line) => (
            <BatchLine
              key={line.id}
              line={line}
              isLocked={isSaving}
              onChange={(set) => change((all) => withLine(all, line.id, (one) => changeLine(one, set)))}
              onRemove={() => change((all) => all.filter(({ id }) => id !== line.id))}
            />
          ))}
        </ul>
      )}
    </ScanView>
  );
}
