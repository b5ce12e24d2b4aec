import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import type { RuleTrialResult } from '@draftshelf/domain/enrich/rules/match-rules';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Group, Select, Stack, Switch, Title } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Reply, readOf } from '../../api/call.ts';
import { countOf } from '../../lib/intl.ts';
import { BodyText, IconButton, PlainButton, QuietText, SubtleButton } from '../../ui/basics.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { HintedButton } from '../../ui/hint.tsx';
import { fieldLabel } from '../import/index.ts';
import {
  conditionsWords,
  describeRuleMatch,
  describeRuleValues,
  listGoneCollections,
  moveRule,
  putRule,
} from './rule-draft.ts';

type RuleListProps = {
  rules: readonly CategoryRule[];
  /** The store's collections, or undefined if they are unknown. */
  titles: readonly string[] | undefined;
  onSet: (rules: CategoryRule[]) => void;
  onChange: (rule: CategoryRule) => void;
  onNews: (news: string) => void;
};

export const changeButtonId = (ruleId: string): string => `change-${ruleId}`;
export const addButtonId = 'add-rule';
const listId = 'rule-list';
/** If a focused control is removed, moves the focus to the list, or to Add Rule if there is no list. */
export const listFocusTarget = { 'data-focus-next': `#${listId}, #${addButtonId}` };

export function RuleList({ rules, titles, onSet, onChange, onNews }: RuleListProps) {
  const move = (rule: CategoryRule, by: -1 | 1, button: HTMLElement) => {
    const after = moveRule(rules, rule.id, by);
    onSet(after);
    const place = after.findIndex(({ id }) => id === rule.id) + 1;
    onNews(`${rule.name} is rule ${place} of ${after.length} now.`);
    // Focuses the button again, because browsers remove the focus from an element that moves in the page.
    requestAnimationFrame(() => button.focus());
  };
  const remove = (rule: CategoryRule) => {
    onSet(rules.filter(({ id }) => id !== rule.id));
    onNews(`${rule.name} was deleted.`);
  };
  return (
    <ul className="list" aria-label="Rules" tabIndex={-1} id={listId} {...listFocusTarget}>
      {rules.map((rule, at) => (
        <li key={rule.id} className="stack gap-tight pad-y-sm line-below">
          <Switch
            label={rule.name}
            checked={rule.enabled}
            onChange={(event) => {
              const enabled = event.currentTarget.checked;
              onSet(putRule(rules, { ...rule, enabled }));
            }}
          />
          <BodyText className="break-words">{conditionsWords(rule)}</BodyText>
          <BodyText className="break-words">{describeRuleValues(rule)}</BodyText>
          {listGoneCollections(rule, titles).map((title) => (
            <BodyText key={title} c="var(--text-warning)" className="break-words">
              {title}: This collection isn’t in the store any more.
            </BodyText>
          ))}
          <Group gap="xs">
            <IconButton
              icon={IconChevronUp}
              variant="default"
              size={34}
              label={`Move ${rule.name} up`}
              disabled={at === 0}
              onClick={(event) => move(rule, -1, event.currentTarget)}
            />
            <IconButton
              icon={IconChevronDown}
              variant="default"
              size={34}
              label={`Move ${rule.name} down`}
              disabled={at === rules.length - 1}
              onClick={(event) => move(rule, 1, event.currentTarget)}
            />
            <PlainButton
              size="compact-md"
              id={changeButtonId(rule.id)}
              aria-label={`Change ${rule.name}`}
              onClick={() => onChange(rule)}
            >
              Change
            </PlainButton>
            <SubtleButton
              color="red"
              size="compact-md"
              aria-label={`Delete ${rule.name}`}
              onClick={() => remove(rule)}
            >
              Delete
            </SubtleButton>
          </Group>
        </li>
      ))}
    </ul>
  );
}

/** A form to try rules, even unsaved ones, without changing anything. */
export function RuleTrial({ rules }: { rules: CategoryRule[] }) {
  const imports = useQuery({
    ...readOf('listImports'),
    queryKey: ['imports to try rules on'],
    select: (records) => records.filter(({ status }) => canDo('review', status)),
    staleTime: 0,
  });
  return (
    <Stack component="section" gap="xs" aria-labelledby="try-rules">
      <Title order={3} size="h5" id="try-rules">
        Try on an import
      </Title>
      <ReadFailure what="the imports in review" reads={[imports]} />
      {!imports.isError && <Trial rules={rules} imports={imports.data} />}
    </Stack>
  );
}

/** A trial of the rules on one import. A result disappears when another import is chosen or a rule is changed. */
function Trial({ rules, imports }: { rules: CategoryRule[]; imports: Reply<'listImports'> | undefined }) {
  const [choice, setChoice] = useState<string | null>(null);
  const trial = useCall('tryRules');
  const importId = choice ?? imports?.[0]?.id ?? null;
  const sent = trial.variables;
  const isCurrent =
    sent !== undefined &&
    sent.params?.id === importId &&
    JSON.stringify(sent.body?.rules) === JSON.stringify(rules);
  const result = isCurrent ? trial.data : undefined;
  const file = imports?.find(({ id }) => id === importId)?.filename ?? '';
  return (
    <>
      <Group align="end" gap="sm">
        <Select
          label="Import"
          flex={1}
          miw={0}
          data={(imports ?? []).map(({ id, filename }) => ({ value: id, label: filename }))}
          value={importId}
          searchable
          onChange={setChoice}
        />
        <HintedButton
          variant="default"
          reason={imports?.length === 0 ? 'No import is in review.' : null}
          loading={imports === undefined || trial.isPending}
          onClick={() => importId !== null && trial.mutate({ params: { id: importId }, body: { rules } })}
        >
          Try
        </HintedButton>
      </Group>
      <BodyText role="status" className="break-words">
        {isCurrent && trial.isError && `Couldn’t try the rules: ${trial.error.message}`}
        {result !== undefined &&
          `Tried on ${result.isAll ? '' : 'the first '}${countOf(result.products, 'product')} of ${file}. Nothing was changed.`}
      </BodyText>
      {result !== undefined && (
        <ul className="list" aria-label="Matches">
          {result.matches.map((match) => (
            <Match key={match.rule} match={match} rule={rules.find(({ id }) => id === match.rule)} />
          ))}
        </ul>
      )}
    </>
  );
}

const Match = ({ match, rule }: { match: RuleTrialResult; rule: CategoryRule | undefined }) => (
  <li className="stack gap-tight pad-y-sm line-below">
    <BodyText fw={550} className="break-words">
      {rule?.name}
    </BodyText>
    <BodyText className="numbers">
      {rule?.enabled === false ? 'This rule is off.' : describeRuleMatch(match)}
    </BodyText>
    {match.examples.map(({ row, title, values }) => (
      <QuietText key={row} className="break-words" dir="auto">
        {`Row ${row}: ${title ?? 'no title'} – ${exampleWords(values)}`}
      </QuietText>
    ))}
  </li>
);

function exampleWords(values: RuleTrialResult['examples'][number]['values']): string {
  if (values.length === 0) return 'has its values already';
  return values
    .map(({ field, before, value }) => {
      const now = before === null ? '' : ` (now: ${before})`;
      return `${fieldLabel(field)}: ${value}${now}`;
    })
    .join(' · ');
}
