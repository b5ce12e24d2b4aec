import { fieldChoices } from '@draftshelf/domain/base/field-choices';
import { lookOf } from '@draftshelf/domain/base/field-look';
import { gtinProblem, hasLostDigits } from '@draftshelf/domain/base/gtin';
import { parseMoney } from '@draftshelf/domain/base/money';
import { picturesOf } from '@draftshelf/domain/products/images';
import { isTooLong, storeTextCharsMax } from '@draftshelf/domain/review/store-limits';
import { Select, Text, Textarea, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { useSettings } from '../../settings/index.ts';
import { CollectionField } from './collection-field.tsx';
import { DescriptionProposal } from './description-proposal.tsx';
import { DialogFieldFrame } from './dialog-field.tsx';
import classes from './product-dialog.module.css';
import type { DialogField } from './product-draft.ts';
import { ProductImages } from './product-images.tsx';
import { SearchPreview } from './search-preview.tsx';
import { TagsField } from './tags-field.tsx';
import type { ProductForm } from './use-product-form.ts';

/** All fields, in the order of Shopify's own product page. */
export function ProductFields({ form }: { form: ProductForm }) {
  return (
    <div className={classes.fields}>
      <div className={`stack ${classes.column}`}>
        <TitleField form={form} />
        <div>
          <LongField form={form} field="description" />
          <DescriptionProposal form={form} />
        </div>
        <Section title="Images">
          <TextField form={form} field="image" />
          <LongField form={form} field="moreImages" />
          <ProductImages
            image={form.shown('image')}
            moreImages={form.shown('moreImages')}
            checkedUrl={form.row.image?.state === 'ok' ? picturesOf(form.row.values)[0]?.src : undefined}
          />
        </Section>
        <Section title="Pricing">
          <div className={classes.row}>
            <MoneyField form={form} field="price" />
            <MoneyField form={form} field="compareAtPrice" />
            <MoneyField form={form} field="cost" />
          </div>
        </Section>
        <Section title="Inventory">
          <div className={classes.row}>
            <TextField form={form} field="sku" />
            <UpcField form={form} />
            <TextField form={form} field="quantity" />
            <ChoiceField form={form} field="trackQuantity" />
            <ChoiceField form={form} field="continueSelling" />
            <TextField form={form} field="itemNumber" />
            <TextField form={form} field="tcin" />
            <TextField form={form} field="origin" />
          </div>
          {form.unsent.weight !== undefined && (
            <Text size="xs" c="dimmed">
              Weight {form.edited.values.weight}. {form.unsent.weight}
            </Text>
          )}
        </Section>
      </div>
      <div className={`stack ${classes.column}`}>
        <Section title="Organization">
          <StatusField form={form} />
          <TextField form={form} field="vendor" />
          <TextField form={form} field="type" />
          <CollectionField form={form} />
          <TagsField form={form} />
          <TextField form={form} field="pointOfSale" />
        </Section>
        <SearchPreview title={form.shown('title')} description={form.shown('description')} />
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`stack ${classes.section}`}>
      <Title order={3}>{title}</Title>
      {children}
    </section>
  );
}

type FieldProps = { form: ProductForm; field: DialogField };

function TextField({ form, field }: FieldProps) {
  return (
    <DialogFieldFrame form={form} field={field}>
      {(input) => (
        <TextInput
          {...input}
          dir="auto"
          inputMode={lookOf(field).keyboard}
          onChange={(event) => form.set(field, event.currentTarget.value)}
        />
      )}
    </DialogFieldFrame>
  );
}

function TitleField({ form }: { form: ProductForm }) {
  const title = form.shown('title');
  return (
    <DialogFieldFrame form={form} field="title">
      {(input) => (
        <TextInput
          {...input}
          dir="auto"
          rightSectionWidth={64}
          rightSection={
            <Text size="xs" className="numbers" c={isTooLong(title) ? 'var(--text-bad)' : 'dimmed'}>
              {formatCount(title.length)}/{storeTextCharsMax}
            </Text>
          }
          onChange={(event) => form.set('title', event.currentTarget.value)}
        />
      )}
    </DialogFieldFrame>
  );
}

function LongField({ form, field }: FieldProps) {
  return (
    <DialogFieldFrame form={form} field={field}>
      {(input) => (
        <Textarea
          {...input}
          dir="auto"
          autosize
          minRows={field === 'description' ? 3 : 1}
          maxRows={10}
          onChange={(event) => form.set(field, event.currentTarget.value)}
        />
      )}
    </DialogFieldFrame>
  );
}

/** The specification's currency of imports, unless the file names another. */
const currencyDefault = 'CAD';

function MoneyField({ form, field }: FieldProps) {
  const text = form.shown(field).trim();
  const isNoNumber = field !== 'price' && text !== '' && parseMoney(text) === null;
  return (
    <DialogFieldFrame form={form} field={field}>
      {(input) => (
        <TextInput
          {...input}
          error={isNoNumber ? 'This isn’t a valid number, so it won’t be sent.' : input.error}
          inputMode={lookOf(field).keyboard}
          classNames={{ input: classes.amount ?? '' }}
          leftSectionWidth={46}
          leftSection={
            <Text size="xs" c="dimmed">
              {form.edited.values.currency ?? currencyDefault}
            </Text>
          }
          onChange={(event) => form.set(field, event.currentTarget.value)}
        />
      )}
    </DialogFieldFrame>
  );
}

function UpcField({ form }: { form: ProductForm }) {
  const upc = form.shown('upc');
  return (
    <DialogFieldFrame form={form} field="upc">
      {(input) => (
        <TextInput
          {...input}
          inputMode={lookOf('upc').keyboard}
          error={input.error && !hasLostDigits(upc) ? gtinProblem(upc) : input.error}
          onChange={(event) => form.set('upc', event.currentTarget.value)}
        />
      )}
    </DialogFieldFrame>
  );
}

const choiceWords = {
  status: { draft: 'Draft', active: 'Active', archived: 'Archived' },
  trackQuantity: { shopify: 'Shopify', none: 'None' },
  continueSelling: { deny: 'Deny', continue: 'Continue' },
} as const satisfies { [F in keyof typeof fieldChoices]: Record<(typeof fieldChoices)[F][number], string> };

function ChoiceField({ form, field }: { form: ProductForm; field: keyof typeof fieldChoices }) {
  const words: Record<string, string> = choiceWords[field];
  return (
    <DialogFieldFrame form={form} field={field}>
      {(input) => (
        <Select
          {...input}
          data={fieldChoices[field].map((value) => ({ value, label: words[value] ?? value }))}
          comboboxProps={{ withinPortal: true }}
          onChange={(value) => value !== null && form.set(field, value)}
        />
      )}
    </DialogFieldFrame>
  );
}

/** With Safe Mode, the store gets a draft whatever the status says. */
function StatusField({ form }: { form: ProductForm }) {
  const { data: settings } = useSettings();
  return (
    <div>
      <ChoiceField form={form} field="status" />
      {settings?.draftMode === true && (
        <Text size="xs" c="dimmed">
          Safe Mode is on: pushed as draft. This is the status once you release it.
        </Text>
      )}
    </div>
  );
}
