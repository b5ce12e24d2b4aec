import type { Recipe } from '@draftshelf/contract/review/recipes';
import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { recipeAsks } from '@draftshelf/domain/review/operations/recipe';
import { Group, Select, Skeleton, Text, Title } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { countOf, formatCount } from '../../lib/intl.ts';
import { PlainButton } from '../../ui/button.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { QuietText } from '../../ui/text.tsx';
import { whereWords } from '../import/index.ts';
import classes from './suppliers.module.css';
import { useRecipes } from './suppliers-api.ts';

export function SupplierRecipes({ supplier: { id, name } }: { supplier: SupplierDetails }) {
  const reading = useRecipes(id);
  return (
    <section className="stack" aria-labelledby="recipes">
      <Title order={2} id="recipes" tabIndex={-1}>
        Recipes
      </Title>
      <QuietText>
        What you do to many rows of a list is offered for the next list of {name}, in this order.
      </QuietText>
      <Read of={reading} what="the recipes" meanwhile={<Skeleton height={120} aria-hidden />}>
        {({ recipes }) =>
          recipes.length === 0 ? (
            <Text size="sm">None yet.</Text>
          ) : (
            <ol className="list" aria-label="Recipes" data-focus-next="#recipes">
              {recipes.map((recipe, at) => (
                <RecipeItem key={recipe.id} supplier={id} recipe={recipe} isFirst={at === 0} />
              ))}
            </ol>
          )
        }
      </Read>
    </section>
  );
}

const asksWords = { ask: 'Ask', always: 'Always', never: 'Off' } as const;

function RecipeItem({ supplier, recipe, isFirst }: { supplier: number; recipe: Recipe; isFirst: boolean }) {
  const { id, sentence, rowsLast, rowsThen, doneIn, version } = recipe;
  const of = { params: { id: supplier, recipe: id }, failed: 'Couldn’t save it' };
  // Moving one also changes the versions of others.
  const mutationKey = ['recipes', supplier];
  const changing = useCall('changeRecipe', { ...of, mutationKey });
  const isChanging = useIsMutating({ mutationKey }) > 0;
  const removing = useCall('removeRecipe', of);
  return (
    <li className={`row ${classes.line} pad-y-tight line-below ${classes.recipe}`}>
      <div className="grow">
        <Text size="sm" fw={550} dir="auto" className="break-words">
          {sentence}
        </Text>
        <QuietText className="numbers break-words">
          {whereWords(recipe.target)} · {formatCount(rowsLast)} of {countOf(rowsThen, 'row')} of {doneIn}
        </QuietText>
      </div>
      <Group gap="xs">
        <Select
          size="xs"
          w="7rem"
          aria-label={`When: ${sentence}`}
          allowDeselect={false}
          disabled={isChanging}
          data={recipeAsks.map((asks) => ({
            ...{ value: asks, label: asksWords[asks] },
            // Only after its second time.
            disabled: asks === 'always' && !recipe.mayBeAlways,
          }))}
          value={recipe.asks}
          onChange={(value) => {
            const asks = recipeAsks.find((one) => one === value);
            if (asks !== undefined) changing.mutate({ body: { version, asks } });
          }}
        />
        <PlainButton
          size="compact-sm"
          aria-label={`Move up: ${sentence}`}
          disabled={isFirst || isChanging}
          onClick={() => changing.mutate({ body: { version, move: 'up' } })}
        >
          Up
        </PlainButton>
        <PlainButton size="compact-sm" aria-label={`Delete: ${sentence}`} onClick={() => removing.mutate({})}>
          Delete
        </PlainButton>
      </Group>
    </li>
  );
}
