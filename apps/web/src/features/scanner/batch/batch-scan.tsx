import { Badge, Stack, Text, TextInput } from '@mantine/core';
import { IconPhotoOff, IconTrash } from '@tabler/icons-react';
import { countOf } from '../../../lib/intl.ts';
import { ActionIcon, Button } from '../../../ui/button.tsx';
import { Picture } from '../../../ui/picture.tsx';
import classes from '../scan/scan.module.css';
import { ScanView } from '../scan/scan-view.tsx';
import { acceptNames, changeLine, type Line, whyNotSaved, withLine, wordsOf } from './batch-lines.ts';
import { useBatchLines } from './use-batch-lines.ts';

type BatchScanProps = { opened: boolean; onClose: () => void };

/**
 * Scans many codes in a row into a list, and saves it at once. The list stays in this browser until it is saved. The
 * page must not listen for hand-held scanners meanwhile.
 */
export function BatchScan({ opened, onClose }: BatchScanProps) {
  const { lines, change, announcement, add, save, isSaving } = useBatchLines();
  const readyCount = lines.filter((line) => whyNotSaved(line) === null).length;
  const proposedNames = lines.filter((line) => line.nameFrom !== null && line.state === 'ready').length;
  return (
    <ScanView
      opened={opened}
      title="Scan many codes"
      onCode={add}
      onClose={onClose}
      announcement={announcement}
      footer={
        <>
          {proposedNames > 0 && (
            <Button variant="default" onClick={() => change(acceptNames)}>
              Accept All Names
            </Button>
          )}
          <Button disabled={readyCount === 0} loading={isSaving} onClick={() => void save()}>
            {readyCount === 0 ? 'Save All' : `Save All (${readyCount})`}
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
              onChange={(set) =>
                change((all) => withLine(all, line.id, (current) => changeLine(current, set)))
              }
              onRemove={() => change((all) => all.filter(({ id }) => id !== line.id))}
            />
          ))}
        </ul>
      )}
    </ScanView>
  );
}

type BatchLineProps = {
  line: Line;
  /** The list is being saved. */
  isLocked: boolean;
  onChange: (set: Partial<Pick<Line, 'name' | 'price'>>) => void;
  onRemove: () => void;
};

/** A scanned code with picture, name and price. */
function BatchLine({ line, isLocked, onChange, onRemove }: BatchLineProps) {
  const { sku, photo, problem } = line;
  const noPicture = <IconPhotoOff aria-hidden />;
  return (
    <li className={classes.line} data-problem={problem !== null}>
      <div className={classes.linePicture}>
        {photo === null ? noPicture : <Picture src={photo} fallback={noPicture} />}
      </div>
      <Stack gap="var(--tight)" className="grow">
        <LineHead line={line} />
        <LineInputs line={line} disabled={isLocked || line.state === 'known'} onChange={onChange} />
        <Text size="xs" c={problem === null ? 'dimmed' : 'red'} mih="1rem">
          {wordsOf(line)}
        </Text>
      </Stack>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={48}
        aria-label={`Remove ${sku}`}
        disabled={isLocked}
        onClick={onRemove}
      >
        <IconTrash size={20} />
      </ActionIcon>
    </li>
  );
}

function LineHead({ line: { sku, count, nameFrom } }: { line: Line }) {
  return (
    <div className={`row-wrap ${classes.lineHead}`}>
      <Text component="span" size="sm" className="numbers break-words">
        {sku}
      </Text>
      {count > 1 && (
        <Badge variant="light" size="md">
          ×{count}
        </Badge>
      )}
      {nameFrom !== null && (
        <Badge variant="outline" size="md">
          {nameFrom}
        </Badge>
      )}
    </div>
  );
}

type LineInputsProps = Pick<BatchLineProps, 'line' | 'onChange'> & { disabled: boolean };

function LineInputs({ line: { sku, name, price, state }, disabled, onChange }: LineInputsProps) {
  return (
    <div className="row">
      <TextInput
        className="grow"
        aria-label={`Name of ${sku}`}
        placeholder={state === 'looking' ? 'Looking it up…' : 'Name'}
        value={name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        disabled={disabled}
        autoCapitalize="words"
        enterKeyHint="next"
      />
      <TextInput
        flex="none"
        w="5.5rem"
        aria-label={`Price of ${sku}`}
        placeholder="0.00"
        value={price}
        onChange={({ currentTarget }) => onChange({ price: currentTarget.value })}
        disabled={disabled}
        inputMode="decimal"
        enterKeyHint="next"
      />
    </div>
  );
}
