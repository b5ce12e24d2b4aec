import { dialogName } from '@draftshelf/domain/base/field-look';
import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Button } from '../../../ui/button.tsx';
import classes from './product-dialog.module.css';
import { type DialogField, isDialogField } from './product-draft.ts';
import type { ProductForm } from './use-product-form.ts';

/** The fields that were changed elsewhere since the dialog was opened, with both values to choose from. */
export function ConflictPanel({ form }: { form: ProductForm }) {
  const fields = Object.entries(form.theirs);
  if (fields.length === 0) return null;
  return (
    <Alert
      role="alert"
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title="This product was changed after you opened it"
    >
      <Text size="sm">Nothing was saved yet. Choose which values to keep, then save.</Text>
      {fields.map(([field, theirs]) => {
        const label = isDialogField(field) ? dialogName(field) : field;
        const mine = form.shown(field as DialogField);
        return (
          <fieldset key={field} className={classes.conflict} aria-label={`Conflict: ${label}`}>
            <Text size="sm" fw={550}>
              {label}
            </Text>
            <dl>
              <dt className="quiet">Yours</dt>
              <dd className="flush break-words" dir="auto">
                {mine === '' ? 'Empty' : mine}
              </dd>
              <dt className="quiet">Saved meanwhile</dt>
              <dd className="flush break-words" dir="auto">
                {theirs === null || theirs === '' ? 'Empty' : theirs}
              </dd>
            </dl>
            <Group gap="xs">
              <Button size="compact-sm" variant="default" onClick={() => form.keepMine(field)}>
                Keep Mine
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => form.takeTheirs(field)}>
                Use Saved Value
              </Button>
            </Group>
          </fieldset>
        );
      })}
    </Alert>
  );
}
