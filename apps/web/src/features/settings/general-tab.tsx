import { batchSizes } from '@draftshelf/domain/access/settings';
import { Badge, Group, Select, Stack, Switch } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { PlainButton } from '../../ui/button.tsx';
import { HelpTip, type HelpTopic } from '../../ui/hint.tsx';
import { overlay } from '../../ui/later.tsx';
import classes from '../../ui/sections.module.css';
import { BodyText, SmallText } from '../../ui/text.tsx';
import { AiFold } from './ai-fold.tsx';
import { settingLabels } from './setting-words.ts';
import type { SettingsForm } from './use-settings-form.ts';

const RulesEditor = overlay(() => import('../rules/rules-editor.tsx').then((chunk) => chunk.RulesEditor));

type GeneralTabProps = {
  form: SettingsForm;
  onSubmit: (event: FormEvent) => void;
  onRulesDirty: (isDirty: boolean) => void;
};

/** The AI service has its own forms, so it is inside none. */
export function GeneralTab({ form, onSubmit, onRulesDirty }: GeneralTabProps) {
  const { draftMode, batchSize } = form.values;
  const [areRulesOpen, setRulesOpen] = useState(false);
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Stack component="form" gap="lg" onSubmit={onSubmit}>
          <Stack gap={4}>
            <Choice
              form={form}
              name="draftMode"
              topic="draft mode"
              description="Always create products as drafts, even if a row says otherwise. Applies from the next push."
            >
              <SafetyBadge safe={draftMode} />
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
        </Stack>
        <AiFold />
      </Stack>
      <Stack component="form" gap="lg" onSubmit={onSubmit}>
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
          data={batchSizes.map(String)}
          value={String(batchSize)}
          onChange={(choice) => {
            const size = batchSizes.find((count) => String(count) === choice);
            if (size !== undefined) form.set('batchSize', size);
          }}
        />
        <Choice
          form={form}
          name="autoRetry"
          description="Retries a failed import after 5, 15 and 45 minutes. Short interruptions are always retried."
        />
        <div>
          <PlainButton onClick={() => setRulesOpen(true)}>Edit Rules</PlainButton>
          <RulesEditor opened={areRulesOpen} onClose={() => setRulesOpen(false)} onDirty={onRulesDirty} />
        </div>
      </Stack>
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

/** The description has its own line, so that the parts of the label stand beside it. */
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
