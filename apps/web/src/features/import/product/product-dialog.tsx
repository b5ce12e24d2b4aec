import type { ProductRow, Row, ShownProduct } from '@draftshelf/contract/review/rows';
import { isMetafieldField } from '@draftshelf/domain/base/metafields';
import { Alert, Group } from '@mantine/core';
import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { serverMessageOf } from '../../../api/call.ts';
import { readKeptInput, useKeepInput } from '../../../api/session.ts';
import { BodyText, PlainButton, SmallButton, SubtleButton } from '../../../ui/basics.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm.tsx';
import { ErrorPanel, ReadFailure, Skeletons } from '../../../ui/feedback/read.tsx';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { HintedButton } from '../../../ui/hint.tsx';
import { isTextField } from '../../../ui/keys.ts';
import { TallDialog, TallDialogFooter } from '../../../ui/overlays.tsx';
import { readUndoKey } from '../edits/edits-api.ts';
import type { ShownImport } from '../imports-api.ts';
import { createSearchFailure, type Direction, findRow, useProduct } from '../rows-api.ts';
import { DialogHead, RowHistory } from './dialog-parts.tsx';
import classes from './product.module.css';
import { type OpenedDialog, type OpenedDialogProps, toKeptProductKey } from './product-dialogs.tsx';
import { type DialogField, dialogFieldLabel, dialogFields, isDialogField } from './product-draft.ts';
import { ImageFields, ProductFields } from './product-fields.tsx';
import { ProductImages } from './product-images.tsx';
import { type ProductForm, type TypedProduct, useProductForm } from './use-product-form.ts';

type ProductDialogProps = OpenedDialogProps & { record: ShownImport; kind: 'dialog' | 'images' };

export function ProductDialog({ record, kind, at, opened, lock, ...on }: ProductDialogProps) {
  const { onEdit, onClose, onClosed } = on;
  const [isChanged, setIsChanged] = useState(false);
  const [question, setQuestion] = useState<{ then: () => void } | null>(null);
  const leave = (then: () => void) => (isChanged ? setQuestion({ then }) : then());
  return (
    <>
      <TallDialog
        opened={opened}
        onClose={() => leave(onClose)}
        onExitTransitionEnd={onClosed}
        returnFocus={false}
        title={kind === 'images' ? `Images of ${at.title}` : 'Edit Product Details - Shopify Format'}
        size={kind === 'images' ? 720 : 1080}
        fills="phone"
      >
        <LoadedProduct
          key={`${kind} ${at.row}`}
          {...{ record, kind, at, opened, lock, leave, setIsChanged, onEdit, onClose }}
        />
      </TallDialog>
      <ConfirmDialog
        opened={question !== null}
        title="Discard your changes?"
        confirm="Discard Changes"
        keep="Keep Editing"
        onConfirm={() => {
          setQuestion(null);
          setIsChanged(false);
          question?.then();
        }}
        onClose={() => setQuestion(null)}
      >
        The changes in this dialog aren’t saved.
      </ConfirmDialog>
    </>
  );
}

type InnerProps = Omit<ProductDialogProps, 'onClosed'> & {
  /** Calls `then`. If there are unsaved changes, asks for a confirmation first. */
  leave: (then: () => void) => void;
  setIsChanged: (isChanged: boolean) => void;
};

function LoadedProduct(props: InnerProps) {
  const read = useProduct(props.record.id, props.at);
  // Keeps the first reply, because a later one would replace values that the operator is editing.
  const [product, setProduct] = useState<ShownProduct | null>(null);
  if (product === null && read.data !== undefined) setProduct(read.data);
  const row = product?.rows.find((candidate) => candidate.row === props.at.row);
  if (product !== null && row !== undefined) return <Product {...props} product={product} row={row} />;
  if (product === null && !read.isError)
    return (
      <div className="fill-scroll pad" aria-hidden>
        <div className={`${classes.fields} grid gap-xl`}>
          <Skeletons gap="lg" heights={[56, 96, 120, 56, 140]} />
          <Skeletons gap="lg" heights={[56, 56, 56, 140]} />
        </div>
      </div>
    );
  return (
    <div className="fill-scroll pad">
      {product === null ? (
        <ReadFailure what="this product" reads={[read]} />
      ) : (
        <ErrorPanel title="This row isn’t part of the product anymore.">
          The file may have been re-read. Close the dialog to see its rows.
        </ErrorPanel>
      )}
    </div>
  );
}

/** A step to take after a reply, unless the form's changes by then differ from `changes` (null after a save). */
type Step = { changes: ProductForm['changes'] | null } & (
  | { kind: 'close' }
  | { kind: 'seek' }
  | { kind: 'open'; next: Row | null; direction: Direction }
);

type ProductProps = InnerProps & { product: ShownProduct; row: ProductRow };

function Product({ record, kind, at, product, row, lock, leave, setIsChanged, ...dialog }: ProductProps) {
  const { onEdit, onClose } = dialog;
  const isImages = kind === 'images';
  const keptAs = toKeptProductKey(record.id);
  const kept = readKeptInput<{ opened: OpenedDialog; typed: TypedProduct }>(keptAs);
  const form = useProductForm(
    record.id,
    product,
    row,
    lock,
    kept?.opened.at.row === row.row ? kept.typed : null,
  );
  const metafields = Object.keys(record.fieldMapping).filter(isMetafieldField);
  const opened: OpenedDialog = { kind, at };
  useKeepInput(keptAs, () => (form.isChanged ? { opened, typed: form.typed } : undefined));
  const [step, setStep] = useState<Step | null>(null);
  const [wasChanged, setWasChanged] = useState(false);
  if (form.isChanged !== wasChanged) {
    setWasChanged(form.isChanged);
    setIsChanged(form.isChanged);
  }
  const element = useRef<HTMLDivElement>(null);
  // Runs once for each opened row, because typing changes which fields have problems.
  const focusFirst = useEffectEvent(() => {
    const wrong = isImages
      ? undefined
      : [...dialogFields, ...metafields].find((field) => form.problems[field]);
    const place = isImages
      ? '[role=option][tabindex="0"], [data-add]'
      : `[data-field="${wrong ?? 'title'}"] :is(input, textarea)`;
    element.current?.querySelector<HTMLElement>(place)?.focus();
  });
  useEffect(() => focusFirst(), []);
  const close = () => {
    setIsChanged(false);
    onClose();
  };
  const go = async (direction: Direction) => {
    const problems = { class: 'needs-you' } as const;
    const found = await findRow(record.id, problems, direction, row.row).catch((error: Error) => error);
    if (found instanceof Error) toast(createSearchFailure(found));
    else setStep({ kind: 'open', next: found?.row ?? null, direction, changes: form.changes });
  };
  const follow = useEffectEvent((to: Step) => {
    if (!dialog.opened) return;
    // If the operator has typed during the call, the dialog stays open, and leaving it needs a confirmation.
    if (form.isChanged && form.changes !== to.changes) return setIsChanged(true);
    if (to.kind === 'seek') return void go('next');
    setIsChanged(false);
    if (to.kind === 'close') return onClose();
    if (to.next !== null) return onEdit(to.next);
    toast({ title: 'No more problems', text: endWords[to.direction] });
    onClose();
  });
  useEffect(() => {
    if (step !== null) follow(step);
  }, [step]);
  const stepByKey = (event: KeyboardEvent<HTMLElement>) => {
    const direction = readUndoKey(event);
    const from = isImages ? element.current : (event.target as Element).closest('[data-pictures]');
    if (direction === null || from === null || isTextField(event.target)) return;
    event.preventDefault();
    // Focuses the list of pictures, because the focused picture may be removed.
    element.current?.querySelector<HTMLElement>('[data-pictures]')?.focus({ preventScroll: true });
    form.stepPictures(direction);
  };
  const onProblem = (direction: Direction) => leave(() => void go(direction));
  const undecided = Object.keys(form.theirs).length > 0 ? 'First choose which values to keep.' : null;
  const blocked = form.lock ?? undecided ?? (form.sending > 0 ? 'Photos are still being added.' : null);
  const save = (kind: 'close' | 'seek') => form.save(() => setStep({ kind, changes: null }));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut of a button below
    <div
      ref={element}
      className="fill-stack"
      onKeyDown={(event) => {
        stepByKey(event);
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        save(isImages ? 'close' : 'seek');
      }}
    >
      <div className="fill-scroll pad">
        {isImages ? (
          <ProductImages form={form} isLarge>
            <ImageFields form={form} />
          </ProductImages>
        ) : (
          <>
            <DialogHead record={record} product={product} form={form} />
            <ProductFields form={form} metafields={metafields} />
            <RowHistory form={form} />
          </>
        )}
      </div>
      <TallDialogFooter>
        <ConflictPanel form={form} />
        {form.failure !== null && (
          <ErrorPanel title="Update Failed" cause={form.failure.message}>
            {serverWords(form.failure)}
          </ErrorPanel>
        )}
        <div className={`row-wrap ${classes.buttons} gap-xs`}>
          {!isImages && (
            <>
              <SubtleButton icon={IconChevronLeft} onClick={() => onProblem('previous')}>
                Previous Problem
              </SubtleButton>
              <SubtleButton
                rightSection={<IconChevronRight size={16} aria-hidden />}
                onClick={() => onProblem('next')}
              >
                Next Problem
              </SubtleButton>
            </>
          )}
          <span className={`grow ${classes.space}`} />
          <PlainButton onClick={() => leave(close)}>Cancel</PlainButton>
          <HintedButton
            {...(isImages ? { loading: form.saving } : { variant: 'default' })}
            reason={blocked}
            onClick={() => save('close')}
          >
            Save
          </HintedButton>
          {!isImages && (
            <HintedButton reason={blocked} loading={form.saving} onClick={() => save('seek')}>
              Save & Next
            </HintedButton>
          )}
        </div>
      </TallDialogFooter>
    </div>
  );
}

const endWords = {
  next: 'No row after this one has a problem.',
  previous: 'No row before this one has a problem.',
} as const satisfies Record<Direction, string>;

function serverWords(error: Error): string {
  const server = serverMessageOf(error);
  return `${server ?? 'The changes couldn’t be saved.'} Your changes are still here; try again.`;
}

function ConflictPanel({ form }: { form: ProductForm }) {
  const fields = Object.entries(form.theirs);
  if (fields.length === 0) return null;
  return (
    <Alert
      role="alert"
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title="This product was changed after you opened it"
    >
      <BodyText>Nothing was saved yet. Choose which values to keep, then save.</BodyText>
      {fields.map(([field, theirs]) => {
        const label = isDialogField(field) ? dialogFieldLabel(field) : field;
        const mine = form.textOf(field as DialogField);
        return (
          <fieldset
            key={field}
            className={`flush above-xs ${classes.conflict}`}
            aria-label={`Conflict: ${label}`}
          >
            <BodyText fw={550}>{label}</BodyText>
            <dl className="grid size-sm">
              <dt className="quiet">Yours</dt>
              <dd className="flush break-words" dir="auto">
                {mine === '' ? 'Empty' : mine}
              </dd>
              <dt className="quiet">Saved meanwhile</dt>
              <dd className="flush break-words" dir="auto">
                {theirs === null || theirs === '' ? 'Empty' : theirs}
              </dd>
            </dl>
            <Group gap="xs">
              <SmallButton onClick={() => form.keepMine(field)}>Keep Yours</SmallButton>
              <SmallButton onClick={() => form.takeTheirs(field)}>Use Saved Value</SmallButton>
            </Group>
          </fieldset>
        );
      })}
    </Alert>
  );
}
