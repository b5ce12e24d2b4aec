import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { Group, Switch } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { IconButton, PlainButton, SubtleButton } from '../../ui/button.tsx';
import { BodyText } from '../../ui/text.tsx';
import { conditionsWords, goneCollections, moved, replaced, valuesWords } from './rule-draft.ts';

type RuleListProps = {
  rules: readonly CategoryRule[];
  /** The store's collections; undefined: unknown. */
  titles: readonly string[] | undefined;
  onSet: (rules: CategoryRule[]) => void;
  onChange: (rule: CategoryRule) => void;
  onNews: (news: string) => void;
};

export const changeButtonId = (ruleId: string): string => `change-${ruleId}`;
export const addButtonId = 'add-rule';
const listId = 'rule-list';
/** The focus goes from removed parts to the list, or to Add Rule without a list. */
export const listFocus = { 'data-focus-next': `#${listId}, #${addButtonId}` };

export function RuleList({ rules, titles, onSet, onChange, onNews }: RuleListProps) {
  const move = (rule: CategoryRule, by: -1 | 1, button: HTMLElement) => {
    const after = moved(rules, rule.id, by);
    onSet(after);
    const place = after.findIndex(({ id }) => id === rule.id) + 1;
    onNews(`${rule.name} is rule ${place} of ${after.length} now.`);
    // A browser takes the focus from an element that moves in the page.
    requestAnimationFrame(() => button.focus());
  };
  const remove = (rule: CategoryRule) => {
    onSet(rules.filter(({ id }) => id !== rule.id));
    onNews(`${rule.name} was deleted.`);
  };
  return (
    <ul className="list" aria-label="Rules" tabIndex={-1} id={listId} {...listFocus}>
      {rules.map((rule, at) => (
        <li key={rule.id} className="stack gap-tight pad-y-sm line-below">
          <Switch
            label={rule.name}
            checked={rule.enabled}
            onChange={(event) => {
              const enabled = event.currentTarget.checked;
              onSet(replaced(rules, { ...rule, enabled }));
            }}
          />
          <BodyText className="break-words">{conditionsWords(rule)}</BodyText>
          <BodyText className="break-words">{valuesWords(rule)}</BodyText>
          {goneCollections(rule, titles).map((title) => (
            <BodyText key={title} c="var(--text-warning)" className="break-words">
              {title}: This collection isn’t in the store any more.
            </BodyText>
          ))}
          <RuleActions
            rule={rule}
            isFirst={at === 0}
            isLast={at === rules.length - 1}
            onMove={(by, button) => move(rule, by, button)}
            onChange={() => onChange(rule)}
            onRemove={() => remove(rule)}
          />
        </li>
      ))}
    </ul>
  );
}

type RuleActionsProps = {
  rule: CategoryRule;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1, button: HTMLElement) => void;
  onChange: () => void;
  onRemove: () => void;
};

const RuleActions = ({ rule, isFirst, isLast, onMove, onChange, onRemove }: RuleActionsProps) => (
  <Group gap="xs">
    <IconButton
      icon={IconArrowUp}
      variant="default"
      size={34}
      label={`Move ${rule.name} up`}
      disabled={isFirst}
      onClick={(event) => onMove(-1, event.currentTarget)}
    />
    <IconButton
      icon={IconArrowDown}
      variant="default"
      size={34}
      label={`Move ${rule.name} down`}
      disabled={isLast}
      onClick={(event) => onMove(1, event.currentTarget)}
    />
    <PlainButton
      size="compact-md"
      id={changeButtonId(rule.id)}
      aria-label={`Change ${rule.name}`}
      onClick={onChange}
    >
      Change
    </PlainButton>
    <SubtleButton color="red" size="compact-md" aria-label={`Delete ${rule.name}`} onClick={onRemove}>
      Delete
    </SubtleButton>
  </Group>
);
