import type { List } from '@draftshelf/contract/imports/list';
import { IconRepeat } from '@tabler/icons-react';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { editLock } from '../edits/edit-lock.ts';
import type { ShownImport } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import { noticeWords } from './recipe-words.ts';

type RecipesNoticeProps = { record: ShownImport; list: List; onOpen: () => void };

/** What was done to earlier lists and not to this one. */
export function RecipesNotice({ record, list: { recipes, asksRecipes }, onOpen }: RecipesNoticeProps) {
  return (
    <Notice icon={IconRepeat} tone={asksRecipes ? 'question' : 'plain'} title="Last time’s changes:">
      {noticeWords(recipes)}{' '}
      <ReasonedButton
        size="compact-sm"
        variant="default"
        aria-haspopup="dialog"
        reason={editLock(record)}
        onClick={onOpen}
      >
        Review
      </ReasonedButton>
    </Notice>
  );
}
