import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import type { ReadCode } from './reader-options.ts';
import classes from './scan.module.css';

/** A field for a code that no camera reads. */
export function TypedCode({ onCode }: { onCode: (code: ReadCode) => void }) {
  const [text, setText] = useState('');
  const use = () => {
    if (text.trim() === '') return;
    onCode({ text, format: null });
    setText('');
  };
  return (
    <form
      className={classes.typed}
      onSubmit={(event) => {
        event.preventDefault();
        use();
      }}
    >
      <TextInput
        className="grow"
        label="Code"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        autoComplete="off"
        autoCapitalize="characters"
        enterKeyHint="go"
        data-autofocus
        autoFocus
        size="md"
      />
      <Button type="submit" size="md" disabled={text.trim() === ''}>
        Use Code
      </Button>
    </form>
  );
}
