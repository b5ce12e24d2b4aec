import { batchSizes } from '@draftshelf/domain/access/settings';
import { Select, Stack } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { BodyText } from '../../ui/basics.tsx';
import { Setting } from '../../ui/form.tsx';
import { HelpTip } from '../../ui/hint.tsx';
import { LookBadge } from '../import/index.ts';
import { SettingSwitch } from './setting-switch.tsx';
import { type SettingsForm, settingLabels } from './use-settings-form.ts';

type GeneralTabProps = { form: SettingsForm; onSubmit: (event: FormEvent) => void };

export function GeneralTab({ form, onSubmit }: GeneralTabProps) {
  const { draftMode, batchSize } = form.values;
  return (
    <Stack
      component="form"
      className="panel"
      px={{ base: 'sm', sm: 'md' }}
      py={4}
      gap={0}
      onSubmit={onSubmit}
    >
      <SettingSwitch form={form} name="draftMode">
        <LookBadge
          look={safetyLooks[draftMode ? 'safe' : 'live']}
          word={draftMode ? 'Protected' : 'Live Upload'}
        />
        <HelpTip topic="draft mode" />
      </SettingSwitch>
      {!draftMode && (
        <BodyText pb="sm" className="warning" role="status">
          Products whose status is Active go live on push.
        </BodyText>
      )}
      <SettingSwitch form={form} name="aiValidation">
        <HelpTip topic="AI validation" />
      </SettingSwitch>
      <SettingSwitch form={form} name="upcLookup">
        <HelpTip topic="UPC lookup" />
      </SettingSwitch>
      <Setting>
        <Select
          label={settingLabels.batchSize}
          description="How many products are sent to the store at a time, from the next push on. A batch has at most 25 products, so 50 and 100 act as 25."
          data={batchSizes}
          value={batchSize}
          onChange={(size) => size !== null && form.set('batchSize', size)}
        />
      </Setting>
      <SettingSwitch form={form} name="autoRetry" />
    </Stack>
  );
}

const safetyLooks = {
  safe: { icon: IconShieldCheck, color: 'green', variant: 'light' },
  live: { icon: IconAlertTriangle, color: 'yellow', variant: 'light' },
} as const;
