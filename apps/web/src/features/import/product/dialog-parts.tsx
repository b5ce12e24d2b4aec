import type { RowEdit } from '@draftshelf/contract/review/edit-history';
import type { ShownProduct } from '@draftshelf/contract/review/rows';
import { buildDraftProduct } from '@draftshelf/domain/products/draft-product';
import { leaveOutField } from '@draftshelf/domain/review/edited-field';
import { Alert, Anchor, Group, Skeleton, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { describeStore, findStore, useConnections } from '../../../api/connections.ts';
import { formatCount } from '../../../lib/intl.ts';
import { BodyText, PlainButton, QuietText, RelativeTime, SmallText } from '../../../ui/basics.tsx';
import { ReadView } from '../../../ui/feedback/read.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { SmallHintedButton, TitledSection } from '../../../ui/hint.tsx';
import { useSettings } from '../../settings/index.ts';
import { authorWords, useRowEdits } from '../edits/edits-api.ts';
import type { ShownImport } from '../imports-api.ts';
import { IssueText, LeftOutMark } from '../issue-text.tsx';
import { fieldLabel } from '../mapping/mapping-words.ts';
import { RowClassBadge } from '../status/status-look.tsx';
import classes from './product.module.css';
import { LeaveOutButton } from './product-buttons.tsx';
import { applyFieldChanges, dialogFieldLabel, isDialogField } from './product-draft.ts';
import type { ProductForm } from './use-product-form.ts';

type DialogHeadProps = { record: ShownImport; product: ShownProduct; form: ProductForm };

/** Issues that do not follow from the row's own values. The head of the dialog shows them instead of a field. */
const beyondTheRow: readonly string[] = [
  ...['duplicate', 'in-other-import', 'other-currency', 'guard-cost', 'guard-column', 'guard-change'],
];

export function DialogHead({ record, product, form }: DialogHeadProps) {
  const { row } = form;
  // State of its own, because the form keeps the row as it was when the dialog opened.
  const [leftOut, setLeftOut] = useState(row.leftOut);
  const general = row.issues.filter(({ code, field }) => field === null || beyondTheRow.includes(code));
  return (
    <div className={`stack ${classes.head} gap-tight`}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <QuietText className="numbers">
            Row {formatCount(row.row)}
            {row.ofProduct !== null &&
              ` · row ${formatCount(row.ofProduct.place)} of ${formatCount(row.ofProduct.rows)} of this product`}
          </QuietText>
          <RowClassBadge rowClass={row.class} />
          {leftOut && <LeftOutMark />}
          <LeaveOutButton
            importId={record.id}
            row={{ row: row.row, leftOut }}
            lock={form.lock}
            size="compact-sm"
            onSaved={(saved) => setLeftOut(saved.leftOut)}
          />
        </Group>
        <ProductTest record={record} product={product} form={form} />
      </Group>
      {form.lock !== null && <BodyText c="var(--text-warning)">{form.lock}</BodyText>}
      {form.edited.first !== null && <QuietText>{ofProductWords(form.edited.firstRow)}</QuietText>}
      {general.map((issue) => (
        <QuietText key={`${issue.code} ${issue.field ?? ''}`}>
          <IssueText issue={issue} />
        </QuietText>
      ))}
    </div>
  );
}

const ofProductWords = (firstRow: number): string =>
  `Title, description, brand, type, tags, collections and status belong to the product and come from row ${formatCount(firstRow)}. Changing one changes it for all rows of the product.`;

function ProductTest({ record, product, form }: DialogHeadProps) {
  const test = useCall('createProduct', { failed: 'Direct Test Failed' });
  const failure = useFailureToast();
  const { data: settings } = useSettings();
  const { data: connections } = useConnections();
  const adminUrl = findStore(connections)?.details.adminUrl;
  const effectId = useId();
  const isDraft = settings?.draftMode ?? true;
  const run = () => {
    test.reset();
    const draft = buildDraftProduct(rowsOf(product, form), {
      draftMode: isDraft,
      importSource: record.filename,
      currency: form.edited.values.currency ?? 'CAD',
    });
    if (!draft.ok) return failure.show('Direct Test Failed', `${draft.reason}: ${draft.missing.join(', ')}`);
    // Leaves this metafield out of the request, because the server adds it.
    const metafields = draft.product.metafields.filter(({ key }) => key !== 'import_source');
    const tested = { ...draft.product, metafields };
    test.mutate({ body: { product: tested, importId: record.id, row: form.row.row } });
  };
  const id = test.data?.product.id;
  return (
    <>
      <Stack gap={2} align="flex-end">
        <PlainButton loading={test.isPending} onClick={run} aria-describedby={effectId}>
          Test This Product
        </PlainButton>
        <SmallText id={effectId} ta="right">
          {`Sends this product to ${describeStore(connections)}${isDraft ? ' as a draft' : ''}.`}
        </SmallText>
      </Stack>
      {id !== undefined && (
        <Alert color="green" role="status" w="100%" icon={<IconCircleCheck aria-hidden />}>
          The product is in your store.{' '}
          {adminUrl !== undefined && (
            <Anchor
              href={`${adminUrl}/products/${String(id).split('/').at(-1)}`}
              target="_blank"
              rel="noreferrer"
              size="sm"
              underline="always"
            >
              View in Store
            </Anchor>
          )}
        </Alert>
      )}
    </>
  );
}

function rowsOf(product: ShownProduct, { row, edited, changes }: ProductForm) {
  const changed = applyFieldChanges(edited, changes);
  const isFirst = row.row === product.first.row;
  const others = product.rows.map((other) => (other.row === row.row ? changed : other.values));
  if (isFirst) return others;
  const { title, description, vendor, type, tags, collections, status } = changed;
  const first = { ...product.first.values, title, description, vendor, type, tags, collections, status };
  return product.rows[0]?.row === product.first.row ? [first, ...others.slice(1)] : [first, ...others];
}

/** Earlier values of the row. Restoring a value puts the value into its field, to be saved with the other changes. */
export const RowHistory = ({ form }: { form: ProductForm }) => (
  <TitledSection id="row-history" title="History" order={3} className={`${classes.history} above-lg`} folded>
    <Edits form={form} />
  </TitledSection>
);

function Edits({ form }: { form: ProductForm }) {
  const [announcement, setAnnouncement] = useState('');
  const read = useRowEdits(form.importId, form.row.row);
  return (
    <ReadView of={read} what="the history" meanwhile={<Skeleton height={64} aria-hidden />}>
      {({ edits, earlier }) =>
        edits.length === 0 ? (
          <QuietText>No field of this row has been edited.</QuietText>
        ) : (
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
        )
      }
    </ReadView>
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
          {edit.source === null ? ways[edit.kind] : ` · proposed by ${edit.source}`}
        </SmallText>
      </div>
      {isDialogField(field) && (
        <SmallHintedButton
          className="rigid"
          reason={form.lock ?? (isShown ? 'The field has this value now.' : null)}
          aria-label={`Back to this: ${label} ${after ?? 'of the file'}`}
          onClick={() => {
            form.goBackTo(field, after);
            onBack(`${label} has the earlier value again. Save to keep it.`);
          }}
        >
          Back to This
        </SmallHintedButton>
      )}
    </li>
  );
}

function Value({ value, none }: { value: string | null; none: string }) {
  if (value === null) return <i>{none}</i>;
  return <bdi>{value === '' ? <i>Empty</i> : value}</bdi>;
}

const labelOf = (field: string): string =>
  isDialogField(field) ? dialogFieldLabel(field) : fieldLabel(field);

const ways: Record<RowEdit['kind'], string> = {
  single: '',
  bulk: ' · with other rows',
  recipes: ' · as in the last list',
  corrections: ' · from a corrections file',
  file: ' · from a command in the file',
  copied: ' · from an earlier upload',
  carried: ' · from an earlier list',
  proposals: ' · proposal accepted',
  undo: ' · undone',
  redo: ' · redone',
};
