import { fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import {
  type CategoryRule,
  ruleCollectionsMax,
  ruleConditionsMax,
  ruleModes,
  ruleTagsMax,
  type TextField,
  textFields,
  textTests,
} from '@draftshelf/domain/enrich/rules/category-rule';
import { Group, MultiSelect, NumberInput, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { BodyText, Button, IconButton, PlainButton } from '../../ui/basics.tsx';
import { PlainHintedButton } from '../../ui/hint.tsx';
import { EditorBody, EditorFooter } from '../../ui/overlays.tsx';
import classes from '../../ui/sections.module.css';
import { useCollections } from '../store/index.ts';
import {
  type ConditionDraft,
  conditionId,
  fieldIds,
  listOfferedCollections,
  type RuleDraft,
  type RuleProblem,
  ruleModeLabels,
  ruleProblem,
  type TextCondition,
  toRule,
} from './rule-draft.ts';

type RuleFormProps = {
  rule: RuleDraft;
  isNew: boolean;
  onChange: (rule: RuleDraft) => void;
  onDone: (rule: CategoryRule) => void;
  onCancel: () => void;
};

export function RuleForm({ rule, isNew, onChange, onDone, onCancel }: RuleFormProps) {
  const [problem, setProblem] = useState<RuleProblem | null>(null);
  const inStore = useCollections();
  const offered = listOfferedCollections((inStore.data ?? []).map(({ title }) => title));
  const chosen = rule.set.collections ?? [];
  const setRule = (changed: RuleDraft) => {
    onChange(changed);
    setProblem(null);
  };
  const done = () => {
    const entered = toRule(rule);
    const mistake = ruleProblem(entered);
    setProblem(mistake);
    if (mistake === null) onDone(entered);
    else document.getElementById(mistake.field)?.focus();
  };
  /** `error` is true if the operator has to change this input. */
  const mark: Mark = (id) => ({ id, error: problem?.field === id });
  const set = (values: CategoryRule['set']) => setRule({ ...rule, set: { ...rule.set, ...values } });
  return (
    <>
      <EditorBody>
        <Stack gap="md">
          <TextInput
            {...mark(fieldIds.name)}
            label="Name"
            data-autofocus
            autoFocus
            maxLength={100}
            value={rule.name}
            onChange={(event) => setRule({ ...rule, name: event.currentTarget.value })}
          />
          <Conditions all={rule.if.all} mark={mark} onChange={(all) => setRule({ ...rule, if: { all } })} />
          <TextInput
            {...mark(fieldIds.type)}
            label="Type"
            description="Set where the product has none. Without a rule, “Home Goods” is sent."
            maxLength={255}
            value={rule.set.type ?? ''}
            onChange={(event) => setRule(withType(rule, event.currentTarget.value))}
          />
          <MultiSelect
            {...mark(fieldIds.collections)}
            label="Collections"
            description="Collections of your store that products are added to by hand."
            data={[...new Set([...offered, ...chosen])]}
            value={chosen}
            maxValues={ruleCollectionsMax}
            searchable
            limit={200}
            nothingFoundMessage="No collection has this name."
            {...(inStore.error !== null && { error: 'The store’s collections couldn’t be read.' })}
            onChange={(collections) => set({ collections })}
          />
          <TagsInput
            {...mark(fieldIds.tags)}
            label="Tags"
            value={rule.set.tags ?? []}
            maxTags={ruleTagsMax}
            acceptValueOnBlur
            onChange={(tags) => set({ tags })}
          />
          <Select
            label="Collections and tags are"
            data={ruleModes.map((mode) => ({ value: mode, label: ruleModeLabels[mode] }))}
            value={rule.only}
            onChange={(only) => only !== null && setRule({ ...rule, only })}
          />
        </Stack>
      </EditorBody>
      <EditorFooter>
        <BodyText c="var(--text-bad)" role="alert">
          {problem?.text}
        </BodyText>
        <Group gap="sm">
          <Button onClick={done}>{isNew ? 'Add' : 'Done'}</Button>
          <PlainButton onClick={onCancel}>Cancel</PlainButton>
        </Group>
      </EditorFooter>
    </>
  );
}

type Mark = (id: string) => { id: string; error: boolean };

function withType(rule: RuleDraft, type: string): RuleDraft {
  const { type: _, ...others } = rule.set;
  return { ...rule, set: type.trim() === '' ? others : { type, ...others } };
}

type ConditionsProps = { all: ConditionDraft[]; mark: Mark; onChange: (all: ConditionDraft[]) => void };

const firstCondition: TextCondition = { field: 'title', is: 'has word', value: '' };

/** Changes a condition's field. A change from price to text or back resets the condition: their values differ. */
function withField(condition: ConditionDraft, field: string): ConditionDraft {
  if (field === 'price') return { field, is: 'between', from: 0, to: '' };
  return { ...(condition.field === 'price' ? firstCondition : condition), field: field as TextField };
}

function Conditions({ all, mark, onChange }: ConditionsProps) {
  // Gets the focus when a condition is removed.
  const heading = useRef<HTMLDivElement>(null);
  const full = all.length >= ruleConditionsMax ? `A rule has at most ${ruleConditionsMax} conditions.` : null;
  const remove = (at: number) => {
    onChange(all.toSpliced(at, 1));
    heading.current?.focus();
  };
  return (
    <Stack component="fieldset" gap="sm" bd="none" p={0} m={0} aria-label="Conditions">
      <BodyText fw={550} component="div" tabIndex={-1} ref={heading}>
        If all of these are true
      </BodyText>
      {all.map((condition, at) => {
        const nth = at + 1;
        const change = (changed: ConditionDraft) => onChange(all.with(at, changed));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity
          <div key={at} className={`${classes.condition} grid gap-xs`}>
            <Select
              aria-label={`Field of condition ${nth}`}
              data={[...textFields, 'price' as const].map((field) => ({
                value: field,
                label: fieldSpecs[field].label,
              }))}
              value={condition.field}
              onChange={(field) => field !== null && change(withField(condition, field))}
            />
            {condition.field === 'price' ? (
              (
                [
                  ['from', 'Lowest'],
                  ['to', 'Highest'],
                ] as const
              ).map(([end, label]) => (
                // The value may be a string, because the input passes '9.' and '9.90' as strings.
                <NumberInput
                  key={end}
                  {...mark(conditionId(at, end))}
                  aria-label={`${label} price of condition ${nth}`}
                  placeholder={label}
                  min={0}
                  decimalScale={2}
                  hideControls
                  value={condition[end]}
                  onChange={(value) => change({ ...condition, [end]: value })}
                />
              ))
            ) : (
              <>
                <Select
                  aria-label={`Comparison of condition ${nth}`}
                  data={[...textTests]}
                  value={condition.is}
                  onChange={(is) => is !== null && change({ ...condition, is })}
                />
                <TextInput
                  {...mark(conditionId(at, 'value'))}
                  className={classes.value ?? ''}
                  aria-label={`Words of condition ${nth}`}
                  maxLength={200}
                  value={condition.value}
                  onChange={(event) => change({ ...condition, value: event.currentTarget.value })}
                />
              </>
            )}
            {all.length > 1 && (
              <IconButton
                icon={IconTrash}
                size={34}
                label={`Remove condition ${nth}`}
                onClick={() => remove(at)}
              />
            )}
          </div>
        );
      })}
      <Group>
        <PlainHintedButton reason={full} onClick={() => onChange([...all, firstCondition])}>
          Add Condition
        </PlainHintedButton>
      </Group>
    </Stack>
  );
}
