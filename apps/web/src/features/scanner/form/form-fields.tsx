import { noBatch } from '@draftshelf/contract/wire';
import { gtinProblem } from '@draftshelf/domain/base/gtin';
import { weightUnits } from '@draftshelf/domain/base/weight';
import { lengthUnits } from '@draftshelf/domain/scanner/scanned-product';
import { Select, Stack, Text, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBarcode } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { importPath } from '../../../lib/paths.ts';
import { ActionIcon, TextButton } from '../../../ui/button.tsx';
import { BodyText, SmallText } from '../../../ui/text.tsx';
import { importsRead } from '../../import/index.ts';
import classes from '../scanner.module.css';
import { useBatchCheck } from '../scanner-api.ts';
import { filledWords } from './scan-fill.ts';
import { batchLabel, type DraftField, fieldLabels, priceStep, steppedPrice } from './scanned-draft.ts';
import { inputId, type ScannedForm } from './use-scanned-form.ts';

export const FormFields = ({ form, onScan }: { form: ScannedForm; onScan: () => void }) => (
  <Stack miw={0} className={classes.fields ?? ''}>
    <TextField
      form={form}
      field="upc"
      inputMode="numeric"
      description={form.latestScan?.note ?? upcHint(form.draft.upc)}
      rightSectionWidth={48}
      rightSection={<ScanButton onScan={onScan} />}
    />
    <FilledByScan form={form} />
    <TextField form={form} field="name" autoCapitalize="words" />
    <div className={classes.pair}>
      <TextField form={form} field="sku" autoCapitalize="characters" autoCorrect="off" spellCheck={false} />
      <PriceField form={form} />
    </div>
    <SkuOffer form={form} />
    <DescriptionField form={form} />
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
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
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

/** A number field drops the comma of '29,95' in most browser languages and gives 2995. */
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
    const price = steps === undefined ? null : steppedPrice(form.draft.price, steps);
    if (price === null) return;
    event.preventDefault();
    form.set('price', price);
  };
  return <NumberField form={form} field="price" step={priceStep} placeholder="0.00" onKeyDown={step} />;
}

function DescriptionField({ form }: { form: ScannedForm }) {
  const { enterKeyHint: _, ...input } = inputOf({ form, field: 'description' });
  return (
    <Textarea
      {...input}
      rows={3}
      dir="auto"
      onChange={(event) => form.set('description', event.currentTarget.value)}
    />
  );
}

/** A closed list is not in the page, so that a label leads only to its field. */
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

const ScanButton = ({ onScan }: { onScan: () => void }) => (
  <ActionIcon variant="subtle" size="lg" aria-label="Scan a code" onClick={onScan}>
    <IconBarcode size={20} aria-hidden />
  </ActionIcon>
);

function FilledByScan({ form: { latestScan, undoScan } }: { form: ScannedForm }) {
  const words = latestScan === null ? null : filledWords(latestScan);
  if (words === null) return null;
  return (
    <div className={`row-wrap break-words ${classes.scanLine} gap-x-sm`}>
      <BodyText>{`The scan filled in ${words}.`}</BodyText>
      <TextButton onClick={undoScan}>Undo Scan</TextButton>
    </div>
  );
}

/** A product number scanned in the SKU field goes into the UPC. Some shops also use it as the SKU. */
const SkuOffer = ({ form: { latestScan, putCodeIntoSku } }: { form: ScannedForm }) =>
  latestScan?.offersSku !== true ? null : (
    <div className={`row-wrap break-words ${classes.scanLine} gap-x-sm`}>
      <BodyText role="status">{`${latestScan.code} is in the UPC field.`}</BodyText>
      <TextButton onClick={putCodeIntoSku}>Use as SKU</TextButton>
    </div>
  );

/** A product with such a code can still be saved. */
const upcHint = (upc: string): string | null => (upc.trim() === '' ? null : gtinProblem(upc));

/** The specification offers imports that are ready or being read. */
const batchStatuses = ['processed', 'processing'];
/** The check waits for this pause in typing. */
const skuSettledMs = 300;

function BatchField({ form }: { form: ScannedForm }) {
  const imports = useQuery(importsRead(null));
  const { selectedBatch, sku } = form.draft;
  const [settledSku] = useDebouncedValue(sku.trim(), skuSettledMs);
  const check = useBatchCheck(selectedBatch, settledSku, form.id);
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
          ...open.map((batch) => ({ value: batch.id, label: batchLabel(batch) })),
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
