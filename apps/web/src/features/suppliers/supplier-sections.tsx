import type { Recipe } from '@draftshelf/contract/review/recipes';
import type { OperatorValue, SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { recipeModes } from '@draftshelf/domain/review/operations/recipe';
import { Group, Select, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useIsMutating, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { CallRequest } from '../../api/call.ts';
import { freshMs, pagedReadOf, readOf } from '../../api/call.ts';
import { countOf, formatCount, formatDay, formatExactTime } from '../../lib/intl.ts';
import { suppliersPath } from '../../lib/paths.ts';
import { BodyText, PlainButton, QuietText, SmallButton } from '../../ui/basics.tsx';
import { ConfirmedButton } from '../../ui/feedback/confirm.tsx';
import { PagedList, ReadView } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { HintedButton, TitledSection } from '../../ui/hint.tsx';
import { targetWords } from '../import/index.ts';
import classes from './suppliers.module.css';
import { describeMerge, describeOwnValue, labelOwnValue } from './suppliers-api.ts';

const pauseMs = 250;

export const SupplierValues = ({ supplier }: { supplier: SupplierDetails }) => (
  <TitledSection id="your-values" title="Your values" gap="xs">
    {supplier.values === 0 ? (
      <BodyText>
        None yet. Your changes to single products of a list are carried over into the next list, and then
        appear here.
      </BodyText>
    ) : (
      <Values supplier={supplier} />
    )}
  </TitledSection>
);

function Values({ supplier: { id, name, values, fields } }: { supplier: SupplierDetails }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [search] = useDebouncedValue(typed.trim(), pauseMs);
  const field = fields.find((one) => one.field === chosen) ?? null;
  const pages = useInfiniteQuery({
    ...pagedReadOf('listOwnValues', { id }, { search, ...(field !== null && { field: field.field }) }),
    staleTime: freshMs,
  });
  const forgetting = useCall('forgetOwnValues', { params: { id }, failed: 'Couldn’t forget it' });
  const of = field === null ? '' : ` of ${labelOwnValue(field.field)}`;
  const forget = (body: CallRequest<'forgetOwnValues'>['body']) => forgetting.mutate({ body });
  return (
    <>
      <QuietText>
        These values are carried over into each new list of {name}, until you forget them.
      </QuietText>
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
            label: `${labelOwnValue(one.field)} (${formatCount(one.values)})`,
          }))}
          value={field?.field ?? null}
          onChange={setChosen}
        />
        <ConfirmedButton
          button={(ask) => (
            <PlainButton onClick={ask}>
              {field === null ? 'Forget All…' : `Forget ${labelOwnValue(field.field)}…`}
            </PlainButton>
          )}
          title={`Forget your ${countOf(field?.values ?? values, 'value')}${of}?`}
          confirm="Forget Them"
          keep="Keep Them"
          onConfirm={() => forget(field === null ? { all: true } : { field: field.field })}
        >
          <p>
            The next list of {name} shows its own values. Lists that were already read keep your values. This
            can’t be undone.
          </p>
        </ConfirmedButton>
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
        {pages.data?.pages[0]?.values.length === 0 && <BodyText>No value matches.</BodyText>}
      </div>
    </>
  );
}

function Value({ name, value, onForget }: { name: string; value: OperatorValue; onForget: () => void }) {
  const { title, theirs, saidAt, filename } = value;
  const words = describeOwnValue(value);
  return (
    <li className={`row ${classes.line} pad-y-tight line-below`}>
      <div className="grow">
        <BodyText fw={550} dir="auto" className="break-words">
          {title ?? 'No title'}
        </BodyText>
        <BodyText className="numbers break-words">{words}</BodyText>
        <QuietText className="numbers break-words">
          {theirs !== null && `${name}: ${theirs === '' ? 'empty' : theirs} · `}
          yours since <span title={formatExactTime(saidAt)}>{formatDay(Date.parse(saidAt))}</span> ({filename}
          )
        </QuietText>
      </div>
      <SmallButton
        aria-label={`Forget ${words} of ${title ?? 'a product without a title'}`}
        onClick={onForget}
      >
        Forget
      </SmallButton>
    </li>
  );
}

export function SupplierRecipes({ supplier: { id, name } }: { supplier: SupplierDetails }) {
  const reading = useQuery({ ...readOf('listSupplierRecipes', { params: { id } }), staleTime: freshMs });
  return (
    <TitledSection id="recipes" title="Recipes" gap="xs">
      <QuietText>
        What you do to many rows of a list is offered for the next list of {name}, in this order.
      </QuietText>
      <ReadView of={reading} what="the recipes" meanwhile={<Skeleton height={120} aria-hidden />}>
        {({ recipes }) =>
          recipes.length === 0 ? (
            <BodyText>None yet. They appear here with the next list.</BodyText>
          ) : (
            <ol className="list" aria-label="Recipes" data-focus-next="#recipes">
              {recipes.map((recipe, at) => (
                <RecipeItem key={recipe.id} supplier={id} recipe={recipe} isFirst={at === 0} />
              ))}
            </ol>
          )
        }
      </ReadView>
    </TitledSection>
  );
}

const asksWords = { ask: 'Ask', always: 'Always', never: 'Off' } as const;

function RecipeItem({ supplier, recipe, isFirst }: { supplier: number; recipe: Recipe; isFirst: boolean }) {
  const { id, sentence, rowsLast, rowsThen, doneIn, version } = recipe;
  const of = { params: { id: supplier, recipe: id }, failed: 'Couldn’t save it' };
  // Shared by all recipes of the supplier, because moving one recipe also changes the versions of other recipes.
  const mutationKey = ['recipes', supplier];
  const changing = useCall('changeRecipe', { ...of, mutationKey });
  const isChanging = useIsMutating({ mutationKey }) > 0;
  const removing = useCall('removeRecipe', of);
  return (
    <li className={`row ${classes.line} pad-y-tight line-below ${classes.recipe}`}>
      <div className="grow">
        <BodyText fw={550} dir="auto" className="break-words">
          {sentence}
        </BodyText>
        <QuietText className="numbers break-words">
          {targetWords(recipe.target)} · {formatCount(rowsLast)} of {countOf(rowsThen, 'row')} of {doneIn}
        </QuietText>
      </div>
      <Group gap="xs">
        <Select
          size="xs"
          w="7rem"
          aria-label={`When: ${sentence}`}
          disabled={isChanging}
          data={recipeModes.map((asks) => ({
            ...{ value: asks, label: asksWords[asks] },
            // The option to always repeat a recipe is available after the recipe's second use.
            disabled: asks === 'always' && !recipe.mayBeAlways,
          }))}
          value={recipe.asks}
          onChange={(asks) => asks !== null && changing.mutate({ body: { version, asks } })}
        />
        <SmallButton
          aria-label={`Move up: ${sentence}`}
          disabled={isFirst || isChanging}
          onClick={() => changing.mutate({ body: { version, move: 'up' } })}
        >
          Up
        </SmallButton>
        <SmallButton aria-label={`Delete: ${sentence}`} onClick={() => removing.mutate({})}>
          Delete
        </SmallButton>
      </Group>
    </li>
  );
}

type Of = { supplier: SupplierDetails };

export function SupplierMerge({ supplier }: Of) {
  const { id, name, values, busy, merged } = supplier;
  const others =
    useQuery({ ...readOf('listSuppliers'), staleTime: freshMs }).data?.filter((other) => other.id !== id) ??
    [];
  const [chosen, setChosen] = useState<string | null>(null);
  const into = others.find((other) => String(other.id) === chosen);
  const merge = useCall('mergeSupplier', {
    params: { id },
    failed: 'Couldn’t merge the suppliers',
    done: () => ({ title: 'Merging suppliers', text: `${name} is being merged into ${into?.name}.` }),
  });
  const navigate = useNavigate();
  const start = () =>
    into && merge.mutate({ body: { into: into.id } }, { onSuccess: () => navigate(suppliersPath) });
  const isNews = merged !== null && merged.twice > 0;
  return (
    <TitledSection id="merge" title="Merge" gap="xs" folded={!isNews}>
      {isNews && <BodyText className="break-words numbers">{describeMerge(merged, name)}</BodyText>}
      <QuietText>If {name} and another supplier are the same, merge them.</QuietText>
      {others.length === 0 ? (
        <BodyText>There is no other supplier.</BodyText>
      ) : (
        <Group gap="xs" className={classes.filters ?? ''}>
          <Select
            aria-label={`Merge ${name} into`}
            placeholder="Choose the supplier that stays"
            searchable
            data={others.map((other) => ({ value: String(other.id), label: other.name }))}
            value={chosen}
            onChange={setChosen}
            className={classes.search ?? ''}
          />
          <ConfirmedButton
            button={(ask) => (
              <HintedButton
                variant="default"
                reason={into ? busy : 'First choose the supplier that stays.'}
                loading={merge.isPending}
                onClick={ask}
              >
                Merge…
              </HintedButton>
            )}
            title={`Merge ${name} into ${into?.name}?`}
            confirm="Merge Suppliers"
            keep="Keep Both"
            onConfirm={start}
          >
            <p>
              {into?.name} gets the lists and products of {name}
              {values > 0 && ` and ${countOf(values, 'value')} of yours`}. If both have a product with the
              same SKU, the one listed last is kept; the other one stays in the store as it is.
            </p>
            <p>{name} is then deleted. This can’t be undone.</p>
          </ConfirmedButton>
        </Group>
      )}
    </TitledSection>
  );
}

export function SupplierDeletion({ supplier: { id, name, values, busy } }: Of) {
  const deletion = useCall('deleteSupplier', {
    params: { id },
    failed: 'Couldn’t delete the supplier',
    done: () => ({ title: 'Deleting the supplier', text: `${name} is being deleted.` }),
  });
  const navigate = useNavigate();
  return (
    <TitledSection id="delete" title="Delete" gap="xs" folded>
      <QuietText>
        Its imports stay, and nothing changes in the store. {name}’s next list will create a new supplier.
      </QuietText>
      <div>
        <ConfirmedButton
          button={(ask) => (
            <HintedButton
              variant="default"
              color="red"
              reason={busy}
              loading={deletion.isPending}
              onClick={ask}
            >
              Delete Supplier…
            </HintedButton>
          )}
          title={`Delete ${name}?`}
          confirm="Delete Supplier"
          keep="Keep Supplier"
          onConfirm={() => deletion.mutate({}, { onSuccess: () => navigate(suppliersPath) })}
        >
          <p>
            {values === 0
              ? `All information about the lists of ${name} is lost.`
              : `${countOf(values, 'value')} of yours and all information about the lists of ${name} are lost.`}{' '}
            Imports stay as they are, and nothing changes in the store. This can’t be undone.
          </p>
        </ConfirmedButton>
      </div>
    </TitledSection>
  );
}
