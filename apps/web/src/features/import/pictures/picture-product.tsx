import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useSavedToast } from '../edits/use-undo.ts';
import { type ShownPicture, useFoundRows, useProductChoice } from './pictures-api.ts';

const typingPauseMs = 250;

type PictureProductProps = { importId: string; picture: ShownPicture; onDone: () => void };

/** The choice of a picture's product: a search, and the rows that it finds. */
export function PictureProduct({ importId, picture: { n, entry }, onDone }: PictureProductProps) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), typingPauseMs);
  const { data } = useFoundRows(importId, q);
  const choice = useProductChoice(importId);
  const showSaved = useSavedToast(importId);
  const choose = async (row: number, run: number) => {
    // The error is shown below.
    const saved = await choice.mutateAsync({ n, row, run }).catch(() => undefined);
    if (saved === undefined) return;
    showSaved([saved]);
    onDone();
  };
  return (
    <div className="stack">
      <TextInput
        aria-label={`Product of ${entry}`}
        placeholder="Title, SKU or UPC"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      {q.length >= 3 && data !== undefined && (
        <ul className="list" aria-label="Products found">
          {data.rows.length === 0 && (
            <li>
              <Text size="sm">No product is found.</Text>
            </li>
          )}
          {data.rows.map(({ row, values }) => (
            <li key={row}>
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                loading={choice.isPending && choice.variables.row === row}
                onClick={() => void choose(row, data.run)}
              >
                Row {row}: {values.title ?? 'No title'}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {choice.isError && (
        <Text size="sm" role="alert">
          {choice.error.message}
        </Text>
      )}
    </div>
  );
}
