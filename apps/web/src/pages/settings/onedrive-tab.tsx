import { autoProcessModes, watchFrequencies } from '@draftshelf/domain/settings';
import { Badge, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { frequencyWords, modeWords, settingLabels } from './setting-words.ts';
import type { SettingsForm } from './use-settings-form.ts';

/** The watched folder. Its settings can be prepared before it is connected. */
export function OneDriveTab({ form }: { form: SettingsForm }) {
  const [asked, setAsked] = useState(false);
  const { oneDriveFolder, watchFrequency, autoProcessMode } = form.values;
  const choice = (
    name: 'oneDriveEnabled' | 'deleteAfterProcess' | 'moveToArchive' | 'notifyOnCompletion',
  ) => (
    <Switch
      key={name}
      label={settingLabels[name]}
      checked={form.values[name]}
      onChange={(event) => form.set(name, event.currentTarget.checked)}
    />
  );
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Group gap="sm">
          <Badge
            color="yellow"
            variant="light"
            tt="none"
            leftSection={<IconPlugConnectedX size={14} aria-hidden />}
          >
            Setup Required
          </Badge>
          <Button variant="default" onClick={() => setAsked(true)}>
            Configure
          </Button>
        </Group>
        <Text size="sm" role="status">
          {asked
            ? 'OneDrive can’t be connected in this version. These settings are kept for when it can.'
            : 'Nothing is watched until OneDrive is connected.'}
        </Text>
      </Stack>
      {choice('oneDriveEnabled')}
      <TextInput
        label={settingLabels.oneDriveFolder}
        placeholder="/SCD CSV Processing"
        maxLength={1000}
        value={oneDriveFolder}
        onChange={(event) => form.set('oneDriveFolder', event.currentTarget.value)}
      />
      <Select
        label={settingLabels.watchFrequency}
        data={watchFrequencies.map((value) => ({ value, label: frequencyWords(value) }))}
        value={watchFrequency}
        onChange={(chosen) => {
          const frequency = watchFrequencies.find((one) => one === chosen);
          if (frequency !== undefined) form.set('watchFrequency', frequency);
        }}
      />
      <Select
        label={settingLabels.autoProcessMode}
        description={modeWords[autoProcessMode].meaning}
        data={autoProcessModes.map((value) => ({ value, label: modeWords[value].label }))}
        value={autoProcessMode}
        onChange={(chosen) => {
          const mode = autoProcessModes.find((one) => one === chosen);
          if (mode !== undefined) form.set('autoProcessMode', mode);
        }}
      />
      {(['deleteAfterProcess', 'moveToArchive', 'notifyOnCompletion'] as const).map(choice)}
    </Stack>
  );
}
