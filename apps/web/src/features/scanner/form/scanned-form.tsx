import { Text } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { LeaveGuard } from '../../../ui/feedback/leave-guard.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { PhotosField } from '../photos/photos-field.tsx';
import type { NewCode } from '../scan/scanning.tsx';
import { useFilledByScan } from '../scan/use-filled-by-scan.ts';
import classes from '../scanner.module.css';
import type { ShownScanned } from '../scanner-api.ts';
import { FormFields } from './form-fields.tsx';
import { SaveProblem } from './save-problem.tsx';
import { focusFieldOrTitle, inputId, useScannedForm } from './use-scanned-form.ts';

type ScannedFormProps = {
  /** Null: a new product. */
  product: ShownScanned | null;
  onSaved: (id: string) => void;
  onCancel: () => void;
  /** The code that was scanned last; null: none. */
  scanned: NewCode | null;
  /** Opens the scan view, which fills in a code. */
  onScan: () => void;
};

/** The form of a product, in place of the library. */
export function ScannedForm({ product, scanned, onSaved, onCancel, onScan }: ScannedFormProps) {
  const form = useScannedForm(product, onSaved);
  useFilledByScan(scanned, {
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
    // Keys of dialogs bubble up to here, although they are outside of the form.
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
    <div className={classes.scanner} onKeyDown={onKeyDown}>
      <title>{`${title} · Draftshelf`}</title>
      <PageHeader title={title}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button busy={form.isSaving} onClick={form.save}>
          {form.isNew ? 'Save Product' : 'Update Product'}
        </Button>
      </PageHeader>
      <LeaveGuard isDirty={form.isDirty} ofAddress title="Leave without saving?">
        <Text size="sm">The product’s changes and new photos haven’t been saved.</Text>
      </LeaveGuard>
      <SaveProblem form={form} />
      <div ref={fields} className={classes.form}>
        <PhotosField form={form} />
        <FormFields form={form} onScan={onScan} />
      </div>
    </div>
  );
}

/**
 * Enter goes to the next field and never saves: hand-held scanners send one after each code. Lists open with it, and
 * a description has lines.
 */
function isTextInput(target: HTMLElement): target is HTMLInputElement {
  return (
    target instanceof HTMLInputElement && target.getAttribute('aria-haspopup') === null && !target.readOnly
  );
}

function focusNext(form: HTMLElement, from: HTMLElement): void {
  const inputs = Array.from(
    form.querySelectorAll<HTMLElement>('input:not([type="hidden"], [hidden]), textarea'),
  );
  inputs[inputs.indexOf(from) + 1]?.focus();
}
