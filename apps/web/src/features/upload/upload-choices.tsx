import { switchSentence } from '@draftshelf/domain/enrich/ai/privacy-text';
import { Group, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readOf } from '../../api/read.ts';
import { HelpTip, type HelpTopic } from '../../ui/hint.tsx';
import { QuietText } from '../../ui/text.tsx';
import { useSettings } from '../settings/index.ts';
import classes from './upload.module.css';

/** Start with the values in Settings and apply to one upload. */
export function useUploadChoices() {
  const settings = useSettings().data;
  const [upc, setUpc] = useState<boolean | null>(null);
  const [ai, setAi] = useState<boolean | null>(null);
  return {
    upc: settings?.upcLookup === false ? false : (upc ?? true),
    upcOff: settings?.upcLookup === false ? 'UPC image lookup is off in Settings.' : null,
    ai: ai ?? settings?.aiValidation ?? true,
    setUpc,
    setAi,
  };
}

const noteOf = (isSetUp: boolean, isOn: boolean) =>
  isSetUp && !isOn ? 'While this is off, AI can’t be asked about this file.' : switchSentence(isSetUp);

export function UploadChoices({ choices }: { choices: ReturnType<typeof useUploadChoices> }) {
  const { data: ai } = useQuery(readOf('readAi'));
  return (
    <Stack gap="sm">
      <Choice
        label="UPC Image Lookup"
        topic="UPC lookup"
        checked={choices.upc}
        off={choices.upcOff}
        onChange={choices.setUpc}
      />
      <Choice
        label="AI Validation & Enhancement"
        topic="AI validation"
        checked={choices.ai}
        note={ai === undefined ? '' : noteOf(ai.configured, choices.ai)}
        onChange={choices.setAi}
      />
      <QuietText>Applies to this upload only. Defaults come from Settings.</QuietText>
    </Stack>
  );
}

type ChoiceProps = {
  label: string;
  topic: HelpTopic;
  checked: boolean;
  /** Null: it can be switched on. */
  off?: string | null;
  /** Empty: its place is kept until it is known. */
  note?: string;
  onChange: (checked: boolean) => void;
};

const Choice = ({ label, topic, checked, off = null, note, onChange }: ChoiceProps) => (
  <Group gap={4} wrap="nowrap">
    <Switch
      label={label}
      checked={checked}
      disabled={off !== null}
      description={off ?? (note !== undefined && <span className={`${classes.note} block`}>{note}</span>)}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <HelpTip topic={topic} />
  </Group>
);
