import type { RuleMatch } from '@draftshelf/contract/rules';
import type { CategoryRule, RuleField } from '@draftshelf/domain/rules/category-rule';
import { Group, Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useReviewedImports, useRulesTrial } from '../../../api/rules.ts';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { countOf } from '../../../lib/intl.ts';
import { setLabels } from './rule-words.ts';
import classes from './rules.module.css';

/** Tries the rules, also unsaved ones, on an import. Nothing changes. */
export function TryRules({ rules }: { rules: CategoryRule[] }) {
  const imports = useReviewedImports();
  const [chosen, setChosen] = useState<string | null>(null);
  const trial = useRulesTrial();
  const importId = chosen ?? imports.data?.[0]?.id ?? null;
  const reason = importId === null && !imports.isPending ? 'No import is in review.' : null;
  return (
    <Stack component="section" gap="xs" aria-labelledby="try-rules">
      <Title order={3} size="h5" id="try-rules">
        Try on an import
      </Title>
      <Group align="end" gap="sm">
        <Select
          label="Import"
          flex={1}
          miw={0}
          data={(imports.data ?? []).map(({ id, filename }) => ({ value: id, label: filename }))}
          value={importId}
          allowDeselect={false}
          searchable
          onChange={setChosen}
        />
        <ReasonedButton
          variant="default"
          reason={reason}
          loading={trial.isPending}
          onClick={() => importId !== null && trial.mutate({ importId, rules })}
        >
          Try
        </ReasonedButton>
      </Group>
      <Text size="sm" role="status">
        {trial.isError && `Couldn’t try the rules: ${trial.error.message}`}
        {trial.data !== undefined &&
          `Tried on ${trial.data.isAll ? '' : 'the first '}${countOf(trial.data.products, 'product')}. Nothing was changed.`}
      </Text>
      {trial.data !== undefined && (
        <ul className={classes.list} aria-label="Matches">
          {trial.data.matches.map((match) => (
            <Match
              key={match.rule}
              match={match}
              rule={trial.variables.rules.find(({ id }) => id === match.rule)}
            />
          ))}
        </ul>
      )}
    </Stack>
  );
}

function Match({ match, rule }: { match: RuleMatch; rule: CategoryRule | undefined }) {
  const { count, changed, examples } = match;
  return (
    <li className={classes.rule}>
      <Text size="sm" fw={550} className={classes.words ?? ''}>
        {rule?.name}
      </Text>
      <Text size="sm" className="numbers">
        {rule?.enabled === false
          ? 'This rule is off.'
          : `${countOf(count, 'product')}, ${changed === count ? 'all of them' : countOf(changed, 'product')} with a new value`}
      </Text>
      {examples.map(({ row, title, values }) => (
        <Text key={row} size="sm" c="dimmed" className={classes.words ?? ''} dir="auto">
          {`Row ${row}: ${title ?? 'no title'} – ${exampleWords(values)}`}
        </Text>
      ))}
    </li>
  );
}

function exampleWords(values: RuleMatch['examples'][number]['values']): string {
  if (values.length === 0) return 'has its values already';
  return values
    .map(({ field, before, value }) => {
      const now = before === null ? '' : ` (now: ${before})`;
      return `${setLabels[field as RuleField] ?? field}: ${value}${now}`;
    })
    .join(' · ');
}
