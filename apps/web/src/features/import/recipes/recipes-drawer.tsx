import type { Recipe, RecipePreview } from '@draftshelf/contract/review/recipes';
import { Checkbox, Group, Skeleton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { showChange } from '../../../api/assume.ts';
import { type CallRequest, call, type Reply, readOf, toCacheKey } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, PlainButton, QuietText, SmallButton, TextButton } from '../../../ui/basics.tsx';
import { CallFailure, ReadView } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { HintedButton } from '../../../ui/hint.tsx';
import { EditorBody, EditorDrawer, EditorFooter } from '../../../ui/overlays.tsx';
import { unchangedCellWords } from '../bulk-edit/command-notices.tsx';
import {
  changedCellsWords,
  changedFieldLabel,
  coveredRowsWords,
  formatPreviewValue,
} from '../bulk-edit/preview-words.ts';
import { useCommandCall } from '../edits/edits-api.ts';
import classes from '../import.module.css';
import { recipeRowsWords, recipeSummaryWords, targetWords } from './repeat-buttons.tsx';

type RecipesDrawerProps = { importId: string; opened: boolean; onClose: () => void; onSkipped: () => void };

export function RecipesDrawer({ opened, onClose, ...props }: RecipesDrawerProps) {
  const reading = useQuery({
    ...readOf('listRecipes', { params: { id: props.importId } }),
    staleTime: 0,
    enabled: opened,
  });
  return (
    <EditorDrawer opened={opened} title="Last time’s changes" width={640} onClose={onClose}>
      {() => (
        <ReadView of={reading} what="last time’s changes" meanwhile={<Skeleton height={240} aria-hidden />}>
          {(offered) => <Recipes {...props} offered={offered} onClose={onClose} />}
        </ReadView>
      )}
    </EditorDrawer>
  );
}

type RecipesProps = Omit<RecipesDrawerProps, 'opened'> & { offered: Reply<'listRecipes'> };

function Recipes({ importId, offered, onClose, onSkipped }: RecipesProps) {
  const { recipes } = offered;
  const choice = useChoice(importId, recipes);
  const answer = useCommandCall('answerRecipes', { id: importId });
  const chosen = recipes.filter((recipe) => choice.isTicked(recipe));
  const repeat = () => {
    const repeated = chosen.map(({ id }) => ({ id, uses: choice.usesOf(id) }));
    answer.start({ body: { do: repeated } }, recipeSummaryWords(chosen), onClose);
  };
  const skip = () => answer.start({ body: { do: [] } }, '', onSkipped);
  const reason = choice.isLoading
    ? 'The previews are loading.'
    : chosen.length === 0
      ? 'Tick at least one change.'
      : null;
  return (
    <>
      <EditorBody>
        <QuietText>
          Your own edits in this list stay. The ticked changes are applied in this order, as one change that
          you can undo.
        </QuietText>
        <ul className="list" aria-label="Last time’s changes">
          {recipes.map((recipe) => (
            <RecipeLine key={recipe.id} {...{ importId, recipe, choice }} supplier={offered.supplier ?? 0} />
          ))}
        </ul>
        {recipes.length === 0 && <BodyText>No changes are left to repeat.</BodyText>}
      </EditorBody>
      <EditorFooter>
        <CallFailure error={answer.error} title="Couldn’t save the answer." />
        <Group justify="flex-end" gap="xs">
          <PlainButton onClick={skip}>Not This Time</PlainButton>
          <HintedButton
            reason={reason}
            loading={answer.isPending}
            description={countOf(chosen.length, 'change')}
            onClick={repeat}
          >
            Do It Again
          </HintedButton>
        </Group>
      </EditorFooter>
    </>
  );
}

type RecipeLineProps = { importId: string; supplier: number; recipe: Recipe; choice: Choice };

function RecipeLine({ importId, supplier, recipe, choice }: RecipeLineProps) {
  const reading = choice.readingOf(recipe);
  const [isOpen, setOpen] = useState(false);
  const params = { id: supplier, recipe: recipe.id };
  const always = useCall('changeRecipe', { params, failed: 'Couldn’t save it' });
  // Removes the recipe before the reply. Otherwise its preview would be read again together with the list of recipes.
  const forgetting = useCall('removeRecipe', {
    params,
    failed: 'Couldn’t forget it',
    assume: (client) =>
      showChange<Reply<'listRecipes'>>(
        client,
        { queryKey: toCacheKey('listRecipes', { id: importId }), exact: true },
        (now) => ({ ...now, recipes: now.recipes.filter(({ id }) => id !== recipe.id) }),
      ),
  });
  const preview = reading?.data;
  const reason = preview?.reason ?? null;
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <li className="stack gap-tight pad-y-sm line-below">
      <Checkbox
        checked={choice.isTicked(recipe)}
        disabled={preview === undefined}
        label={
          <span className="break-words" dir="auto">
            {recipe.sentence}
          </span>
        }
        description={`${recipeRowsWords(recipe, preview)} (${recipe.doneIn}) · ${targetWords(recipe.target)}`}
        onChange={({ currentTarget }) => choice.tick(recipe, currentTarget.checked)}
      />
      <div className={`stack ${classes.rest} gap-tight`}>
        {reading?.isError && <BodyText c="red">Couldn’t load the preview: {reading.error.message}</BodyText>}
        {reason !== null && <BodyText>{reason}</BodyText>}
        {preview?.missing.map((missing) => (
          <MissingColumn key={`${missing.in} ${missing.name}`} {...{ recipe, missing, choice }} />
        ))}
        <div className="row-wrap">
          {preview !== undefined && (
            <TextButton
              color="gray"
              className={classes.fold}
              aria-expanded={isOpen}
              rightSection={<Chevron size={14} aria-hidden />}
              onClick={() => setOpen(!isOpen)}
            >
              Preview
            </TextButton>
          )}
          <TextButton aria-label={`Forget: ${recipe.sentence}`} onClick={() => forgetting.mutate({})}>
            Forget
          </TextButton>
        </div>
        {preview !== undefined && isOpen && <Preview preview={preview.preview} />}
        {recipe.mayBeAlways && (
          <Checkbox
            size="xs"
            checked={recipe.asks === 'always'}
            label="Always, without asking"
            onChange={({ currentTarget }) =>
              always.mutate({
                body: { version: recipe.version, asks: currentTarget.checked ? 'always' : 'ask' },
              })
            }
          />
        )}
      </div>
    </li>
  );
}

type MissingProps = { recipe: Recipe; missing: RecipePreview['missing'][number]; choice: Choice };

/** A column that the recipe uses and this list lacks. The operator chooses the column to use instead. */
function MissingColumn({ recipe, missing, choice }: MissingProps) {
  const uses: Partial<Record<string, string>> = choice.usesOf(recipe.id)[missing.in];
  const used = uses[missing.name];
  if (used !== undefined) {
    return (
      <BodyText className="break-words">
        Uses {used} in place of {missing.label}.
      </BodyText>
    );
  }
  return (
    <div className="row-wrap gap-tight">
      {missing.columns.map((column) => (
        <SmallButton key={column} onClick={() => choice.use(recipe, missing.in, missing.name, column)}>
          Use {column}
        </SmallButton>
      ))}
    </div>
  );
}

const examplesMax = 5;

function Preview({ preview }: { preview: RecipePreview['preview'] }) {
  const examples = preview.examples.slice(0, examplesMax);
  return (
    <div className="stack gap-tight size-sm">
      <QuietText className="numbers">
        {changedCellsWords(preview)} · {coveredRowsWords(preview)}
      </QuietText>
      {examples.length > 0 && (
        <ul className="list numbers break-words">
          {examples.map(({ row, field, before, after }) => (
            <li key={`${row} ${field}`}>
              Row {formatCount(row)}, {changedFieldLabel(field)}:{' '}
              <bdi>{formatPreviewValue(field, before) ?? 'empty'}</bdi> →{' '}
              <bdi>{formatPreviewValue(field, after) ?? 'empty'}</bdi>
            </li>
          ))}
        </ul>
      )}
      {preview.left.map((cells) => (
        <BodyText key={cells.reason} className="break-words">
          {unchangedCellWords(cells)}
        </BodyText>
      ))}
    </div>
  );
}

type Choice = ReturnType<typeof useChoice>;

/** The recipes to repeat. Those with the same effect as last time are ticked at first. */
function useChoice(importId: string, recipes: readonly Recipe[]) {
  const [ticks, setTicks] = useState<Record<string, boolean>>({});
  const [uses, setUses] = useState<Record<string, Uses>>({});
  const usesOf = (id: string) => uses[id] ?? noUses;
  const previews = useRecipePreviews(importId, recipes, usesOf);
  const readingOf = ({ id }: Recipe) => previews[recipes.findIndex((recipe) => recipe.id === id)];
  return {
    readingOf,
    usesOf,
    isLoading: previews.some(({ isPending }) => isPending),
    isTicked: (recipe: Recipe): boolean => ticks[recipe.id] ?? readingOf(recipe)?.data?.reason === null,
    tick: ({ id }: Recipe, isTicked: boolean) => setTicks((before) => ({ ...before, [id]: isTicked })),
    use: ({ id }: Recipe, of: keyof Uses, name: string, column: string) =>
      setUses((before) => {
        const own = before[id] ?? noUses;
        return { ...before, [id]: { ...own, [of]: { ...own[of], [name]: column } } };
      }),
  };
}

type Answer = NonNullable<CallRequest<'answerRecipes'>['body']>;

type Uses = NonNullable<Answer['do'][number]['uses']>;

const noUses: Uses = { columns: {}, fields: {} };

/** Not cached, because others may change the rows at any time. */
const useRecipePreviews = (importId: string, recipes: readonly Recipe[], usesOf: (recipe: string) => Uses) =>
  useQueries({
    queries: recipes.map(({ id, version }) => ({
      queryKey: [...toCacheKey('previewRecipe', { id: importId, recipe: id }), version, usesOf(id)],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('previewRecipe', { params: { id: importId, recipe: id }, body: { uses: usesOf(id) }, signal }),
      staleTime: 0,
      gcTime: 0,
    })),
  });
