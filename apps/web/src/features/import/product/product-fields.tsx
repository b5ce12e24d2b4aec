import { fieldChoices, fieldDefaults } from '@draftshelf/domain/base/field-choices';
import { lookOf } from '@draftshelf/domain/base/field-look';
import { gtinProblem, hasLostDigits } from '@draftshelf/domain/base/gtin';
import { parseMoney } from '@draftshelf/domain/base/money';
import { listOf } from '@draftshelf/domain/base/text-list';
import { isTooLong, storeTextCharsMax } from '@draftshelf/domain/review/store-limits';
import { Loader, Select, TagsInput, Text, Textarea, TextInput, Title } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { BodyText, QuietText, SmallText } from '../../../ui/text.tsx';
import { useSettings } from '../../settings/index.ts';
import { useCollections } from '../../store/index.ts';
import { TextDiff } from '../proposals/proposal-line.tsx';
import { originWords, reasonWords } from '../proposals/proposal-words.ts';
import { useFieldProposals } from '../proposals/proposals-api.ts';
import { DialogFieldFrame } from './dialog-field.tsx';
import classes from './product.module.css';
import { type DialogField, searchPreviewOf } from './product-draft.ts';
import { ProductImages } from './product-images.tsx';
import type { ProductForm } from './use-product-form.ts';

/** In the order of Shopify's own product page. */
export function ProductFields({ form }: { form: ProductForm }) {
  return (
    <div className={`${classes.fields} grid gap-xl`}>
      <div className="stack gap-lg">
        <TitleField form={form} />
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
            <UpcField form={form} />
            <TextField form={form} field="quantity" />
            <ChoiceField form={form} field="trackQuantity" />
            <ChoiceField form={form} field="continueSelling" />
            <TextField form={form} field="itemNumber" />
            <TextField form={form} field="tcin" />
            <TextField form={form} field="origin" />
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
          <StatusField form={form} />
          <TextField form={form} field="vendor" />
          <TextField form={form} field="type" />
          <CollectionField form={form} />
          <TagsField form={form} />
          <TextField form={form} field="pointOfSale" />
        </Section>
        <SearchPreview title={form.textOf('title')} description={form.textOf('description')} />
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

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack gap-sm">
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
  const title = form.textOf('title');
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
  const text = form.textOf(field).trim();
  const isNoNumber = field !== 'price' && text !== '' && parseMoney(text) === null;
  return (
    <DialogFieldFrame form={form} field={field}>
      {(input) => (
        <TextInput
          {...input}
          error={isNoNumber ? 'This isn’t a valid number, so it won’t be sent.' : input.error}
          inputMode={lookOf(field).keyboard}
          styles={{ input: { textAlign: 'right' } }}
          leftSectionWidth={46}
          leftSection={<SmallText>{form.edited.values.currency ?? currencyDefault}</SmallText>}
          onChange={(event) => form.set(field, event.currentTarget.value)}
        />
      )}
    </DialogFieldFrame>
  );
}

function UpcField({ form }: { form: ProductForm }) {
  const upc = form.textOf('upc');
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
        <SmallText>Safe Mode is on: pushed as draft. This is the status once you release it.</SmallText>
      )}
    </div>
  );
}

/** 'All Products' and the current one are offered even without the store. */
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

function TagsField({ form }: { form: ProductForm }) {
  return (
    <DialogFieldFrame form={form} field="tags">
      {({ value, ...input }) => (
        <TagsInput
          {...input}
          value={listOf(value)}
          splitChars={separators}
          acceptValueOnBlur
          onChange={(tags) => form.set('tags', tags.join(', '))}
        />
      )}
    </DialogFieldFrame>
  );
}

/** Only this preview cuts texts, not the push. */
function SearchPreview({ title, description }: { title: string; description: string }) {
  const text = useMemo(() => plainTextOf(description), [description]);
  const preview = searchPreviewOf(title, text);
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

/** A parsed document loads nothing and runs nothing. */
function plainTextOf(html: string): string {
  if (!/[<&]/.test(html)) return html;
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}

/** Accepting stores the value at once, with its origin. */
function DescriptionProposal({ form }: { form: ProductForm }) {
  const { row } = form.row;
  const proposals = useFieldProposals(form.importId, { row, field: 'description' });
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
        <ReasonedButton
          size="compact-md"
          variant="default"
          reason={form.lock ?? changed}
          loading={decision.isPending}
          aria-label="Accept the proposed description"
          onClick={accept}
        >
          Accept
        </ReasonedButton>
      </div>
    </section>
  );
}
