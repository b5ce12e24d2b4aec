import type { Recipe, RecipePreview } from '@draftshelf/contract/review/recipes';
import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { assume } from '../../../api/assume.ts';
import type { Reply } from '../../../api/call.ts';
import { readOf } from '../../../api/read.ts';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { leftCellWords } from '../bulk-edit/command-words.ts';
import { changedLabel, changedWords, sampleWords, shownValue } from '../bulk-edit/preview-words.ts';
import { FoldButton } from '../fold-button.tsx';
import { rowsWords, whereWords } from './recipe-words.ts';
import classes from './recipes.module.css';
import type { Choice } from './use-choice.ts';

type RecipeLineProps = {
  importId: string;
  supplier: number;
  recipe: Recipe;
  choice: Choice;
  reading: Choice['previews'][number] | undefined;
};

/** A recipe with its tick, its numbers, and what it would do. */
export function RecipeLine({ importId, supplier, recipe, choice, reading }: RecipeLineProps) {
  const [isOpen, setOpen] = useState(false);
  const params = { id: supplier, recipe: recipe.id };
  const always = useCall('changeRecipe', { params, failed: 'Couldn’t save it' });
  // It goes at once, so that its preview is not read again.
  const forgetting = useCall('removeRecipe', {
    params,
    failed: 'Couldn’t forget it',
    assume: (client) =>
      assume<Reply<'listRecipes'>>(client, readOf('listRecipes', { params: { id: importId } }), (now) => ({
        ...now,
        recipes: now.recipes.filter(({ id }) => id !== recipe.id),
      })),
  });
  const preview = reading?.data;
  const reason = preview?.reason ?? null;
  return (
    <li className={`stack ${classes.line}`}>
      <Checkbox
        checked={choice.isTicked(recipe)}
        disabled={preview === undefined}
        label={
          <span className="break-words" dir="auto">
            {recipe.sentence}
          </span>
        }
        description={`${rowsWords(recipe, preview)} (${recipe.doneIn}) · ${whereWords(recipe.target)}`}
        onChange={({ currentTarget }) => choice.tick(recipe, currentTarget.checked)}
      />
      <div className={`stack ${classes.rest}`}>
        {reading?.isError && (
          <Text size="sm" c="red">
            Couldn’t load the preview: {reading.error.message}
          </Text>
        )}
        {reason !== null && <Text size="sm">{reason}</Text>}
        {preview?.missing.map((missing) => (
          <MissingColumn key={`${missing.in} ${missing.name}`} {...{ recipe, missing, choice }} />
        ))}
        <div className="row-wrap">
          {preview !== undefined && (
            <FoldButton isOpen={isOpen} onTurn={setOpen}>
              Preview
            </FoldButton>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`Forget: ${recipe.sentence}`}
            onClick={() => forgetting.mutate({})}
          >
            Forget
          </Button>
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

/** Columns that may hold what a missing one held. Nobody but the operator chooses one. */
function MissingColumn({ recipe, missing, choice }: MissingProps) {
  const uses: Partial<Record<string, string>> = choice.usesOf(recipe.id)[missing.in];
  const used = uses[missing.name];
  if (used !== undefined) {
    return (
      <Text size="sm" className="break-words">
        Uses {used} in place of {missing.label}.
      </Text>
    );
  }
  return (
    <div className={`row-wrap ${classes.columns}`}>
      {missing.columns.map((column) => (
        <Button
          key={column}
          size="compact-sm"
          variant="default"
          onClick={() => choice.use(recipe, missing.in, missing.name, column)}
        >
          Use {column}
        </Button>
      ))}
    </div>
  );
}

const examplesMax = 5;

function Preview({ preview }: { preview: RecipePreview['preview'] }) {
  const examples = preview.examples.slice(0, examplesMax);
  return (
    <div className={`stack ${classes.preview}`}>
      <Text size="sm" c="dimmed" className="numbers">
        {changedWords(preview)} · {sampleWords(preview)}
      </Text>
      {examples.length > 0 && (
        <ul className="list numbers break-words">
          {examples.map(({ row, field, before, after }) => (
            <li key={`${row} ${field}`}>
              Row {formatCount(row)}, {changedLabel(field)}: <bdi>{shownValue(field, before) ?? 'empty'}</bdi>{' '}
              → <bdi>{shownValue(field, after) ?? 'empty'}</bdi>
            </li>
          ))}
        </ul>
      )}
      {preview.left.map((cells) => (
        <Text size="sm" key={cells.reason} className="break-words">
          {leftCellWords(cells)}
        </Text>
      ))}
    </div>
  );
}
