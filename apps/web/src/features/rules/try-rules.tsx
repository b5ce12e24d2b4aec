import type { RuleMatch } from '@draftshelf/contract/enrich/rules';
import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Group, Select, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readOf } from '../../api/read.ts';
import { countOf } from '../../lib/intl.ts';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { ReasonedButton } from '../../ui/reasoned-button.tsx';
import { BodyText, QuietText } from '../../ui/text.tsx';
import { fieldLabel } from '../import/index.ts';
import { matchWords } from './rule-draft.ts';

/** Also tries unsaved rules. Nothing changes. */
export function TryRules({ rules }: { rules: CategoryRule[] }) {
  const imports = useReviewedImports();
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

const useReviewedImports = () =>
  useQuery({
    ...readOf('listImports'),
    queryKey: ['imports to try rules on'],
    select: (imports) => imports.filter(({ status }) => canDo('review', status)),
    staleTime: 0,
  });

type TrialProps = { rules: CategoryRule[]; imports: ReturnType<typeof useReviewedImports>['data'] };

/** The results disappear when another import is chosen or a rule is changed. */
function Trial({ rules, imports }: TrialProps) {
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
          allowDeselect={false}
          searchable
          onChange={setChoice}
        />
        <ReasonedButton
          variant="default"
          reason={imports?.length === 0 ? 'No import is in review.' : null}
          loading={imports === undefined || trial.isPending}
          onClick={() => importId !== null && trial.mutate({ params: { id: importId }, body: { rules } })}
        >
          Try
        </ReasonedButton>
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

const Match = ({ match, rule }: { match: RuleMatch; rule: CategoryRule | undefined }) => (
  <li className="stack gap-tight pad-y-sm line-below">
    <BodyText fw={550} className="break-words">
      {rule?.name}
    </BodyText>
    <BodyText className="numbers">
      {rule?.enabled === false ? 'This rule is off.' : matchWords(match)}
    </BodyText>
    {match.examples.map(({ row, title, values }) => (
      <QuietText key={row} className="break-words" dir="auto">
        {`Row ${row}: ${title ?? 'no title'} – ${exampleWords(values)}`}
      </QuietText>
    ))}
  </li>
);

function exampleWords(values: RuleMatch['examples'][number]['values']): string {
  if (values.length === 0) return 'has its values already';
  return values
    .map(({ field, before, value }) => {
      const now = before === null ? '' : ` (now: ${before})`;
      return `${fieldLabel(field)}: ${value}${now}`;
    })
    .join(' · ');
}
