import { batchSizes, type Settings } from '@draftshelf/domain/settings';
import { Badge, Button, Group, Select, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useSettings, useSettingsSave } from '../../api/settings.ts';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { useToast } from '../../components/feedback/toast.tsx';
import { HelpTip } from '../../components/help/help-tip.tsx';
import { RememberedMappings } from './remembered-mappings.tsx';

type General = Pick<Settings, 'draftMode' | 'aiValidation' | 'upcLookup' | 'batchSize' | 'autoRetry'>;

/** The general settings. Changes are saved on request. */
export function GeneralTab() {
  const settings = useSettings();
  if (settings.isError) {
    return (
      <ErrorPanel title="Couldn’t load settings." cause={settings.error.message}>
        <Button onClick={() => settings.refetch()}>Try Again</Button>
      </ErrorPanel>
    );
  }
  if (settings.data === undefined) return <Skeleton height={260} maw="var(--form-width-max)" />;
  const { draftMode, aiValidation, upcLookup, batchSize, autoRetry } = settings.data;
  return (
    <Stack gap="xl">
      <GeneralForm initial={{ draftMode, aiValidation, upcLookup, batchSize, autoRetry }} />
      <RememberedMappings />
    </Stack>
  );
}

function GeneralForm({ initial }: { initial: General }) {
  const form = useForm<General>({ initialValues: initial });
  const save = useSettingsSave();
  const toast = useToast();
  const submit = form.onSubmit((values) =>
    save.mutate(values, {
      onSuccess: () =>
        toast({ title: 'Settings Updated', text: 'Your settings have been saved successfully' }),
      onError: (error) =>
        toast({
          title: 'Update Failed',
          text: error.message || 'Failed to update settings',
          tone: 'failure',
        }),
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack gap="lg" maw="var(--form-width-max)">
        <SafeMode form={form} />
        <Group gap={4}>
          <Switch
            label="AI Validation & Enhancement"
            {...form.getInputProps('aiValidation', { type: 'checkbox' })}
          />
          <HelpTip topic="AI validation" />
        </Group>
        <Group gap={4}>
          <Switch label="UPC Image Lookup" {...form.getInputProps('upcLookup', { type: 'checkbox' })} />
          <HelpTip topic="UPC lookup" />
        </Group>
        <Select
          label="Batch Size"
          description="How many products are sent to the store at a time. A batch has at most 25 products, so 50 and 100 act as 25."
          w={300}
          data={batchSizes.map(String)}
          value={String(form.values.batchSize)}
          onChange={(chosen) => {
            const batchSize = batchSizes.find((size) => String(size) === chosen);
            if (batchSize !== undefined) form.setFieldValue('batchSize', batchSize);
          }}
        />
        <Switch
          label="Auto-retry Failed Items"
          description="Not active yet. Temporary failures are always retried; use Retry in the queue for the rest."
          {...form.getInputProps('autoRetry', { type: 'checkbox' })}
        />
        <Group gap="sm">
          <Button type="submit" disabled={save.isPending}>
            {save.isPending ? 'Saving...' : 'Save Settings'}
          </Button>
          {form.isDirty() && (
            <Text size="sm" c="dimmed">
              Unsaved changes
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function SafeMode({ form }: { form: ReturnType<typeof useForm<General>> }) {
  const { draftMode } = form.values;
  return (
    <Group justify="space-between" align="flex-start">
      <Group gap={4} wrap="nowrap">
        <Switch
          label="Safe Mode (Draft Only)"
          description="Always create products as drafts, even if a row says otherwise."
          {...form.getInputProps('draftMode', { type: 'checkbox' })}
        />
        <HelpTip topic="draft mode" />
      </Group>
      <Badge
        color={draftMode ? 'green' : 'yellow'}
        variant="light"
        tt="none"
        leftSection={
          draftMode ? <IconShieldCheck size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />
        }
      >
        {draftMode ? 'Protected' : 'Live Upload'}
      </Badge>
    </Group>
  );
}
