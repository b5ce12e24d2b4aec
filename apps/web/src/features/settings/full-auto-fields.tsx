import type { Preferences } from '@draftshelf/domain/access/preferences';
import { Skeleton, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Read } from '../../ui/feedback/read.tsx';
import {
  enteredNumber,
  type NumberName,
  numberLabels,
  numberNames,
  rangeWords,
} from './full-auto-numbers.ts';
import { usePreferences } from './preferences-api.ts';
import type { SettingsForm } from './use-settings-form.ts';

const effects: Record<NumberName, string> = {
  autoPushDelayMinutes: 'Until then you can stop it. A push that is planned already keeps its time.',
  autoPushMax: 'Larger imports wait for you.',
};

/** Full-auto's numbers. They are preferences, but saved with the settings. */
export function FullAutoFields({ form }: { form: SettingsForm }) {
  return (
    <Read of={usePreferences()} what="the numbers of full auto" meanwhile={<Skeleton height={160} />}>
      {(saved) => numberNames.map((name) => <NumberField key={name} name={name} form={form} saved={saved} />)}
    </Read>
  );
}

function NumberField({ name, form, saved }: { name: NumberName; form: SettingsForm; saved: Preferences }) {
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const entered = form.entered[name];
  const isWrong = form.wrongNumber === name;
  const { onWrongNumberFocused } = form;
  useEffect(() => {
    if (!isWrong) return;
    field.current?.focus();
    onWrongNumberFocused();
  }, [isWrong, onWrongNumberFocused]);
  return (
    <TextInput
      ref={field}
      label={numberLabels[name]}
      description={`A whole number ${rangeWords(name)}. ${effects[name]}`}
      inputMode="numeric"
      autoComplete="off"
      maxLength={12}
      value={entered?.text ?? String(saved[name])}
      error={entered?.error}
      onChange={({ currentTarget: { value } }) => form.enter(name, enteredNumber(client, name, value, saved))}
    />
  );
}
