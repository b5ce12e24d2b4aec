import { Group, Skeleton, Text } from '@mantine/core';
import type { Reply } from '../../../api/call.ts';
import { countOf } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { EditorBody, EditorDrawer, EditorFooter } from '../../../ui/editor-drawer.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { addStartedCommand } from '../started-commands.ts';
import { RecipeLine } from './recipe-line.tsx';
import { namedWords } from './recipe-words.ts';
import { useRecipes } from './recipes-api.ts';
import { useChoice } from './use-choice.ts';

type RecipesDrawerProps = {
  importId: string;
  opened: boolean;
  onClose: () => void;
  /** The operator does not do them this time. */
  onSkipped: () => void;
};

/** What was done to earlier lists, to be ticked and done to this one as one change. */
export function RecipesDrawer({ opened, onClose, ...props }: RecipesDrawerProps) {
  const reading = useRecipes(props.importId, opened);
  return (
    <EditorDrawer
      opened={opened}
      title="Last time’s changes"
      width={640}
      unsaved={null}
      onClose={onClose}
      onDiscard={onClose}
    >
      {() => (
        <Read of={reading} what="last time’s changes" meanwhile={<Skeleton height={240} aria-hidden />}>
          {(offered) => <Recipes {...props} offered={offered} onClose={onClose} />}
        </Read>
      )}
    </EditorDrawer>
  );
}

type RecipesProps = Omit<RecipesDrawerProps, 'opened'> & { offered: Reply<'listRecipes'> };

function Recipes({ importId, offered, onClose, onSkipped }: RecipesProps) {
  const { recipes } = offered;
  const choice = useChoice(importId, recipes);
  const answer = useCall('answerRecipes', { params: { id: importId } });
  const chosen = recipes.filter((recipe) => choice.isTicked(recipe));
  const repeat = () =>
    answer.mutate(
      { body: { do: chosen.map(({ id }) => ({ id, uses: choice.usesOf(id) })) } },
      {
        onSuccess: ({ command }) => {
          if (command !== null) {
            const sentence = namedWords(chosen);
            addStartedCommand({ importId, command, sentence, isUndo: false, startedMs: Date.now() });
          }
          onClose();
        },
      },
    );
  const skip = () => answer.mutate({ body: { do: [] } }, { onSuccess: onSkipped });
  const reason = choice.isLoading
    ? 'The previews are loading.'
    : chosen.length === 0
      ? 'Tick at least one change.'
      : null;
  return (
    <>
      <EditorBody>
        <Text size="sm" c="dimmed">
          What you change in this list yourself stays as it is. The ticked changes are done in this order, as
          one change that you can undo.
        </Text>
        <ul className="list" aria-label="Last time’s changes">
          {recipes.map((recipe, at) => (
            <RecipeLine
              key={recipe.id}
              {...{ importId, recipe, choice }}
              supplier={offered.supplier ?? 0}
              reading={choice.previews[at]}
            />
          ))}
        </ul>
        {recipes.length === 0 && <Text size="sm">Nothing is left to do again.</Text>}
      </EditorBody>
      <EditorFooter>
        {answer.isError && <ErrorPanel title="Couldn’t save the answer.">{answer.error.message}</ErrorPanel>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={skip}>
            Not This Time
          </Button>
          <ReasonedButton
            reason={reason}
            loading={answer.isPending}
            description={countOf(chosen.length, 'change')}
            onClick={repeat}
          >
            Do It Again
          </ReasonedButton>
        </Group>
      </EditorFooter>
    </>
  );
}
