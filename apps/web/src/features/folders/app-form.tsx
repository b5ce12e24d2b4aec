import { Group, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import classes from './folders.module.css';

type App = {
  tenant: string;
  clientId: string;
  clientSecret: string;
  drive: { user: string } | { site: string };
};

/** The entered fields except the secret, which is not kept. */
export const noFields = { tenant: '', clientId: '', drive: '', kind: 'user' as 'user' | 'site' };
export type AppFields = typeof noFields;
type FieldName = 'tenant' | 'clientId' | 'clientSecret' | 'drive';

const required: Record<FieldName, string> = {
  tenant: 'Enter the directory (tenant) ID.',
  clientId: 'Enter the application (client) ID.',
  clientSecret: 'Enter the client secret.',
  drive: 'Enter whose drive it is.',
};

type AppFormProps = {
  fields: AppFields;
  onChange: (fields: AppFields) => void;
  isBusy: boolean;
  onEntered: (app: App) => void;
};

/** What the form's fields have in common, and what happens when the form is sent. */
function useAppForm({ fields, onChange, onEntered }: Omit<AppFormProps, 'isBusy'>) {
  const [clientSecret, setClientSecret] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const { kind, ...texts } = fields;
  const entered: Record<FieldName, string> = { ...texts, clientSecret };
  const isMissing = (name: FieldName) => entered[name].trim() === '';
  const sentenceOf = (name: FieldName) =>
    name === 'drive' && kind === 'site' ? 'Enter the address of the site.' : required[name];
  const field = (name: FieldName) => ({
    value: entered[name],
    error: isChecked && isMissing(name) ? sentenceOf(name) : undefined,
    maxLength: name === 'clientSecret' ? 500 : 400,
    autoComplete: 'off',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      name === 'clientSecret' ? setClientSecret(value) : onChange({ ...fields, [name]: value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (Object.values(entered).some((value) => value.trim() === '')) return;
    const { drive, ...app } = entered;
    onEntered({ ...app, drive: kind === 'user' ? { user: drive } : { site: drive } });
  };
  return { field, submit };
}

/** An app registration with a secret. It survives changes of passwords, and an administrator allows it once. */
export function AppForm({ fields, onChange, isBusy, onEntered }: AppFormProps) {
  const { field, submit } = useAppForm({ fields, onChange, onEntered });
  const { kind } = fields;
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
          onChange={(chosen) => onChange({ ...fields, kind: chosen === 'site' ? 'site' : 'user' })}
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
