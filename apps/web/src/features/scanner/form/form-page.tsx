import { photosMax } from '@draftshelf/domain/scanner/scanned-product';
import { Skeleton, Stack, Text } from '@mantine/core';
import { IconCamera, IconPhotoOff, IconPhotoUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { CallError } from '../../../api/call.ts';
import { Button, IconButton, PlainButton } from '../../../ui/button.tsx';
import { BothValues, SaveConflict } from '../../../ui/draft.tsx';
import { LeaveGuard } from '../../../ui/feedback/confirm.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { overlay } from '../../../ui/later.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { BodyText } from '../../../ui/text.tsx';
import { TitledSection } from '../../../ui/titled-section.tsx';
import { UploadDialog } from '../photos/upload-dialog.tsx';
import { type Prefill, prefillOf } from '../scan/prefill.ts';
import type { NewCode } from '../scan/scanning.tsx';
import classes from '../scanner.module.css';
import { isWithoutAnswer, lookUp, type ShownScanned, useScanned } from '../scanner-api.ts';
import { FormFields } from './form-fields.tsx';
import { differencesOf } from './scanned-draft.ts';
import {
  focusFieldOrTitle,
  inputId,
  type SaveFailure,
  type ScannedForm,
  useScannedForm,
} from './use-scanned-form.ts';

type FormPageProps = {
  id: string | null;
  /** Null: the library has not been read. */
  listedProduct: ShownScanned | null;
  newCode: NewCode | null;
  onScan: () => void;
  onSaved: (id: string) => void;
  onCancel: () => void;
};

/** A product that the library does not show is read first. */
export function FormPage({ id, listedProduct, newCode, onScan, onSaved, onCancel }: FormPageProps) {
  // The shown values stay until they are saved: another read must not replace them.
  const [product, setProduct] = useState(listedProduct);
  const read = useScanned(product === null ? id : null);
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
        <BodyText mt="sm">It may have been deleted meanwhile.</BodyText>
      ) : (
        <Stack gap="md" maw="var(--form-width-max)" aria-hidden>
          {['photos', 'upc', 'name', 'sku', 'description'].map((place) => (
            <Skeleton key={place} height={56} />
          ))}
        </Stack>
      )}
    </div>
  );
}

type ProductFormProps = Omit<FormPageProps, 'id' | 'listedProduct'> & { product: ShownScanned | null };

function ProductForm({ product, newCode, onSaved, onCancel, onScan }: ProductFormProps) {
  const form = useScannedForm(product, onSaved);
  useFilledByScan(newCode, {
    first: ({ id, scan, fieldId }, prefill) => {
      const offersSku = scan.kind === 'gtin' && fieldId === inputId('sku');
      form.fill({ id, code: scan.text, offersSku }, prefill);
    },
    later: form.fillLater,
  });
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => focusFieldOrTitle('name'), []);
  const title = form.isNew ? 'Create New Product' : 'Edit Product';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return form.save();
    }
    // Keys of dialogs bubble up to here although they are outside of the form.
    if (!(event.target instanceof HTMLElement) || !fields.current?.contains(event.target)) return;
    // Esc belongs to a field's list, which may have closed before this runs.
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

/** Enter never saves: hand-held scanners send one after each code. Lists and descriptions use it themselves. */
const isTextInput = (target: HTMLElement): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.getAttribute('aria-haspopup') === null && !target.readOnly;

function focusNext(form: HTMLElement, from: HTMLElement): void {
  const inputs = Array.from(
    form.querySelectorAll<HTMLElement>('input:not([type="hidden"], [hidden]), textarea'),
  );
  inputs[inputs.indexOf(from) + 1]?.focus();
}

/** Nothing that was entered is lost. */
function SaveProblem({ form }: { form: ScannedForm }) {
  const { failure, conflict } = form;
  const panels = useRef<HTMLDivElement>(null);
  // The save buttons are at the other end of a phone's screen.
  useEffect(() => {
    if (failure !== null || conflict !== null) panels.current?.scrollIntoView({ block: 'nearest' });
  }, [failure, conflict]);
  if (failure === null && conflict === null) return null;
  return (
    <div ref={panels} className={`stack ${classes.saveProblem} gap-sm form-width`}>
      {failure !== null && <FailurePanel failure={failure} />}
      {conflict !== null && <ConflictPanel form={form} stored={conflict} />}
    </div>
  );
}

function FailurePanel({ failure: { error, isGone } }: { failure: SaveFailure }) {
  if (isGone) {
    return (
      <ErrorPanel title="This product was deleted after you opened it." cause={error.message}>
        Save it again to keep it as a new product.
      </ErrorPanel>
    );
  }
  if (isWithoutAnswer(error)) {
    return (
      <ErrorPanel title="The server didn’t answer." cause={error.message}>
        It may have been saved; saving again makes no second product.
      </ErrorPanel>
    );
  }
  const server = error instanceof CallError ? error.serverMessage : null;
  return (
    <ErrorPanel title={server ?? 'Couldn’t save the product.'} cause={error.message}>
      Nothing was saved. Your entries and photos are still here; try again.
    </ErrorPanel>
  );
}

const ConflictPanel = ({ form, stored }: { form: ScannedForm; stored: ShownScanned }) => (
  <SaveConflict
    title="This product was changed after you opened it. Nothing was saved."
    isSaving={form.isSaving}
    onSaveMine={form.saveOver}
    onUseTheirs={form.takeTheirs}
  >
    <BothValues head="Field" differences={differencesOf(form.draft, form.photos, stored)} />
  </SaveConflict>
);

type Fill = {
  first: (newCode: NewCode, prefill: Prefill) => void;
  /** Called with the sources' answer if nothing was known at first. */
  later: (id: string, prefill: Prefill) => void;
};

/** Without a known product the sources are asked; their values come later, into fields that are still empty. */
function useFilledByScan(newCode: NewCode | null, { first, later }: Fill): void {
  const onFirst = useEffectEvent(first);
  const onLater = useEffectEvent(later);
  useEffect(() => {
    if (newCode === null) return;
    const { id, code, scan, reply } = newCode;
    onFirst(newCode, prefillOf(scan, reply));
    if (reply?.asked !== 'later') return;
    const asking = new AbortController();
    lookUp(code, { ask: true, signal: asking.signal })
      .catch(() => null)
      .then((answer) => {
        if (!asking.signal.aborted) onLater(id, prefillOf(scan, answer));
      });
    return () => asking.abort();
  }, [newCode]);
}

const CaptureDialog = overlay(() =>
  import('../photos/capture-dialog.tsx').then((chunk) => chunk.CaptureDialog),
);

function PhotosField({ form }: { form: ScannedForm }) {
  const [openDialog, setOpenDialog] = useState<'camera' | 'files' | null>(null);
  const { photos } = form;
  const reason = photos.length >= photosMax ? `A product has at most ${photosMax} photos.` : null;
  const close = () => setOpenDialog(null);
  return (
    <TitledSection id="scanned-photos" title="Product Photos" headClass={classes.legend}>
      <div className={`row-wrap ${classes.photoButtons}`}>
        <ReasonedButton
          variant="light"
          leftSection={<IconCamera size={18} aria-hidden />}
          reason={reason}
          onClick={() => setOpenDialog('camera')}
        >
          Take Photo
        </ReasonedButton>
        <ReasonedButton
          variant="default"
          leftSection={<IconPhotoUp size={18} aria-hidden />}
          reason={reason}
          onClick={() => setOpenDialog('files')}
        >
          Upload Photo
        </ReasonedButton>
      </div>
      {photos.length > 0 && (
        <ul className={`row-wrap list ${classes.thumbnails} top`} aria-label="Photos">
          {photos.map(({ key, src }, at) => (
            <Thumbnail
              key={key}
              src={src}
              number={at + 1}
              problem={form.photoProblems[key]}
              onRemove={() => form.removePhoto(key)}
            />
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

type ThumbnailProps = { src: string; number: number; problem: string | undefined; onRemove: () => void };

const Thumbnail = ({ src, number, problem, onRemove }: ThumbnailProps) => (
  <li data-refused={problem !== undefined || undefined}>
    <Picture
      className={`${classes.thumbnail} center-grid dim full surface-quiet framed`}
      src={src}
      alt={`Photo ${number}`}
      isEager
      fallback={
        <span className={`${classes.thumbnail} center-grid dim full surface-quiet framed`}>
          <IconPhotoOff size={24} stroke={1.5} aria-hidden />
          <span className="visually-hidden">{`Photo ${number} can’t be shown`}</span>
        </span>
      }
    />
    <IconButton
      icon={IconX}
      className={classes.removePhoto}
      variant="default"
      size="lg"
      label={`Remove photo ${number}`}
      onClick={onRemove}
    />
    {problem !== undefined && (
      <Text component="span" size="xs" c="var(--text-bad)" role="alert">
        {problem}
      </Text>
    )}
  </li>
);
