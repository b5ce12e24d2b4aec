import { type Settings, settingsDefault } from '@draftshelf/domain/settings';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call.ts';
import {
  settingsRead,
  useSettingsSave,
  useVersionedSettings,
  type VersionedSettings,
} from '../../api/settings.ts';
import { useToast } from '../../components/feedback/toast.tsx';
import { saveFailed } from './setting-words.ts';

export type SettingsForm = ReturnType<typeof useForm<Settings>>;

/** The settings as they are edited, over all tabs, with one save. */
export type SettingsEdit = {
  form: SettingsForm;
  isDirty: boolean;
  isSaving: boolean;
  /** What somebody else saved meanwhile; null while nobody did. */
  conflict: VersionedSettings | null;
  save: () => void;
  discard: () => void;
  /** After a conflict: saves the edited settings over the others, or takes the others. */
  saveMine: () => void;
  useTheirs: () => void;
};

/** Edits the settings locally and saves them on request. */
export function useSettingsForm(): { query: ReturnType<typeof useVersionedSettings>; edit: SettingsEdit } {
  const query = useVersionedSettings();
  const client = useQueryClient();
  const toast = useToast();
  const mutation = useSettingsSave();
  const form = useForm<Settings>({ initialValues: settingsDefault });
  const [base, setBase] = useState<VersionedSettings | null>(null);
  const [conflict, setConflict] = useState<VersionedSettings | null>(null);
  const take = (read: VersionedSettings) => {
    setBase(read);
    setConflict(null);
    form.setInitialValues(read.settings);
    form.setValues(read.settings);
    form.resetDirty(read.settings);
  };
  const isDirty = base !== null && form.isDirty();
  // Values that are being edited stay; a save then finds the conflict.
  if (query.data !== undefined && query.data !== base && !isDirty && !mutation.isPending) take(query.data);

  const onError = async (error: Error) => {
    toast(saveFailed(error));
    if (!(error instanceof CallError) || error.status !== 409) return;
    setConflict(await client.fetchQuery({ ...settingsRead(), staleTime: 0 }));
  };
  const saveOver = (version: string | null) =>
    mutation.mutate(
      { settings: form.getValues(), version },
      {
        onSuccess: (saved) => {
          take(saved);
          toast({ title: 'Settings Updated', text: 'Your settings have been saved successfully' });
        },
        onError,
      },
    );
  return {
    query,
    edit: {
      form,
      isDirty,
      isSaving: mutation.isPending,
      conflict,
      save: () => saveOver(base?.version ?? null),
      discard: () => take(query.data ?? base ?? { settings: settingsDefault, version: null }),
      saveMine: () => saveOver(conflict?.version ?? null),
      useTheirs: () => conflict && take(conflict),
    },
  };
}
