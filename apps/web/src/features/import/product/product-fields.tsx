import { isProductField } from '@draftshelf/domain/base/canonical-fields';
import { fieldChoices, fieldDefaults } from '@draftshelf/domain/base/field-choices';
import { displayOf } from '@draftshelf/domain/base/field-look';
import { findGtinProblem, hasLostDigits } from '@draftshelf/domain/base/gtin';
import type { MetafieldField } from '@draftshelf/domain/base/metafields';
import { parseMoney } from '@draftshelf/domain/base/money';
import { simpleFieldsOf } from '@draftshelf/domain/base/simple-fields';
import { splitEntries } from '@draftshelf/domain/base/text-list';
import { isTooLong, storeTextCharsMax } from '@draftshelf/domain/review/store-limits';
import {
  Loader,
  Select,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  type TextInputProps,
  Title,
} from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { readOf } from '../../../api/call.ts';
import { formatCount, joinWords } from '../../../lib/intl.ts';
import { BodyText, IconButton, QuietText, SmallText } from '../../../ui/basics.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { PlainHintedButton } from '../../../ui/hint.tsx';
import { useSettings } from '../../settings/index.ts';
import { useCollections } from '../../store/index.ts';
import { TextDiff } from '../proposals/proposal-line.tsx';
import { originWords, reasonWords } from '../proposals/proposal-words.ts';
import classes from './product.module.css';
import { type DialogField, dialogFieldLabel, toSearchPreview } from './product-draft.ts';
import { ProductImages } from './product-images.tsx';
import type { ProductForm } from './use-product-form.ts';

/** In the order of Shopify's own product page. */
export function ProductFields({ form, metafields }: { form: ProductForm; metafields: MetafieldField[] }) {
  const { data: settings } = useSettings();
  const [title, upc] = [form.textOf('title'), form.textOf('upc')];
  return (
    <div className={`${classes.fields} grid gap-xl`}>
      <div className="stack gap-lg">
        <TextField
          form={form}
          field="title"
          rightSectionWidth={64}
          rightSection={
            <Text size="xs" className="numbers" c={isTooLong(title) ? 'var(--text-bad)' : 'dimmed'}>
              {formatCount(title.length)}/{storeTextCharsMax}
            </Text>
          }
        />
        <div>
          <LongField form={form} field="description" />
          <DescriptionProposal form={form} />
        </div>
        <Section title="Images">
          <ProductImages form={form}>
            <ImageFields form={form} />
          </ProductImages>
        </Section>
        <Section title="Pricing">
          <div className={`${classes.row} grid gap-sm`}>
            <MoneyField form={form} field="price" />
            <MoneyField form={form} field="compareAtPrice" />
            <MoneyField form={form} field="cost" />
          </div>
        </Section>
        <Section title="Inventory">
          <div className={`${classes.row} grid gap-sm`}>
            <TextField form={form} field="sku" />
            <TextField
              form={form}
              field="upc"
              error={form.problems.upc && !hasLostDigits(upc) && findGtinProblem(upc)}
            />
            <TextField form={form} field="quantity" />
            <ChoiceField form={form} field="trackQuantity" />
            <ChoiceField form={form} field="continueSelling" />
            <TextField form={form} field="itemNumber" />
            <TextField form={form} field="tcin" />
            <TextField form={form} field="origin" />
            {simpleFieldsOf('variant').map(([field]) => (
              <TextField key={field} form={form} field={field} />
            ))}
          </div>
          {form.unsent.weight !== undefined && (
            <SmallText>
              Weight {form.edited.values.weight}. {form.unsent.weight}
            </SmallText>
          )}
        </Section>
      </div>
      <div className="stack gap-lg">
        <Section title="Organization">
          <div>
            <ChoiceField form={form} field="status" />
            {/* In Safe Mode the store gets a draft regardless of the status. */}
            {settings?.draftMode === true && (
              <SmallText>
                Safe Mode is on, so the product is pushed as a draft. This status applies once you release the
                product.
              </SmallText>
            )}
          </div>
          <TextField form={form} field="vendor" />
          <TextField form={form} field="type" />
          <CollectionField form={form} />
          <DialogFieldFrame form={form} field="tags">
            {({ value, ...input }) => (
              <TagsInput
                {...input}
                value={splitEntries(value)}
                splitChars={separators}
                acceptValueOnBlur
                onChange={(tags) => form.set('tags', tags.join(', '))}
              />
            )}
          </DialogFieldFrame>
          <TextField form={form} field="pointOfSale" />
        </Section>
        {metafields.length > 0 && (
          <Section title="Metafields">
            {metafields.map((field) => (
              <LongField key={field} form={form} field={field} />
            ))}
          </Section>
        )}
        <Section title="Search listing">
          <TextField form={form} field="seoTitle" />
          <LongField form={form} field="seoDescription" />
        </Section>
        <SearchPreview
          title={form.textOf('seoTitle') || title}
          description={form.textOf('seoDescription') || form.textOf('description')}
        />
      </div>
    </div>
  );
}

export const ImageFields = ({ form }: { form: ProductForm }) => (
  <>
    <TextField form={form} field="image" />
    <LongField form={form} field="moreImages" />
  </>
);

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="stack gap-sm">
    <Title order={3}>{title}</Title>
    {children}
  </section>
);

type FieldProps = { form: ProductForm; field: DialogField };

/** `error`: shown instead of the error that the form has for the field. */
const TextField = ({ form, field, error, ...props }: FieldProps & Omit<TextInputProps, 'form'>) => (
  <DialogFieldFrame form={form} field={field}>
    {(input) => (
      <TextInput
        {...input}
        dir="auto"
        inputMode={displayOf(field).keyboard}
        onChange={(event) => form.set(field, event.currentTarget.value)}
        {...props}
        error={error || input.error}
      />
    )}
  </DialogFieldFrame>
);

const LongField = ({ form, field }: FieldProps) => (
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

/** Currency of an import whose file names no currency. */
const currencyDefault = 'CAD';

function MoneyField({ form, field }: FieldProps) {
  const text = form.textOf(field).trim();
  const isNoNumber = field !== 'price' && text !== '' && parseMoney(text) === null;
  return (
    <TextField
      form={form}
      field={field}
      error={isNoNumber && 'This isn’t a valid number, so it won’t be sent.'}
      styles={{ input: { textAlign: 'right' } }}
      leftSectionWidth={46}
      leftSection={<SmallText>{form.edited.values.currency ?? currencyDefault}</SmallText>}
    />
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
          onChange={(value) => value !== null && form.set(field, value)}
        />
      )}
    </DialogFieldFrame>
  );
}

/** 'All Products' and the current collection are offered even if the store does not answer. */
function CollectionField({ form }: { form: ProductForm }) {
  const { data, error, isPending } = useCollections();
  const current = form.textOf('collections');
  const titles = (data ?? []).map(({ title }) => title);
  const choices = [...new Set([fieldDefaults.collections, current, ...titles])].filter(
    (choice) => choice !== '',
  );
  return (
    <DialogFieldFrame form={form} field="collections">
      {(input) => (
        <>
          <Select
            {...input}
            data={choices}
            searchable
            limit={200}
            nothingFoundMessage="No collection has this name."
            rightSection={isPending ? <Loader size="xs" /> : undefined}
            onChange={(value) => value !== null && form.set('collections', value)}
          />
          {error !== null && (
            <Text size="xs" c="var(--text-warning)" role="alert" title={error.message}>
              Failed to fetch collections
            </Text>
          )}
        </>
      )}
    </DialogFieldFrame>
  );
}

const separators = [',', ';', '|', '\n'];

/** Shows the texts as shortened in search results. A push sends them in full. */
function SearchPreview({ title, description }: { title: string; description: string }) {
  const text = useMemo(() => plainTextOf(description), [description]);
  const preview = toSearchPreview(title, text);
  return (
    <section className="stack gap-sm" aria-label="Search preview">
      <Title order={3}>Search preview</Title>
      <div className="break-words pad-sm surface-quiet rounded" dir="auto">
        <Text size="lg" c="var(--mantine-color-anchor)" lh={1.3}>
          {preview.title === '' ? 'No title' : preview.title}
        </Text>
        <QuietText>{preview.description === '' ? 'No description' : preview.description}</QuietText>
      </div>
    </section>
  );
}

/** A document from `DOMParser` loads no resources and runs no scripts. */
function plainTextOf(html: string): string {
  if (!/[<&]/.test(html)) return html;
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}

/** A proposed description. Accepting it saves its text and its source at once. */
function DescriptionProposal({ form }: { form: ProductForm }) {
  const { row } = form.row;
  const proposals = useQuery(
    readOf('listProposals', { params: { id: form.importId }, query: { row, field: 'description' } }),
  );
  const decision = useCall('decideProposal', { failed: 'Couldn’t accept the proposal' });
  const proposal = proposals.data?.proposals[0];
  if (proposal === undefined) return null;
  const changed = form.undoOf('description') === 'change' ? 'Save or undo your change first.' : null;
  const accept = () =>
    decision.mutate(
      {
        params: { id: form.importId, proposal: proposal.id },
        body: { action: 'take', shown: form.edited.values.description ?? null },
      },
      { onSuccess: () => form.adopt({ description: proposal.value }) },
    );
  return (
    <section
      className={`stack break-words ${classes.proposal} gap-tight`}
      aria-label="Proposed description"
      data-focus-next="#product-description"
    >
      <BodyText dir="auto">
        <TextDiff before={proposal.before} after={proposal.value} />
      </BodyText>
      <SmallText>{`${originWords(proposal)}. ${reasonWords(proposal)}`}</SmallText>
      <div>
        <PlainHintedButton
          reason={form.lock ?? changed}
          loading={decision.isPending}
          aria-label="Accept the proposed description"
          onClick={accept}
        >
          Accept
        </PlainHintedButton>
      </div>
    </section>
  );
}

function originOf(form: ProductForm, field: DialogField): string {
  const { first, firstRow } = form.edited;
  const ofProduct = first !== null && isProductField(field) ? `Product, row ${formatCount(firstRow)}` : '';
  return joinWords([ofProduct, ownOriginOf(form, field)]);
}

function ownOriginOf({ edited, changes, textOf }: ProductForm, field: DialogField): string {
  const unedited = edited.unedited[field];
  if (typeof changes[field] === 'string') return 'Not saved';
  const source = changes[field] === null ? undefined : edited.sources[field];
  if (source === 'edit') return 'Edited';
  if (unedited !== undefined) return unedited.column === null ? 'Filled in' : `File: ${unedited.column}`;
  return textOf(field) === '' ? '' : 'Default';
}

type DialogFieldProps = {
  form: ProductForm;
  field: DialogField;
  children: (input: FieldInput) => ReactNode;
};

type FieldInput = {
  id: string;
  value: string;
  disabled: boolean;
  error: ReactNode;
  'aria-describedby': string;
};

function DialogFieldFrame({ form, field, children }: DialogFieldProps) {
  const label = dialogFieldLabel(field);
  const id = `product-${field}`;
  const undo = form.undoOf(field);
  const origin = originOf(form, field);
  const unedited = form.edited.unedited[field]?.value;
  const isReplaced = undo !== null && unedited !== undefined && unedited !== form.textOf(field);
  return (
    <div data-field={field}>
      <div className={`row ${classes.label} size-sm`}>
        <label htmlFor={id}>{label}</label>
        {origin !== '' && (
          <span
            className={`ellipsis ${classes.origin} small`}
            data-edited={undo !== null || undefined}
            dir="auto"
            title={origin}
          >
            {origin}
          </span>
        )}
        {undo !== null && form.lock === null && (
          <IconButton
            icon={IconArrowBackUp}
            iconSize={14}
            className={`${classes.undo} rigid`}
            size="sm"
            color={undefined}
            label={`Undo ${undo} to ${label}`}
            title={`Undo this ${undo}`}
            onClick={() => form.undo(field)}
          />
        )}
      </div>
      {children({
        id,
        value: form.textOf(field),
        disabled: form.lock !== null,
        error: form.problems[field],
        'aria-describedby': form.problems[field] === undefined ? `${id}-file` : `${id}-file ${id}-error`,
      })}
      <SmallText id={`${id}-file`} lineClamp={2} className="break-words">
        {form.unsent[field]} {isReplaced && `In the file: ${unedited}`}
      </SmallText>
    </div>
  );
}
