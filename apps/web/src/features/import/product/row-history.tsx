import type { RowEdit } from '@draftshelf/contract/review/edit-history';
import { leaveOutField } from '@draftshelf/domain/review/edited-field';
import { Skeleton, Title } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { PlainButton } from '../../../ui/button.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { BodyText, QuietText, RelativeTime, SmallText } from '../../../ui/text.tsx';
import { authorWords } from '../edits/edit-words.ts';
import { useRowEdits } from '../edits/edits-api.ts';
import { fieldLabel } from '../mapping/mapping-words.ts';
import classes from './product.module.css';
import { dialogName, isDialogField } from './product-draft.ts';
import type { ProductForm } from './use-product-form.ts';

/** A value is put into its field, and saved with the others. */
export function RowHistory({ form }: { form: ProductForm }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={`stack gap-sm ${classes.history} above-lg`}>
      <Title order={3}>History</Title>
      <div>
        <PlainButton size="compact-md" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide History' : 'Show History'}
        </PlainButton>
      </div>
      {isOpen && <Edits form={form} />}
    </section>
  );
}

function Edits({ form }: { form: ProductForm }) {
  const read = useRowEdits(form.importId, form.row.row);
  return (
    <Read of={read} what="the history" meanwhile={<Skeleton height={64} aria-hidden />}>
      {(history) => <EditList form={form} {...history} />}
    </Read>
  );
}

type EditListProps = { form: ProductForm } & NonNullable<ReturnType<typeof useRowEdits>['data']>;

function EditList({ form, edits, earlier }: EditListProps) {
  const [announcement, setAnnouncement] = useState('');
  if (edits.length === 0) {
    return <QuietText>No field of this row has been edited.</QuietText>;
  }
  return (
    <>
      <BodyText role="status" className={announcement === '' ? 'visually-hidden' : undefined}>
        {announcement}
      </BodyText>
      <ol className={`list ${classes.rows}`} aria-label="Edits of this row">
        {edits.map((edit) => (
          <Edit key={edit.id} form={form} edit={edit} onBack={setAnnouncement} />
        ))}
      </ol>
      {earlier && <SmallText>Only the newest {formatCount(edits.length)} edits are shown.</SmallText>}
    </>
  );
}

type EditProps = { form: ProductForm; edit: RowEdit; onBack: (announcement: string) => void };

function Edit({ form, edit, onBack }: EditProps) {
  const { field, before, after, author, at } = edit;
  const label = labelOf(field);
  const isShown = isDialogField(field) && form.textOf(field) === form.earlier(field, after);
  return (
    <li className="flex gap-sm top between line-above">
      <div className="break-words">
        <BodyText className={`break-words ${classes.values}`}>
          {field === leaveOutField ? (
            <b>{after === null ? 'Put back into the push' : 'Left out of the push'}</b>
          ) : (
            <>
              <b>{label}</b> <Value value={before} none="Empty" /> →{' '}
              <Value value={after} none="Value of the file" />
            </>
          )}
        </BodyText>
        <SmallText>
          {authorWords[author]} · <RelativeTime time={at} />
          {wayOf(edit)}
        </SmallText>
      </div>
      {isDialogField(field) && (
        <ReasonedButton
          className="rigid"
          size="compact-sm"
          variant="default"
          reason={form.lock ?? (isShown ? 'The field has this value now.' : null)}
          aria-label={`Back to this: ${label} ${after ?? 'of the file'}`}
          onClick={() => {
            form.goBackTo(field, after);
            onBack(`${label} has the value again. Save to keep it.`);
          }}
        >
          Back to This
        </ReasonedButton>
      )}
    </li>
  );
}

function Value({ value, none }: { value: string | null; none: string }) {
  if (value === null) return <i>{none}</i>;
  return <bdi>{value === '' ? <i>Empty</i> : value}</bdi>;
}

const labelOf = (field: string): string => (isDialogField(field) ? dialogName(field) : fieldLabel(field));

const ways: Record<RowEdit['kind'], string> = {
  single: '',
  bulk: ' · with other rows',
  recipes: ' · as in the last list',
  corrections: ' · from a corrections file',
  copied: ' · from an earlier upload',
  carried: ' · from an earlier list',
  proposals: ' · proposal accepted',
  undo: ' · undone',
  redo: ' · redone',
};

const wayOf = ({ kind, source }: RowEdit): string =>
  source === null ? ways[kind] : ` · proposed by ${source}`;
