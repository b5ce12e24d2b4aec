import type { Proposal } from '@draftshelf/contract/proposals';
import { canDo } from '@draftshelf/domain/import-status';
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ShownImport } from '../../api/imports.ts';
import { useProposalDecision, useProposals } from '../../api/lookups.ts';
import { countOf } from '../../lib/intl.ts';
import { Button } from '../button.tsx';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { useFailureToast } from '../feedback/toast.tsx';
import { Picture } from '../picture.tsx';
import { ReasonedButton } from '../reasoned-button.tsx';
import { proposedName, reasonWords } from './lookup-words.ts';
import classes from './lookups.module.css';

/** Found values that the operator takes or dismisses, the first ones first. */
export function Proposals({ record }: { record: ShownImport }) {
  const found = useProposals(record.id);
  if (found.isError) {
    return (
      <ErrorPanel title="Couldn’t load the proposals." cause={found.error.message}>
        <Button onClick={() => found.refetch()}>Try Again</Button>
      </ErrorPanel>
    );
  }
  if (found.data === undefined || found.data.proposals.length === 0) return null;
  const { proposals, total } = found.data;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {countOf(total, 'Proposal')}
      </Title>
      <ul className={classes.list} aria-label="Proposals">
        {proposals.map((proposal) => (
          <ProposalLine key={proposal.id} record={record} proposal={proposal} />
        ))}
      </ul>
      {total > proposals.length && (
        <Text size="sm" c="dimmed">
          The next ones are shown once these are decided.
        </Text>
      )}
    </Stack>
  );
}

function ProposalLine({ record, proposal }: { record: ShownImport; proposal: Proposal }) {
  const decision = useProposalDecision(record.id);
  const failure = useFailureToast();
  const decide = (action: 'take' | 'dismiss') =>
    decision.mutate(
      { proposal: proposal.id, action, shown: proposal.before },
      {
        onSuccess: failure.dismiss,
        onError: (error) => failure.show('Couldn’t Decide the Proposal', error.message),
      },
    );
  const label = proposedName(proposal.field);
  const what = `${label.toLowerCase()} of row ${proposal.row}`;
  const locked = canDo('edit', record.status)
    ? null
    : 'Values can’t be changed in the import’s current status.';
  return (
    <li className={classes.proposal}>
      {proposal.field === 'image' && (
        <Picture className={classes.picture} src={proposal.value} fallback={null} />
      )}
      <div className={classes.words}>
        <Text size="sm" fw={550} dir="auto">
          Row {proposal.row}: {proposal.title ?? 'no title'}
        </Text>
        <Text size="sm" lineClamp={3} dir="auto">
          {label}: {proposal.value}
          {proposal.before !== null && ` (now: ${proposal.before})`}
        </Text>
        <Text size="sm" c="dimmed">
          From {proposal.source}
          {proposal.attribution !== null && ` · ${proposal.attribution}`}. {reasonWords(proposal)}
        </Text>
      </div>
      <Group gap="xs">
        <ReasonedButton
          size="compact-md"
          variant="default"
          reason={locked}
          loading={decision.isPending}
          aria-label={`Take the ${what}`}
          onClick={() => decide('take')}
        >
          Take
        </ReasonedButton>
        <Button
          size="compact-md"
          variant="subtle"
          color="gray"
          busy={decision.isPending}
          aria-label={`Dismiss the ${what}`}
          onClick={() => decide('dismiss')}
        >
          Dismiss
        </Button>
      </Group>
    </li>
  );
}
