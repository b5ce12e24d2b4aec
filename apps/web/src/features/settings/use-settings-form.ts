import { autoPushRanges, type Preferences } from '@draftshelf/domain/access/preferences';
import { type Settings, settingsDefault } from '@draftshelf/domain/access/settings';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError, call } from '../../api/call.ts';
import { formatCount } from '../../lib/intl.ts';
import { type Draft, useDraft } from '../../ui/draft.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { changedNames, numbersFailed, saveFailed } from './setting-words.ts';
import {
  preferencesRead,
  settingsRead,
  useSettingsSave,
  useVersionedSettings,
  type VersionedSettings,
} from './settings-api.ts';

export type SettingsForm = {
  values: Settings;
  set: <Name extends keyof Settings>(name: Name, value: Settings[Name]) => void;
  /** Numbers that differ from the saved ones. They are preferences. */
  entered: EnteredNumbers;
  enter: (name: NumberName, number: EnteredNumber | undefined) => void;
  /** Set until the field of the wrong number has taken the focus. */
  wrongNumber: NumberName | null;
  onWrongNumberFocused: () => void;
};

/** Covers all tabs, with one save. */
export type SettingsEdit = {
  form: SettingsForm;
  isDirty: boolean;
  isSaving: boolean;
  /** Asking whether new files are pushed without a review. */
  isAsking: boolean;
  /** Settings that another user has saved meanwhile. */
  conflict: VersionedSettings | null;
  save: () => void;
  confirm: () => void;
  stopAsking: () => void;
  discard: () => void;
  /** After a conflict: saves the edits over the saved settings, or discards them. */
  saveMine: () => void;
  useTheirs: () => void;
};

/** Calls `onWrongNumber` instead of saving a wrong number. */
export function useSettingsForm(onWrongNumber: () => void): {
  query: ReturnType<typeof useVersionedSettings>;
  edit: SettingsEdit;
} {
  const query = useVersionedSettings();
  const client = useQueryClient();
  const toast = useToast();
  const mutation = useSettingsSave();
  const draft = useDraft<VersionedSettings, Edited>({
    ...draftRules,
    read: query.data,
    isSaving: mutation.isPending,
  });
  const { base, edited, conflict, take } = draft;
  const { values } = edited;
  const [isAsking, setIsAsking] = useState(false);
  const [wrongNumber, setWrongNumber] = useState<NumberName | null>(null);
  const numbers = numbersOf(edited);

  const onError = async (error: Error) => {
    toast(saveFailed(error));
    if (!(error instanceof CallError) || error.status !== 409) return;
    draft.setConflict(await client.fetchQuery({ ...settingsRead(), staleTime: 0 }));
  };
  const saveOver = (version: string | null) =>
    mutation.mutate(
      { settings: values, version, after: numbers },
      {
        onSuccess: ({ saved, failure }) => {
          if (failure !== null) {
            draft.rebase(saved);
            toast(numbersFailed(failure));
            return;
          }
          draft.keep(saved, edited);
          toast({ title: 'Settings Updated', text: 'Your settings have been saved successfully' });
        },
        onError,
      },
    );
  const save = () => {
    const wrong = numbers.find(({ error }) => error !== null);
    if (wrong) {
      toast(saveFailed(new Error(`${wrong.label}: ${wrong.error}`)));
      setWrongNumber(wrong.name);
      onWrongNumber();
    } else if (beginsFullAuto(values, base)) setIsAsking(true);
    else saveOver(base?.version ?? null);
  };
  return {
    query,
    edit: {
      form: { ...formOf(draft), wrongNumber, onWrongNumberFocused: () => setWrongNumber(null) },
      isDirty: draft.isDirty,
      isSaving: mutation.isPending,
      conflict,
      isAsking,
      save,
      confirm: () => saveOver(base?.version ?? null),
      stopAsking: () => setIsAsking(false),
      discard: () => take(query.data ?? base ?? { settings: settingsDefault, version: null }),
      saveMine: () => saveOver(conflict?.version ?? null),
      useTheirs: () => conflict && take(conflict),
    },
  };
}

const formOf = ({ edited, edit }: Draft<VersionedSettings, Edited>) => ({
  ...edited,
  set: <Name extends keyof Settings>(name: Name, value: Settings[Name]) =>
    edit((now) => ({ ...now, values: { ...now.values, [name]: value } })),
  enter: (name: NumberName, number: EnteredNumber | undefined) =>
    edit(({ entered: { [name]: _before, ...others }, ...now }) => ({
      ...now,
      entered: number === undefined ? others : { ...others, [name]: number },
    })),
});

type Edited = { values: Settings; entered: EnteredNumbers };

const draftRules = {
  empty: { values: settingsDefault, entered: {} },
  editedOf: ({ settings }: VersionedSettings) => ({ values: settings, entered: {} }),
  isSame: (edited: Edited, { settings }: VersionedSettings) =>
    numbersOf(edited).length === 0 && changedNames(edited.values, settings).length === 0,
};

/** Without full auto the numbers are hidden and not saved. */
const numbersOf = ({ values, entered }: Edited) =>
  values.autoProcessMode === 'full-auto' ? Object.values(entered) : [];

const beginsFullAuto = (values: Settings, base: VersionedSettings | null): boolean =>
  values.autoProcessMode === 'full-auto' && base?.settings.autoProcessMode !== 'full-auto';

export type NumberName = keyof typeof autoPushRanges;

export const numberNames = Object.keys(autoPushRanges) as NumberName[];

export const numberLabels: Record<NumberName, string> = {
  autoPushDelayMinutes: 'Wait before a push (minutes)',
  autoPushMax: 'Largest import to push (products)',
};

/** `error`: reason why it cannot be saved. */
export type EnteredNumber = {
  name: NumberName;
  label: string;
  text: string;
  error: string | null;
  save: () => Promise<void>;
};

export type EnteredNumbers = Partial<Record<NumberName, EnteredNumber>>;

/** Digits, also with separators before groups of three: '2500', '2,500', '2 500'. */
const wholeNumber = /^(?:\d+|\d{1,3}(?:[\s,]\d{3})+)$/;

/** Null: no whole number, or out of range. */
export function numberIn(name: NumberName, text: string): number | null {
  const { min, max } = autoPushRanges[name];
  const typed = text.trim();
  const number = wholeNumber.test(typed) ? Number(typed.replaceAll(/\D/g, '')) : -1;
  return number >= min && number <= max ? number : null;
}

const units: Record<NumberName, string> = { autoPushDelayMinutes: 'minutes', autoPushMax: 'products' };

/** 'from 0 to 1,440 minutes' */
export const rangeWords = (name: NumberName): string =>
  `from ${formatCount(autoPushRanges[name].min)} to ${formatCount(autoPushRanges[name].max)} ${units[name]}`;

/** Undefined: equals the saved number. */
export function enteredNumber(
  client: QueryClient,
  name: NumberName,
  text: string,
  saved: Preferences,
): EnteredNumber | undefined {
  const number = numberIn(name, text);
  if (number === saved[name]) return undefined;
  const error = number === null ? `Enter a whole number ${rangeWords(name)}.` : null;
  const save = () => saveNumber(client, { [name]: number ?? saved[name] });
  return { name, label: numberLabels[name], text, error, save };
}

async function saveNumber(client: QueryClient, body: Partial<Preferences>): Promise<void> {
  client.setQueryData(preferencesRead().queryKey, await call('savePreferences', { body }));
}
