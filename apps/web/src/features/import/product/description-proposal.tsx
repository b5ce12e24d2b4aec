import { Text } from '@mantine/core';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { originWords, reasonWords } from '../proposals/proposal-words.ts';
import { useFieldProposals, useProposalDecision } from '../proposals/proposals-api.ts';
import { TextDiff } from '../proposals/text-diff.tsx';
import classes from './product-dialog.module.css';
import type { ProductForm } from './use-product-form.ts';

/** The open proposal for the description, below the field. Accepting it stores it at once, with its origin. */
export function DescriptionProposal({ form }: { form: ProductForm }) {
  const { row } = form.row;
  const proposals = useFieldProposals(form.importId, { row, field: 'description' });
  const decision = useProposalDecision(form.importId);
  const failure = useFailureToast();
  const proposal = proposals.data?.proposals[0];
  if (proposal === undefined) return null;
  const changed = form.undoOf('description') === 'change' ? 'Save or undo your change first.' : null;
  const accept = () =>
    decision.mutate(
      { proposal: proposal.id, action: 'take', shown: form.edited.values.description ?? null },
      {
        onSuccess: () => {
          failure.dismiss();
          form.adopt({ description: proposal.value });
        },
        onError: (error) => failure.show('Couldn’t accept the proposal', error.message),
      },
    );
  return (
    <section
      className={`stack break-words ${classes.proposal}`}
      aria-label="Proposed description"
      data-focus-next="#product-description"
    >
      <Text size="sm" dir="auto">
        <TextDiff before={proposal.before} after={proposal.value} />
      </Text>
      <Text size="xs" c="dimmed">
        {`${originWords(proposal)}. ${reasonWords(proposal)}`}
      </Text>
      <div>
        <ReasonedButton
          size="compact-md"
          variant="default"
          reason={form.lock ?? changed}
          loading={decision.isPending}
          aria-label="Accept the proposed description"
          onClick={accept}
        >
          Accept
        </ReasonedButton>
      </div>
    </section>
  );
}
