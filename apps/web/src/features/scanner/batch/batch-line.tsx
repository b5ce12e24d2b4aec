import { Badge, Stack, Text, TextInput } from '@mantine/core';
import { IconPhotoOff, IconTrash } from '@tabler/icons-react';
import { ActionIcon } from '../../../ui/button.tsx';
import { Picture } from '../../../ui/picture.tsx';
import classes from '../scan/scan.module.css';
import { type Line, wordsOf } from './batch-lines.ts';

type BatchLineProps = {
  line: Line;
  /** The list is being saved. */
  isLocked: boolean;
  onChange: (set: Partial<Pick<Line, 'name' | 'price'>>) => void;
  onRemove: () => void;
};

/** A scanned code with picture, name and price. */
export function BatchLine({ line, isLocked, onChange, onRemove }: BatchLineProps) {
  const { sku, count, name, price, photo, nameFrom, state, problem } = line;
  const isKnown = state === 'known';
  const noPicture = <IconPhotoOff aria-hidden />;
  return (
    <li className={classes.line} data-problem={problem !== null}>
      <div className={classes.linePicture}>
        {photo === null ? noPicture : <Picture src={photo} fallback={noPicture} />}
      </div>
      <Stack gap="var(--tight)" className="grow">
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
        <div className="row">
          <TextInput
            className="grow"
            aria-label={`Name of ${sku}`}
            placeholder={state === 'looking' ? 'Looking it up…' : 'Name'}
            value={name}
            onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
            disabled={isLocked || isKnown}
            autoCapitalize="words"
            enterKeyHint="next"
          />
          <TextInput
            aria-label={`Price of ${sku}`}
            placeholder="0.00"
            value={price}
            onChange={({ currentTarget }) => onChange({ price: currentTarget.value })}
            disabled={isLocked || isKnown}
            inputMode="decimal"
            enterKeyHint="next"
            flex="none"
            w="5.5rem"
          />
        </div>
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
