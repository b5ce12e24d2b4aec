import { batchSizes } from '@draftshelf/domain/access/settings';
import { Group, Select, Stack, Switch } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useId } from 'react';
import { BodyText, SmallText } from '../../ui/basics.tsx';
import { HelpTip, type HelpTopic } from '../../ui/hint.tsx';
import classes from '../../ui/sections.module.css';
import { LookBadge } from '../import/index.ts';
import { type SettingsForm, settingLabels } from './use-settings-form.ts';

type GeneralTabProps = { form: SettingsForm; onSubmit: (event: FormEvent) => void };

export function GeneralTab({ form, onSubmit }: GeneralTabProps) {
  const { draftMode, batchSize } = form.values;
  return (
    <Stack component="form" gap="lg" onSubmit={onSubmit}>
      <Stack gap={4}>
        <Choice
          form={form}
          name="draftMode"
          topic="draft mode"
          description="Always create products as drafts, even if a row says otherwise. Applies from the next push."
        >
          <LookBadge
            look={safetyLooks[draftMode ? 'safe' : 'live']}
            word={draftMode ? 'Protected' : 'Live Upload'}
          />
        </Choice>
        {!draftMode && (
          <BodyText c="var(--text-warning)" role="status">
            Products go live on push if their status says so.
          </BodyText>
        )}
      </Stack>
      <Choice
        form={form}
        name="aiValidation"
        topic="AI validation"
        description="The default for new uploads. Each upload can change it."
      />
      <Choice
        form={form}
        name="upcLookup"
        topic="UPC lookup"
        description="The default for new uploads. Each upload can change it."
      />
      <Select
        label={settingLabels.batchSize}
        description="How many products are sent to the store at a time, from the next push on. A batch has at most 25 products, so 50 and 100 act as 25."
        w={{ base: '100%', sm: 300 }}
        data={batchSizes}
        value={batchSize}
        onChange={(size) => size !== null && form.set('batchSize', size)}
      />
      <Choice
        form={form}
        name="autoRetry"
        description="Retries a failed import after 5, 15 and 45 minutes. Short interruptions are always retried."
      />
    </Stack>
  );
}

type ChoiceProps = {
  form: SettingsForm;
  name: 'draftMode' | 'aiValidation' | 'upcLookup' | 'autoRetry';
  description: string;
  topic?: HelpTopic;
  children?: ReactNode;
};

/** The description has its own line, so that it does not separate the parts of the label. */
function Choice({ form, name, description, topic, children }: ChoiceProps) {
  const described = useId();
  return (
    <div>
      <Group gap="xs">
        <Switch
          label={settingLabels[name]}
          aria-describedby={described}
          checked={form.values[name]}
          onChange={(event) => form.set(name, event.currentTarget.checked)}
        />
        {children}
        {topic !== undefined && <HelpTip topic={topic} />}
      </Group>
      <SmallText id={described} className={classes.description ?? ''}>
        {description}
      </SmallText>
    </div>
  );
}

const safetyLooks = {
  safe: { icon: IconShieldCheck, color: 'green', variant: 'light' },
  live: { icon: IconAlertTriangle, color: 'yellow', variant: 'light' },
} as const;
