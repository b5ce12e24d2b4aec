import type { List } from '@draftshelf/contract/imports/list';
import { IconEye } from '@tabler/icons-react';
import { Button } from '../../../ui/button.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { Notice } from '../notice.tsx';
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
  const saving = useCall('setSupplier', { params: { id: importId }, failed: 'Couldn’t save the answer' });
  const confirm = () => saving.mutate({ body: { supplier: asked.supplier.id } });
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
