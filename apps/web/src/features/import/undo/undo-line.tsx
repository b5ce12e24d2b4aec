import type { UndoneProduct } from '@draftshelf/contract/push/push-undo';
import type { UndoChoice } from '@draftshelf/domain/push/push-undo';
import { Text } from '@mantine/core';
import { useId, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { Button, TextButton } from '../../../ui/button.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { BodyText, Moment, OutsideLink } from '../../../ui/text.tsx';
import classes from './push-undo.module.css';
import { useStoreChanges } from './push-undo-api.ts';
import { partName } from './undo-words.ts';

type UndoLineProps = {
  importId: string;
  previewedAt: string | null;
  line: UndoneProduct;
  isOpen: boolean;
  isBusy: boolean;
  onChoose: (choice: UndoChoice | null) => void;
};

export function UndoLine({ importId, previewedAt, line, isOpen, isBusy, onChoose }: UndoLineProps) {
  const [showsChanges, setShowsChanges] = useState(false);
  const [showsParts, setShowsParts] = useState(false);
  const title = line.title ?? (line.number === null ? 'Product' : `Product ${formatCount(line.number)}`);
  const reason = line.result?.message ?? line.message;
  const isKept = (line.result?.code ?? line.code) !== null;
  const current = line.choice ?? line.choiceForAll ?? actionWithoutChoice(line);
  const valuesWords = showsParts ? 'Hide Values' : 'Show Values';
  return (
    <li className="stack gap-tight pad-y-xs line-above">
      <LineHead title={title} storeUrl={line.storeUrl} />
      {reason !== null && <p className="flush break-words size-sm">{reason}</p>}
      <div className={`row-wrap ${classes.spread} between`}>
        <div className="row-wrap gap-tight">
          {isOpen && current === 'delete' && !line.choices.includes('delete') && (
            <BodyText c="var(--text-bad)">Will be deleted</BodyText>
          )}
          {line.parts.length > 0 && (
            <LineFold
              words={valuesWords}
              label={`${valuesWords}: ${title}`}
              isOpen={showsParts}
              onTurn={setShowsParts}
            />
          )}
          {isKept && line.storeUrl !== null && (
            <LineFold
              words="Who Changed It?"
              label={`Who Changed It? ${title}`}
              isOpen={showsChanges}
              onTurn={setShowsChanges}
            />
          )}
        </div>
        {isOpen && line.choices.length > 0 && (
          <ChoiceButtons
            label={`Choice for ${title}`}
            choices={line.choices}
            current={current}
            isMade={line.choice !== null}
            isBusy={isBusy}
            onChoose={onChoose}
          />
        )}
      </div>
      {showsParts && <PartValues title={title} parts={line.parts} />}
      {showsChanges && <StoreChanges {...{ importId, previewedAt }} product={line.product} />}
    </li>
  );
}

const LineHead = ({ title, storeUrl }: { title: string; storeUrl: string | null }) => (
  <div className={`row ${classes.spread} between`}>
    <span className="strong break-words" dir="auto">
      {title}
    </span>
    {storeUrl !== null && (
      <OutsideLink href={storeUrl} className="target rigid size-sm" aria-label={`View in Shopify: ${title}`}>
        View in Shopify
      </OutsideLink>
    )}
  </div>
);

type LineFoldProps = { words: string; label: string; isOpen: boolean; onTurn: (isOpen: boolean) => void };

const LineFold = ({ words, label, isOpen, onTurn }: LineFoldProps) => (
  <TextButton color="gray" aria-expanded={isOpen} aria-label={label} onClick={() => onTurn(!isOpen)}>
    {words}
  </TextButton>
);

const actionWithoutChoice = ({ action }: UndoneProduct): UndoChoice | null =>
  action === 'keep' || action === 'archive' || action === 'delete' ? action : null;

type StoreChangesProps = Pick<UndoLineProps, 'importId' | 'previewedAt'> & { product: number };

function StoreChanges({ importId, product, previewedAt }: StoreChangesProps) {
  const read = useStoreChanges(importId, product, previewedAt);
  if (read.isError) return <ReadFailure what="the changes in the store" reads={[read]} />;
  const changes = read.data?.changes;
  return (
    <ul
      className={`list ${classes.changes} size-sm surface-quiet rounded`}
      aria-live="polite"
      aria-label="Changes in the store"
    >
      {changes === undefined && <li>Asking the store…</li>}
      {changes?.length === 0 && <li>The store doesn’t tell who changed it.</li>}
      {changes?.map(({ at, author, app, message }) => (
        <li key={`${at} ${message}`} className="break-words">
          <Text span inherit c="dimmed">
            <Moment time={at} />
          </Text>{' '}
          {message}
          {whoWords(message, [author, app])}
        </li>
      ))}
    </ul>
  );
}

/** Names that the store's sentence lacks. */
function whoWords(message: string, names: readonly (string | null)[]): string {
  const who = names.filter((name) => name !== null && !message.includes(name));
  return who.length === 0 ? '' : ` (${who.join(', ')})`;
}

const columns = [
  ['before', 'Before the push'],
  ['ours', 'As pushed'],
  ['now', 'Now'],
] as const;

const PartValues = ({ title, parts }: { title: string; parts: UndoneProduct['parts'] }) => (
  <div className={classes.values}>
    <table aria-label={`Values of ${title}`}>
      <thead>
        <tr>
          <th scope="col">Part</th>
          {columns.map(([key, words]) => (
            <th key={key} scope="col">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {parts.map((line) => (
          <tr key={`${line.part} ${line.name}`}>
            <th scope="row">{partName(line)}</th>
            {columns.map(([key, words]) => (
              <td
                key={key}
                dir="auto"
                data-label={words}
                data-now={key === 'now' || undefined}
                data-empty={!line[key] || undefined}
              >
                {line[key] || 'empty'}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const choiceWords: Record<UndoChoice, string> = { keep: 'Keep', archive: 'Archive', delete: 'Delete Anyway' };

type ChoiceButtonsProps = {
  label: string;
  choices: readonly UndoChoice[];
  current: UndoChoice | null;
  isMade: boolean;
  isBusy: boolean;
  onChoose: (choice: UndoChoice | null) => void;
};

export function ChoiceButtons({ label, choices, current, isMade, isBusy, onChoose }: ChoiceButtonsProps) {
  const id = useId();
  return (
    <fieldset className="row-wrap gap-tight" aria-label={label} id={id} data-focus-next={`#${id} button`}>
      {choices.map((choice) => (
        <Button
          key={choice}
          size="compact-sm"
          variant={choice === current ? 'light' : 'default'}
          {...(choice === 'delete' && choice === current && { color: 'red' })}
          aria-pressed={choice === current}
          busy={isBusy}
          onClick={() => onChoose(choice)}
        >
          {choiceWords[choice]}
        </Button>
      ))}
      {isMade && (
        <TextButton aria-label={`Take Back: ${label}`} busy={isBusy} onClick={() => onChoose(null)}>
          Take Back
        </TextButton>
      )}
    </fieldset>
  );
}
