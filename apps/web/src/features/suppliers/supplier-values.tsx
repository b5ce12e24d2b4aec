import type { OwnValue, SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { Group, Select, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { CallRequest } from '../../api/call.ts';
import { countOf, formatCount, formatDay, formatExact } from '../../lib/intl.ts';
import { PlainButton } from '../../ui/button.tsx';
import { Asked } from '../../ui/feedback/confirm.tsx';
import { PagedList } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { QuietText } from '../../ui/text.tsx';
import { valueField, valueWords } from './supplier-words.ts';
import classes from './suppliers.module.css';
import { useOwnValues } from './suppliers-api.ts';

const pauseMs = 250;

export const SupplierValues = ({ supplier }: { supplier: SupplierDetails }) => (
  <section className="stack" aria-labelledby="your-values">
    <Title order={2} id="your-values" tabIndex={-1}>
      Your values
    </Title>
    {supplier.values === 0 ? (
      <Text size="sm">
        None yet. What you change in single products of a list is carried over into the next one.
      </Text>
    ) : (
      <Values supplier={supplier} />
    )}
  </section>
);

function Values({ supplier: { id, name, values, fields } }: { supplier: SupplierDetails }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [search] = useDebouncedValue(typed.trim(), pauseMs);
  const field = fields.find((one) => one.field === chosen) ?? null;
  const pages = useOwnValues(id, { search, field: field?.field ?? null });
  const forgetting = useCall('forgetOwnValues', { params: { id }, failed: 'Couldn’t forget it' });
  const of = field === null ? '' : ` of ${valueField(field.field)}`;
  const forget = (body: CallRequest<'forgetOwnValues'>['body']) => forgetting.mutate({ body });
  return (
    <>
      <QuietText>They are carried over into each new list of {name}, until you forget them.</QuietText>
      <Group gap="xs" className={classes.filters ?? ''}>
        <TextInput
          type="search"
          aria-label="Search your values"
          placeholder="Search by product, SKU or value"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          maxLength={200}
          className={classes.search ?? ''}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Select
          aria-label="Field"
          placeholder={`All ${countOf(values, 'value')}`}
          clearable
          data={fields.map((one) => ({
            value: one.field,
            label: `${valueField(one.field)} (${formatCount(one.values)})`,
          }))}
          value={field?.field ?? null}
          onChange={setChosen}
        />
        <Asked
          button={(ask) => (
            <PlainButton onClick={ask}>
              {field === null ? 'Forget All…' : `Forget ${valueField(field.field)}…`}
            </PlainButton>
          )}
          title={`Forget your ${countOf(field?.values ?? values, 'value')}${of}?`}
          confirm="Forget Them"
          keep="Keep Them"
          onConfirm={() => forget(field === null ? { all: true } : { field: field.field })}
        >
          <p>
            The next list of {name} shows what {name} says. Lists that were read already keep your values.
            This can’t be undone.
          </p>
        </Asked>
      </Group>
      <div data-focus-next="#your-values">
        <PagedList of={pages} what="your values" label="Your values">
          {(page) =>
            page.values.map((value) => (
              <Value
                key={`${value.subject} ${value.field}`}
                {...{ name, value }}
                onForget={() => forget({ subject: value.subject, field: value.field })}
              />
            ))
          }
        </PagedList>
        {pages.data?.pages[0]?.values.length === 0 && <Text size="sm">No value matches.</Text>}
      </div>
    </>
  );
}

function Value({ name, value, onForget }: { name: string; value: OwnValue; onForget: () => void }) {
  const { title, theirs, saidAt, filename } = value;
  const words = valueWords(value);
  return (
    <li className={`row ${classes.line} pad-y-tight line-below`}>
      <div className="grow">
        <Text size="sm" fw={550} dir="auto" className="break-words">
          {title ?? 'No title'}
        </Text>
        <Text size="sm" className="numbers break-words">
          {words}
        </Text>
        <QuietText className="numbers break-words">
          {theirs !== null && `${name}: ${theirs === '' ? 'empty' : theirs} · `}
          yours since <span title={formatExact(saidAt)}>{formatDay(Date.parse(saidAt))}</span> ({filename})
        </QuietText>
      </div>
      <PlainButton
        size="compact-sm"
        aria-label={`Forget ${words} of ${title ?? 'a product without a title'}`}
        onClick={onForget}
      >
        Forget
      </PlainButton>
    </li>
  );
}
