import {
  type CategoryRule,
  conditionsMax,
  type RuleCondition,
  ruleCollectionsMax,
  ruleModes,
  ruleTagsMax,
  type TextField,
  textTests,
} from '@draftshelf/domain/rules/category-rule';
import { Group, MultiSelect, NumberInput, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useCollections } from '../../../api/store.ts';
import { ActionIcon, Button } from '../../../components/button.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { fieldLabels, offeredCollections, ruleProblem } from './rule-words.ts';
import classes from './rules.module.css';

type RuleFormProps = {
  rule: CategoryRule;
  isNew: boolean;
  onDone: (rule: CategoryRule) => void;
  onCancel: () => void;
};

/** The fields of one rule. */
export function RuleForm({ rule: before, isNew, onDone, onCancel }: RuleFormProps) {
  const [rule, setDraft] = useState(before);
  const [problem, setProblem] = useState<string | null>(null);
  const setRule = (changed: CategoryRule) => {
    setDraft(changed);
    setProblem(null);
  };
  const done = () => {
    const found = ruleProblem(rule);
    setProblem(found);
    if (found === null) onDone({ ...rule, name: rule.name.trim() });
  };
  const set = (values: CategoryRule['set']) => setRule({ ...rule, set: { ...rule.set, ...values } });
  return (
    <>
      <div className={classes.scroll}>
        <Stack gap="md">
          <TextInput
            label="Name"
            data-autofocus
            autoFocus
            maxLength={100}
            value={rule.name}
            onChange={(event) => setRule({ ...rule, name: event.currentTarget.value })}
          />
          <Conditions rule={rule} onChange={(all) => setRule({ ...rule, if: { all } })} />
          <TypeField value={rule.set.type ?? ''} onChange={(type) => setRule(withType(rule, type))} />
          <CollectionsField
            value={rule.set.collections ?? []}
            onChange={(collections) => set({ collections })}
          />
          <TagsInput
            label="Tags"
            value={rule.set.tags ?? []}
            maxTags={ruleTagsMax}
            acceptValueOnBlur
            onChange={(tags) => set({ tags })}
          />
          <Select
            label="Collections and tags are"
            data={ruleModes.map((mode) => ({ value: mode, label: modeLabels[mode] }))}
            value={rule.only}
            allowDeselect={false}
            onChange={(only) => only !== null && setRule({ ...rule, only })}
          />
        </Stack>
      </div>
      <div className={classes.footer}>
        <Text size="sm" c="var(--text-bad)" role="alert">
          {problem}
        </Text>
        <Group gap="sm">
          <Button onClick={done}>{isNew ? 'Add' : 'Done'}</Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </div>
    </>
  );
}

const modeLabels: Record<CategoryRule['only'], string> = {
  'if empty': 'set if the product has none',
  'always add': 'always added',
};

function withType(rule: CategoryRule, type: string): CategoryRule {
  const { type: _, ...others } = rule.set;
  return { ...rule, set: type.trim() === '' ? others : { type, ...others } };
}

type FieldProps<Value> = { value: Value; onChange: (value: Value) => void };

function TypeField({ value, onChange }: FieldProps<string>) {
  return (
    <TextInput
      label="Type"
      description="Set where the product has none. Without a rule, “Home Goods” is sent."
      maxLength={255}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function CollectionsField({ value, onChange }: FieldProps<string[]>) {
  const { data, error } = useCollections();
  const offered = offeredCollections((data ?? []).map(({ title }) => title));
  return (
    <MultiSelect
      label="Collections"
      description="Collections of your store that products are added to by hand."
      data={[...new Set([...offered, ...value])]}
      value={value}
      maxValues={ruleCollectionsMax}
      searchable
      limit={200}
      nothingFoundMessage="No collection has this name."
      error={error === null ? undefined : 'The store’s collections couldn’t be read.'}
      onChange={onChange}
    />
  );
}

type ConditionsProps = { rule: CategoryRule; onChange: (all: RuleCondition[]) => void };

const firstCondition: Exclude<RuleCondition, { field: 'price' }> = {
  field: 'title',
  is: 'has word',
  value: '',
};

function Conditions({ rule, onChange }: ConditionsProps) {
  const { all } = rule.if;
  const full = all.length >= conditionsMax ? `A rule has at most ${conditionsMax} conditions.` : null;
  return (
    <Stack component="fieldset" gap="sm" bd="none" p={0} m={0} aria-label="Conditions">
      <Text size="sm" fw={550}>
        If all of these are true
      </Text>
      {all.map((condition, at) => (
        <ConditionLine
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity
          key={at}
          nth={at + 1}
          condition={condition}
          onChange={(changed) => onChange(all.with(at, changed))}
          onRemove={all.length === 1 ? null : () => onChange(all.toSpliced(at, 1))}
        />
      ))}
      <Group>
        <ReasonedButton
          variant="default"
          size="compact-md"
          reason={full}
          onClick={() => onChange([...all, firstCondition])}
        >
          Add Condition
        </ReasonedButton>
      </Group>
    </Stack>
  );
}

type ConditionLineProps = {
  nth: number;
  condition: RuleCondition;
  onChange: (condition: RuleCondition) => void;
  /** Null: it is the only one. */
  onRemove: (() => void) | null;
};

function ConditionLine({ nth, condition, onChange, onRemove }: ConditionLineProps) {
  const choose = (field: string | null) => {
    if (field === null) return;
    if (field === 'price') return onChange({ field, is: 'between', from: 0, to: Number.NaN });
    const words = condition.field === 'price' ? firstCondition : condition;
    onChange({ ...words, field: field as TextField });
  };
  return (
    <div className={classes.condition}>
      <Select
        aria-label={`Field of condition ${nth}`}
        data={Object.entries(fieldLabels).map(([value, label]) => ({ value, label }))}
        value={condition.field}
        allowDeselect={false}
        onChange={choose}
      />
      {condition.field === 'price' ? (
        <PriceInputs nth={nth} condition={condition} onChange={onChange} />
      ) : (
        <>
          <Select
            aria-label={`Comparison of condition ${nth}`}
            data={[...textTests]}
            value={condition.is}
            allowDeselect={false}
            onChange={(is) => is !== null && onChange({ ...condition, is })}
          />
          <TextInput
            className={classes.value ?? ''}
            aria-label={`Words of condition ${nth}`}
            maxLength={200}
            value={condition.value}
            onChange={(event) => onChange({ ...condition, value: event.currentTarget.value })}
          />
        </>
      )}
      {onRemove !== null && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={`Remove condition ${nth}`}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

type PriceProps = {
  nth: number;
  condition: Extract<RuleCondition, { field: 'price' }>;
  onChange: (condition: RuleCondition) => void;
};

function PriceInputs({ nth, condition, onChange }: PriceProps) {
  const input = (end: 'from' | 'to', label: string) => (
    <NumberInput
      aria-label={`${label} price of condition ${nth}`}
      placeholder={label}
      min={0}
      decimalScale={2}
      hideControls
      value={Number.isNaN(condition[end]) ? '' : condition[end]}
      onChange={(value) => onChange({ ...condition, [end]: typeof value === 'number' ? value : Number.NaN })}
    />
  );
  return (
    <>
      {input('from', 'Lowest')}
      {input('to', 'Highest')}
    </>
  );
}
