import { Group, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import classes from './folders.module.css';

type App = {
  tenant: string;
  clientId: string;
  clientSecret: string;
  drive: { user: string } | { site: string };
};

const none = { tenant: '', clientId: '', clientSecret: '', drive: '' };
type Entered = typeof none;

const required: Record<keyof Entered, string> = {
  tenant: 'Enter the directory (tenant) ID.',
  clientId: 'Enter the application (client) ID.',
  clientSecret: 'Enter the client secret.',
  drive: 'Enter whose drive it is.',
};

/** An app registration with a secret. It survives changes of passwords, and an administrator allows it once. */
export function AppForm({ isBusy, onEntered }: { isBusy: boolean; onEntered: (app: App) => void }) {
  const [entered, setEntered] = useState(none);
  const [kind, setKind] = useState<'user' | 'site'>('user');
  const [isChecked, setIsChecked] = useState(false);
  const field = (name: keyof Entered) => ({
    value: entered[name],
    error: isChecked && entered[name].trim() === '' ? required[name] : undefined,
    maxLength: name === 'clientSecret' ? 500 : 400,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      setEntered({ ...entered, [name]: event.currentTarget.value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (Object.values(entered).some((value) => value.trim() === '')) return;
    const { drive, ...app } = entered;
    onEntered({ ...app, drive: kind === 'user' ? { user: drive } : { site: drive } });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm">
          An administrator allows the app once; docs/ONEDRIVE.md has the steps. The secret is sealed and never
          shown again.
        </Text>
        <TextInput label="Directory (tenant) ID" {...field('tenant')} />
        <TextInput label="Application (client) ID" {...field('clientId')} />
        <PasswordInput label="Client secret" {...field('clientSecret')} />
        <SegmentedControl
          aria-label="Whose drive"
          data={[
            { value: 'user', label: 'Drive of a user' },
            { value: 'site', label: 'SharePoint site' },
          ]}
          value={kind}
          onChange={(chosen) => setKind(chosen === 'site' ? 'site' : 'user')}
        />
        <TextInput
          label={kind === 'user' ? 'The user’s email address' : 'Address of the site'}
          placeholder={kind === 'user' ? 'ada@example.com' : 'https://example.sharepoint.com/sites/prices'}
          {...field('drive')}
        />
        <Group className={classes.actions}>
          <Button type="submit" loading={isBusy}>
            Connect
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
