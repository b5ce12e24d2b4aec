import { batchSizes } from '@draftshelf/domain/settings';
import { Badge, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { HelpTip } from '../../components/help/help-tip.tsx';
import { settingLabels } from './setting-words.ts';
import type { SettingsForm } from './use-settings-form.ts';

/** The general settings. */
export function GeneralTab({ form }: { form: SettingsForm }) {
  const { draftMode, batchSize } = form.values;
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Group gap="xs">
          <Switch
            label={settingLabels.draftMode}
            description="Always create products as drafts, even if a row says otherwise. Applies from the next push."
            {...form.getInputProps('draftMode', { type: 'checkbox' })}
          />
          <SafetyBadge safe={draftMode} />
          <HelpTip topic="draft mode" />
        </Group>
        {!draftMode && (
          <Text size="sm" c="var(--text-warning)" role="status">
            Products go live on push if their status says so.
          </Text>
        )}
      </Stack>
      <Group gap={4}>
        <Switch
          label={settingLabels.aiValidation}
          description="The default of the switch on Upload CSV."
          {...form.getInputProps('aiValidation', { type: 'checkbox' })}
        />
        <HelpTip topic="AI validation" />
      </Group>
      <Group gap={4}>
        <Switch
          label={settingLabels.upcLookup}
          description="The default of the switch on Upload CSV."
          {...form.getInputProps('upcLookup', { type: 'checkbox' })}
        />
        <HelpTip topic="UPC lookup" />
      </Group>
      <Select
        label={settingLabels.batchSize}
        description="How many products are sent to the store at a time, from the next push on. A batch has at most 25 products, so 50 and 100 act as 25."
        w={300}
        maw="100%"
        data={batchSizes.map(String)}
        value={String(batchSize)}
        onChange={(chosen) => {
          const size = batchSizes.find((one) => String(one) === chosen);
          if (size !== undefined) form.setFieldValue('batchSize', size);
        }}
      />
      <Switch
        label={settingLabels.autoRetry}
        description="Retries an import whose work failed repeatedly after 5, 15 and 45 minutes. Short interruptions are always retried."
        {...form.getInputProps('autoRetry', { type: 'checkbox' })}
      />
    </Stack>
  );
}

function SafetyBadge({ safe }: { safe: boolean }) {
  const Icon = safe ? IconShieldCheck : IconAlertTriangle;
  return (
    <Badge
      color={safe ? 'green' : 'yellow'}
      variant="light"
      tt="none"
      leftSection={<Icon size={14} aria-hidden />}
    >
      {safe ? 'Protected' : 'Live Upload'}
    </Badge>
  );
}
