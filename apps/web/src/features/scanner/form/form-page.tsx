import { noBatch } from '@draftshelf/contract/wire';
import { findGtinProblem } from '@draftshelf/domain/base/gtin';
import { weightUnits } from '@draftshelf/domain/base/weight';
import { lengthUnits, photosMax } from '@draftshelf/domain/scanner/scanned-product';
import { Select, Stack, Text, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBarcode, IconCamera, IconPhotoOff, IconPhotoUp, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { readOf, serverMessageOf } from '../../../api/call.ts';
import { importPath } from '../../../lib/paths.ts';
import {
  ActionIcon,
  BodyText,
  Button,
  IconButton,
  PlainButton,
  SmallText,
  TextButton,
} from '../../../ui/basics.tsx';
import { DifferencesTable, SaveConflict } from '../../../ui/draft.tsx';
import { LeaveGuard } from '../../../ui/feedback/confirm.tsx';
import { ErrorPanel, ReadFailure, Skeletons } from '../../../ui/feedback/read.tsx';
import { HintedButton, TitledSection } from '../../../ui/hint.tsx';
import { lazyOverlay } from '../../../ui/later.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { importsRead } from '../../import/index.ts';
import { UploadDialog } from '../photos/upload-dialog.tsx';
import { toPrefill } from '../scan/prefill.ts';
import type { NewCode } from '../scan/scanning.tsx';
import classes from '../scanner.module.css';
import { lookUpScannedCode, mayHaveBeenSaved, type ShownScanned, useScannedProduct } from '../scanner-api.ts';
import {
  type DraftField,
  describeFilledFields,
  fieldLabels,
  importLabel,
  listDifferences,
  priceStep,
  stepPrice,
} from './scanned-draft.ts';
import { focusFieldOrTitle, inputId, type ScannedForm, useScannedForm } from './use-scanned-form.ts';

type FormPageProps = {
  id: string | null;
  /** The product as listed by the library; null if it is new, or if the library has not been read. */
  listedProduct: ShownScanned | null;
  newCode: NewCode | null;
  onScan: () => void;
  onSaved: (id: string) => void;
  onCancel: () => void;
};

/** The form of a product. If the library has not listed the product, the form reads it first. */
export function FormPage({ id, listedProduct, newCode, onScan, onSaved, onCancel }: FormPageProps) {
  // A state, so that a new read of the library does not replace the values in an open form.
  const [product, setProduct] = useState(listedProduct);
  const read = useScannedProduct(product === null ? id : null);
  if (product === null && read.data !== undefined) setProduct(read.data);
  if (id === null || product !== null) {
    return <ProductForm {...{ product, newCode, onScan, onSaved, onCancel }} />;
  }
  return (
    <div className={`${classes.scanner} shrink`}>
      <title>Edit Product · Draftshelf</title>
      <PageHeader title="Edit Product">
        <PlainButton onClick={onCancel}>Cancel</PlainButton>
      </PageHeader>
      <ReadFailure what="the product" reads={[read]} />
      {read.isError ? (
        <BodyText mt="sm">The product may have been deleted.</BodyText>
      ) : (
        <Skeletons gap="md" className="form-width" heights={[56, 56, 56, 56, 56]} />
      )}
    </div>
  );
}

type ProductFormProps = Omit<FormPageProps, 'id' | 'listedProduct'> & { product: ShownScanned | null };

function ProductForm({ product, newCode, onSaved, onCancel, onScan }: ProductFormProps) {
  const form = useScannedForm(product, onSaved);
  const fill = useEffectEvent(({ id, scan, fieldId, reply }: NewCode) => {
    const offersSku = scan.kind === 'gtin' && fieldId === inputId('sku');
    form.fill({ id, code: scan.text, offersSku }, toPrefill(scan, reply));
  });
  const fillLater = useEffectEvent(form.fillLater);
  // Fills the form from a scan, then from the later answer of the sources, which fills only empty fields.
  useEffect(() => {
    if (newCode === null) return;
    const { id, code, scan, reply } = newCode;
    fill(newCode);
    if (reply?.asked !== 'later') return;
    const asking = new AbortController();
    lookUpScannedCode(code, { ask: true, signal: asking.signal })
      .catch(() => null)
      .then((answer) => {
        if (!asking.signal.aborted) fillLater(id, toPrefill(scan, answer));
      });
    return () => asking.abort();
  }, [newCode]);
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => focusFieldOrTitle('name'), []);
  const title = form.isNew ? 'Create New Product' : 'Edit Product';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return form.save();
    }
    // React bubbles key events of dialogs up to here, although the dialogs are outside of the form.
    if (!(event.target instanceof HTMLElement) || !fields.current?.contains(event.target)) return;
    // In a field with a drop-down list, Esc closes only the list, which may be closed already when this runs.
    if (event.key === 'Escape' && !event.target.hasAttribute('aria-haspopup')) onCancel();
    if (event.key === 'Enter' && isTextInput(event.target)) {
      event.preventDefault();
      focusNext(fields.current, event.target);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcuts of the buttons and fields inside
    <div className={`${classes.scanner} shrink`} onKeyDown={onKeyDown}>
      <title>{`${title} · Draftshelf`}</title>
      <PageHeader title={title}>
        <PlainButton onClick={onCancel}>Cancel</PlainButton>
        <Button busy={form.isSaving} onClick={form.save}>
          {form.isNew ? 'Save Product' : 'Update Product'}
        </Button>
      </PageHeader>
      <LeaveGuard isDirty={form.isDirty} ofAddress title="Leave without saving?">
        <BodyText>The product’s changes and new photos haven’t been saved.</BodyText>
      </LeaveGuard>
      <SaveProblem form={form} />
      <div ref={fields} className={`${classes.form} grid gap-lg form-width`}>
        <PhotosField form={form} />
        <FormFields form={form} onScan={onScan} />
      </div>
    </div>
  );
}

/** Whether Enter moves on to the next field. Enter never saves, because scanners send it after a code. */
const isTextInput = (target: HTMLElement): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.getAttribute('aria-haspopup') === null && !target.readOnly;

function focusNext(form: HTMLElement, from: HTMLElement): void {
  const inputs = Array.from(
    form.querySelectorAll<HTMLElement>('input:not([type="hidden"], [hidden]), textarea'),
  );
  inputs[inputs.indexOf(from) + 1]?.focus();
}

/** The cause of a failed save. All entered values are kept. */
function SaveProblem({ form }: { form: ScannedForm }) {
  const { failure, conflict } = form;
  const panels = useRef<HTMLDivElement>(null);
  // Scrolls to the message, because on a phone the save buttons are far from it.
  useEffect(() => {
    if (failure !== null || conflict !== null) panels.current?.scrollIntoView({ block: 'nearest' });
  }, [failure, conflict]);
  if (failure === null && conflict === null) return null;
  const isUnsure = failure !== null && mayHaveBeenSaved(failure.error);
  const reason = isUnsure ? 'The server didn’t answer.' : serverMessageOf(failure?.error);
  const outcome = isUnsure
    ? 'The product may have been saved. You can save again: no second product is made.'
    : 'Nothing was saved. Your entries and photos are still here; try again.';
  return (
    <div ref={panels} className={`stack ${classes.saveProblem} gap-sm form-width`}>
      {failure !== null && (
        <ErrorPanel
          title={failure.isGone ? goneWords : (reason ?? 'Couldn’t save the product.')}
          cause={failure.error.message}
        >
          {failure.isGone ? 'Save it again to keep it as a new product.' : outcome}
        </ErrorPanel>
      )}
      {conflict !== null && (
        <SaveConflict
          title="This product was changed after you opened it. Nothing was saved."
          isSaving={form.isSaving}
          onSaveMine={form.saveOver}
          onUseTheirs={form.takeTheirs}
        >
          <DifferencesTable head="Field" differences={listDifferences(form.draft, form.photos, conflict)} />
        </SaveConflict>
      )}
    </div>
  );
}

const goneWords = 'This product was deleted after you opened it.';

const CaptureDialog = lazyOverlay(() => import('../photos/capture-dialog.tsx'), 'CaptureDialog');

function PhotosField({ form }: { form: ScannedForm }) {
  const [openDialog, setOpenDialog] = useState<'camera' | 'files' | null>(null);
  const { photos } = form;
  const reason = photos.length >= photosMax ? `A product has at most ${photosMax} photos.` : null;
  const close = () => setOpenDialog(null);
  return (
    <TitledSection id="scanned-photos" title="Product Photos" headClass={classes.legend}>
      <div className={`row-wrap ${classes.photoButtons}`}>
        <HintedButton
          variant="light"
          icon={IconCamera}
          iconSize={18}
          reason={reason}
          onClick={() => setOpenDialog('camera')}
        >
          Take Photo
        </HintedButton>
        <HintedButton
          variant="default"
          icon={IconPhotoUp}
          iconSize={18}
          reason={reason}
          onClick={() => setOpenDialog('files')}
        >
          Upload Photo
        </HintedButton>
      </div>
      {photos.length > 0 && (
        <ul className={`row-wrap list ${classes.thumbnails} top`} aria-label="Photos">
          {photos.map(({ key, src }, at) => (
            <li key={key} data-refused={form.photoProblems[key] !== undefined || undefined}>
              <Picture
                className={`${classes.thumbnail} center-grid dim full surface-quiet framed`}
                src={src}
                alt={`Photo ${at + 1}`}
                isEager
                fallback={
                  <span className={`${classes.thumbnail} center-grid dim full surface-quiet framed`}>
                    <IconPhotoOff size={24} stroke={1.5} aria-hidden />
                    <span className="visually-hidden">{`Photo ${at + 1} can’t be shown`}</span>
                  </span>
                }
              />
              <IconButton
                icon={IconX}
                className={classes.removePhoto}
                variant="default"
                size="lg"
                label={`Remove photo ${at + 1}`}
                onClick={() => form.removePhoto(key)}
              />
              {form.photoProblems[key] !== undefined && (
                <Text component="span" size="xs" c="var(--text-bad)" role="alert">
                  {form.photoProblems[key]}
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
      <CaptureDialog
        opened={openDialog === 'camera'}
        isLast={photos.length >= photosMax - 1}
        onCapture={(src) => form.addPhoto({ src, address: null })}
        onUpload={() => setOpenDialog('files')}
        onClose={close}
      />
      <UploadDialog
        opened={openDialog === 'files'}
        present={photos}
        onSent={(photo, sent) => form.addPhoto({ src: URL.createObjectURL(photo), ...sent })}
        onClose={close}
      />
    </TitledSection>
  );
}

const FormFields = ({ form, onScan }: { form: ScannedForm; onScan: () => void }) => (
  <Stack miw={0} className={classes.fields ?? ''}>
    <TextField
      form={form}
      field="upc"
      inputMode="numeric"
      description={form.latestScan?.note ?? upcHint(form.draft.upc)}
      rightSectionWidth={48}
      rightSection={
        <ActionIcon variant="subtle" size="lg" aria-label="Scan a code" onClick={onScan}>
          <IconBarcode size={20} aria-hidden />
        </ActionIcon>
      }
    />
    <FilledByScan form={form} />
    <TextField form={form} field="name" autoCapitalize="words" />
    <div className={classes.pair}>
      <TextField form={form} field="sku" autoCapitalize="characters" autoCorrect="off" spellCheck={false} />
      <PriceField form={form} />
    </div>
    {/* A product number scanned in the SKU field goes into the UPC field. This button copies it to the SKU field. */}
    {form.latestScan?.offersSku !== true ? null : (
      <div className={`row-wrap break-words ${classes.scanLine} gap-x-sm`}>
        <BodyText role="status">{`${form.latestScan.code} is in the UPC field.`}</BodyText>
        <TextButton onClick={form.putCodeIntoSku}>Use as SKU</TextButton>
      </div>
    )}
    <Textarea
      {...inputOf({ form, field: 'description' })}
      enterKeyHint={undefined}
      rows={3}
      dir="auto"
      onChange={(event) => form.set('description', event.currentTarget.value)}
    />
    <fieldset className={classes.group}>
      <legend>Dimensions</legend>
      <div className={classes.quartet}>
        <NumberField form={form} field="length" />
        <NumberField form={form} field="width" />
        <NumberField form={form} field="height" />
        <UnitField form={form} field="dimensionUnit" units={lengthUnits} />
      </div>
    </fieldset>
    <div className={classes.measured}>
      <NumberField form={form} field="weight" />
      <UnitField form={form} field="weightUnit" units={weightUnits} />
    </div>
    <BatchField form={form} />
  </Stack>
);

type FieldProps = { form: ScannedForm; field: DraftField };

const inputWrapperOrder: TextInputProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];

function inputOf({ form, field }: FieldProps) {
  const source = form.sources[field];
  return {
    id: inputId(field),
    label: fieldLabels[field],
    value: form.draft[field],
    error: form.problems[field],
    enterKeyHint: 'next' as const,
    autoComplete: 'off',
    ...(source === undefined ? {} : { description: `Found by ${source}`, 'data-found': true }),
    inputWrapperOrder,
  };
}

function TextField({ form, field, description, ...props }: FieldProps & Omit<TextInputProps, 'form'>) {
  const input = inputOf({ form, field });
  return (
    <TextInput
      {...props}
      {...input}
      description={input.description ?? description}
      dir="auto"
      onChange={(event) => form.set(field, event.currentTarget.value)}
    />
  );
}

/** A text field for numbers: in most browser languages, a number input drops the comma of '29,95' and gives 2995. */
const NumberField = ({ form, field, ...props }: FieldProps & Omit<TextInputProps, 'form'>) => (
  <TextInput
    {...props}
    {...inputOf({ form, field })}
    inputMode="decimal"
    classNames={{ input: 'numbers' }}
    onChange={(event) => form.set(field, event.currentTarget.value)}
  />
);

const stepsByKey: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

function PriceField({ form }: { form: ScannedForm }) {
  const step = (event: KeyboardEvent) => {
    const steps = stepsByKey[event.key];
    const price = steps === undefined ? null : stepPrice(form.draft.price, steps);
    if (price === null) return;
    event.preventDefault();
    form.set('price', price);
  };
  return <NumberField form={form} field="price" step={priceStep} placeholder="0.00" onKeyDown={step} />;
}

/** Removes a closed drop-down list from the page, so that a label refers only to its field. */
const shownWhenOpened = { keepMounted: false };

const UnitField = ({ form, field, units }: FieldProps & { units: readonly string[] }) => (
  <Select
    id={inputId(field)}
    label="Unit"
    aria-label={fieldLabels[field]}
    data={[...units]}
    value={form.draft[field]}
    error={form.problems[field]}
    comboboxProps={shownWhenOpened}
    onChange={(unit) => unit !== null && form.set(field, unit)}
  />
);

function FilledByScan({ form: { latestScan, undoScan } }: { form: ScannedForm }) {
  const words = latestScan === null ? null : describeFilledFields(latestScan);
  if (words === null) return null;
  return (
    <div className={`row-wrap break-words ${classes.scanLine} gap-x-sm`}>
      <BodyText>{`The scan filled in ${words}.`}</BodyText>
      <TextButton onClick={undoScan}>Undo Scan</TextButton>
    </div>
  );
}

/** Returns a hint about an invalid UPC, or null. The product can be saved anyway. */
const upcHint = (upc: string): string | null => (upc.trim() === '' ? null : findGtinProblem(upc));

/** Statuses of the imports to which a product can be added. */
const batchStatuses = ['processed', 'processing'];
/** The SKU is checked once typing has paused for this time. */
const skuSettledMs = 300;

function BatchField({ form }: { form: ScannedForm }) {
  const imports = useQuery(importsRead(null));
  const { selectedBatch, sku } = form.draft;
  const [settledSku] = useDebouncedValue(sku.trim(), skuSettledMs);
  const query = { ...(settledSku !== '' && { sku: settledSku }), ...(form.id && { product: form.id }) };
  const check = useQuery({
    ...readOf('checkBatch', { params: { id: selectedBatch }, query }),
    enabled: selectedBatch !== noBatch,
    staleTime: 0,
  });
  const open = imports.data?.imports.filter(({ status }) => batchStatuses.includes(status)) ?? [];
  return (
    <div>
      <Select
        id={inputId('selectedBatch')}
        label={fieldLabels.selectedBatch}
        placeholder="Select a batch (optional)"
        comboboxProps={shownWhenOpened}
        data={[
          { value: noBatch, label: 'No batch selected' },
          ...open.map((batch) => ({ value: batch.id, label: importLabel(batch) })),
        ]}
        value={selectedBatch}
        error={
          form.problems.selectedBatch ??
          check.data?.refusal ??
          (imports.isError && 'Couldn’t load the batches.')
        }
        onChange={(batch) => batch !== null && form.set('selectedBatch', batch)}
      />
      <Text size="xs" c="var(--text-warning)" role="status">
        {check.data?.sameSku}
      </Text>
      {form.batches.map(({ id, filename, row }) => (
        <SmallText key={id} mt="var(--tight)" className="break-words">
          In <Link to={importPath(id)}>{filename}</Link>
          {row !== null && `, row ${row}`}
        </SmallText>
      ))}
    </div>
  );
}
