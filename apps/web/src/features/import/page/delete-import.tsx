import type { List } from '@draftshelf/contract/imports/list';
import { useNavigate } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { queuePath } from '../../../lib/paths.ts';
import { Confirm } from '../../../ui/feedback/confirm.tsx';
import { useFailureToast, useToast } from '../../../ui/feedback/toast.tsx';
import type { ShownDetails, ShownImport } from '../imports-api.ts';
import { useDeletion } from '../removal-api.ts';

type DeleteImportProps = { record: ShownDetails; opened: boolean; onClose: () => void };

/** Asks before an import is deleted, and says what that means for the store. */
export function DeleteImport({ record, opened, onClose }: DeleteImportProps) {
  const deletion = useDeletion(record.id);
  const navigate = useNavigate();
  const toast = useToast();
  const failure = useFailureToast();
  const begin = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Deleting the import', text: `${record.filename} is gone in a moment.` });
        navigate(queuePath);
      },
      onError: (error) => failure.show('Couldn’t delete the import', error.message),
    });
  return (
    <Confirm
      opened={opened}
      title="Delete this import?"
      confirm="Delete Import"
      keep="Keep Import"
      onConfirm={begin}
      onClose={onClose}
    >
      <p>
        The rows, edits and report of {record.filename} are deleted now, and its file within two days. This
        can’t be undone.
      </p>
      {record.list?.supplier && <p>{carriedWords(record.list)}</p>}
      <p>{storeWords(record)}</p>
    </Confirm>
  );
}

const carriedWords = ({ isNamed, supplier }: List) =>
  `What you changed in single products stays for ${isNamed && supplier ? supplier.name : 'the supplier'}’s next list.`;

/** What becomes of the products in the store, also after another upload of the file. */
function storeWords({ createdProducts, shop }: Pick<ShownImport, 'createdProducts' | 'shop'>): string {
  if (createdProducts === 0) return 'You can upload the file again.';
  const products = countOf(createdProducts, 'product');
  const store = shop ?? 'the store';
  return `The ${products} that it sent to ${store} stay there. If you upload the file again, they are updated, not made twice.`;
}
