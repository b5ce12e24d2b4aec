import type { List } from '@draftshelf/contract/imports/list';
import { IconEye } from '@tabler/icons-react';
import { Button } from '../../../ui/button.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { Notice } from '../notice.tsx';
import { useSupplierSet } from './list-api.ts';
import { askedWords } from './list-words.ts';

type ListQuestionProps = {
  importId: string;
  asked: NonNullable<List['asked']>;
  /** Reason for not changing the supplier now; null if it can be changed. */
  lock: string | null;
  /** Opens the choice of another supplier. */
  onOther: () => void;
};

const look = { size: 'compact-sm', variant: 'default' } as const;

/** Asks whose list an import is, which only the operator can tell. */
export function ListQuestion({ importId, asked, lock, onOther }: ListQuestionProps) {
  const saving = useSupplierSet(importId);
  const failure = useFailureToast();
  const confirm = () =>
    saving.mutate(
      { supplier: asked.supplier.id },
      { onError: (error) => failure.show('Couldn’t save the answer', error.message) },
    );
  return (
    <Notice icon={IconEye} tone="question">
      {askedWords(asked)}{' '}
      <ReasonedButton {...look} reason={lock} loading={saving.isPending} onClick={confirm}>
        Yes
      </ReasonedButton>{' '}
      <Button {...look} aria-haspopup="dialog" onClick={onOther}>
        No, another supplier
      </Button>
    </Notice>
  );
}
