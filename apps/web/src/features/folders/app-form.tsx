import { enteredCharsMax, registrationCharsMax } from '@draftshelf/contract/wire';
import { Text } from '@mantine/core';
import { choice, Form, type FormState, Inputs, SubmitRow, secret, text } from '../../ui/form.tsx';
import classes from './folders.module.css';

const isOfSite = ({ kind }: Record<string, string | number>) => kind === 'site';

/** The registration of an app, and whose drive it reads. */
export const appFields = {
  tenant: text({
    label: 'Directory (tenant) ID',
    charsMax: registrationCharsMax,
    missing: 'Enter the directory (tenant) ID.',
  }),
  clientId: text({
    label: 'Application (client) ID',
    charsMax: registrationCharsMax,
    missing: 'Enter the application (client) ID.',
  }),
  clientSecret: secret({
    label: 'Client secret',
    charsMax: enteredCharsMax,
    missing: 'Enter the client secret.',
  }),
  kind: choice({
    label: 'Whose drive',
    options: { user: 'Drive of a user', site: 'SharePoint site' },
  }),
  user: text({
    label: 'The user’s email address',
    placeholder: 'ada@example.com',
    charsMax: registrationCharsMax,
    missing: 'Enter whose drive it is.',
    isIn: (entered) => !isOfSite(entered),
  }),
  site: text({
    label: 'Address of the site',
    placeholder: 'https://example.sharepoint.com/sites/prices',
    charsMax: registrationCharsMax,
    missing: 'Enter the address of the site.',
    isIn: isOfSite,
  }),
};

export const noApp = { tenant: '', clientId: '', clientSecret: '', kind: 'user', user: '', site: '' };

type App = {
  tenant: string;
  clientId: string;
  clientSecret: string;
  drive: { user: string } | { site: string };
};

type AppFormProps = {
  form: FormState<typeof appFields>;
  isBusy: boolean;
  onEntered: (app: App) => void;
};

/** An app registration with a secret. It survives changes of passwords, and an administrator allows it once. */
export function AppForm({ form, isBusy, onEntered }: AppFormProps) {
  return (
    <Form
      form={form}
      onSave={({ kind, user, site, ...app }) =>
        onEntered({ ...app, drive: kind === 'user' ? { user } : { site } })
      }
    >
      <Text size="sm">
        An administrator allows the app once; docs/ONEDRIVE.md has the steps. The secret is sealed and never
        shown again.
      </Text>
      <Inputs form={form} />
      <SubmitRow label="Connect" isSaving={isBusy} isPrimary className={classes.actions} />
    </Form>
  );
}
